import type { Command } from '../command.ts'
import { INSTALL, SCRIPTS, type Shell } from '../completion/scripts.ts'
import { UsageError } from '../usage-error.ts'

const isShell = (text: string): text is Shell => Object.hasOwn(SCRIPTS, text)

export const completion: Command = {
  name: 'completion',
  summary: 'print a completion script for bash, zsh or fish',
  operand: { value: '<shell>', about: 'bash, zsh or fish' },
  flags: {},
  example: 'completion bash',
  isText: true,
  async run({ operands }, { terminal }) {
    const shell = operands[0] ?? ''
    if (!isShell(shell))
      throw new UsageError(`There is no completion for "${shell}".`, 'Choose bash, zsh or fish.')
    terminal.out(SCRIPTS[shell])
    if (terminal.outColumns !== null)
      terminal.err(`\nInstall it: ${INSTALL[shell](terminal.program)}\n`)
    return null
  },
}
