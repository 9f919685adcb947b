import { COMMON_FLAGS } from './common-flags.ts'
import type { Command } from './command.ts'
import { glossary } from './output/table.ts'

const EXIT_CODES = `Exit codes
  0 success, 1 the call or job failed, 2 invalid command line or input, 3 the key was rejected.
  4 not enough credit or a limit, 5 the gateway is unreachable or busy: try later, 130 interrupted.`

export function helpOfAll(commands: readonly Command[], program: string, width: number): string {
  return `Usage: ${program} <command> [flags]

${listOf(commands, width)}

Flags of every command
${flagList(COMMON_FLAGS, width)}

${EXIT_CODES}
${program} <command> --help shows the flags of a command.`
}

/** Help of a group such as "jobs". */
export function helpOfGroup(group: readonly Command[], program: string, width: number): string {
  return `Usage: ${program} <command> [flags]

${listOf(group, width)}

${program} <command> --help shows the flags of a command.`
}

export function helpOfCommand(command: Command, program: string, width: number): string {
  const { operand, summary, flags, example, readsRest } = command
  const own = operand === undefined ? [] : [[operand.value, operand.about] as const]
  return `Usage: ${usageOf(command, program)}

${summary.charAt(0).toUpperCase()}${summary.slice(1)}.

${glossary([...own, ...flagPairs(flags)], width)}

Flags of every command
${flagList(COMMON_FLAGS, width)}
${readsRest === true ? '\nAn input of the action wins over a flag of the same name. Write the flag before the action then.\n' : ''}
Example: ${program} ${example}`
}

export function usageOf({ name, operand, readsRest }: Command, program: string): string {
  const positional =
    operand === undefined
      ? ''
      : operand.isOptional === true
        ? ` [${operand.value}]`
        : ` ${operand.value}`
  return `${program} ${name}${positional}${readsRest === true ? ' [inputs]' : ''} [flags]`
}

const listOf = (commands: readonly Command[], width: number): string =>
  glossary(
    commands.map(({ name, summary }) => [name, summary]),
    width,
  )

const flagList = (flags: Command['flags'], width: number): string =>
  glossary(flagPairs(flags), width)

function flagPairs(flags: Command['flags']): readonly (readonly [string, string])[] {
  return Object.entries(flags).map(([name, { value, about }]) => [
    `--${name}${value === undefined ? '' : ` ${value}`}`,
    about,
  ])
}
