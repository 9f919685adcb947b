import { parseArgs } from 'node:util'
import { suggest } from '../../catalog/validate/suggest.ts'
import { UsageError, type Command, type Input } from './command.ts'
import { launchedNames } from './help.ts'

export type Line = {
  readonly command: Command
  readonly input: Input
  readonly wantsHelp: boolean
  readonly wantsJson: boolean
}

/** Finds the command and reads its flags. Throws UsageError, with a suggestion for a likely typo. */
export function readLine(words: readonly string[], commands: readonly Command[]): Line {
  const command = findCommand(words, commands)
  const rest = words.slice(command.name.split(' ').length)
  const { flags, operands } = readFlags(command, rest)
  const wantsHelp = flags['help'] !== undefined
  if (!wantsHelp) requireComplete(command, flags, operands)
  return {
    command,
    input: { flags, operand: operands[0] ?? '', second: operands[1] },
    wantsHelp,
    wantsJson: flags['json'] !== undefined,
  }
}

function findCommand(words: readonly string[], commands: readonly Command[]): Command {
  const [first = '', second = ''] = words
  const found =
    commands.find(({ name }) => name === `${first} ${second}`) ??
    commands.find(({ name }) => name === first)
  if (found !== undefined) return found
  const siblings = commands
    .filter(({ name }) => name.startsWith(`${first} `))
    .map(({ name }) => name)
  const isGroup = siblings.length > 0
  const typed = isGroup && !second.startsWith('-') ? `${first} ${second}`.trim() : first
  const near = isGroup ? siblings : suggestCommands(first, commands)
  throw new UsageError(
    `Unknown command "${typed}".${near.length === 0 ? '' : ` Did you mean ${near.map((name) => `"${name}"`).join(', ')}?`}`,
  )
}

/** "core/onescrape" is the name of an action, not of a command. */
function suggestCommands(typed: string, commands: readonly Command[]): readonly string[] {
  if (/^[\w-]+\/[\w-]+$/.test(typed)) return [`run ${typed}`]
  return suggest(
    typed,
    new Set([...launchedNames, ...commands.map(({ name }) => name.split(' ')[0] ?? '')]),
  )
}

const COMMON = { help: { type: 'boolean', short: 'h' }, json: { type: 'boolean' } } as const

function readFlags(
  command: Command,
  rest: readonly string[],
): { flags: Record<string, string | undefined>; operands: string[] } {
  const own = Object.fromEntries(
    Object.entries(command.flags).map(([name, { value }]) => [
      name,
      { type: value === '' ? ('boolean' as const) : ('string' as const) },
    ]),
  )
  // Not strict: the library's errors suggest no correction, so the checks are below.
  const { tokens } = parseArgs({
    args: [...rest],
    options: { ...own, ...COMMON },
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const flags: Record<string, string | undefined> = {}
  const operands: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') operands.push(token.value)
    if (token.kind === 'option')
      flags[token.name] = readFlag(command, token.name, token.rawName, token.value)
  }
  return { flags, operands }
}

function readFlag(
  command: Command,
  name: string,
  typed: string,
  value: string | undefined,
): string {
  const isSwitch = Object.hasOwn(command.flags, name) && command.flags[name]?.value === ''
  if (isSwitch || Object.hasOwn(COMMON, name)) {
    if (value !== undefined) throw new UsageError(`${typed} takes no value.`, command)
    return ''
  }
  const flag = Object.hasOwn(command.flags, name) ? command.flags[name] : undefined
  if (flag === undefined) {
    const near = suggest(name, [...Object.keys(command.flags), ...Object.keys(COMMON)], 1)[0]
    throw new UsageError(
      `Unknown flag ${typed} for "${command.name}".${near === undefined ? '' : ` Did you mean --${near}?`}`,
      command,
    )
  }
  if (value === undefined || value === '')
    throw new UsageError(`${typed} needs a value: --${name} ${flag.value}.`, command)
  // The flag had no value, and the parser used the next flag as its value.
  if (value.startsWith('--'))
    throw new UsageError(
      `${typed} needs a value, but "${value}" looks like another flag. Write ${typed}=${value} if it is the value.`,
      command,
    )
  return value
}

function requireComplete(
  command: Command,
  flags: Readonly<Record<string, string | undefined>>,
  operands: readonly string[],
): void {
  const missing = Object.entries(command.flags).find(
    ([name, flag]) => flag.required === true && flags[name] === undefined,
  )
  if (missing !== undefined)
    throw new UsageError(
      `"${command.name}" needs --${missing[0]} ${missing[1].value}.${remoteAdvice(command)}`,
      command,
    )
  if (command.operand !== undefined && command.operand.isOptional !== true && operands.length === 0)
    throw new UsageError(
      `"${command.name}" needs ${command.operand.value}: ${command.operand.about}`,
      command,
    )
  const allowed = [command.operand, command.secondOperand].filter((one) => one !== undefined)
  const extra = operands[allowed.length]
  if (extra !== undefined)
    throw new UsageError(`Unexpected argument "${extra}" for "${command.name}".`, command)
}

/** Keys are also managed with a key of the account, by the client. */
function remoteAdvice({ name }: Command): string {
  return name.startsWith('keys ') ? ' Add --remote to use the HTTP API with your key.' : ''
}
