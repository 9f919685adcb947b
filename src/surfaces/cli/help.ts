import type { Command } from './command.ts'
import { columns } from './show.ts'

// These have entry points of their own and are started by the launcher.
const LAUNCHED = [
  ['start', 'run the gateway with everything it needs, in one process'],
  ['serve', 'run a gateway process only'],
  ['work', 'run a worker process only'],
  ['test', 'run the tests; "test fire" kills processes, floods gateways and compares the books'],
  ['check', 'types, lint, boundaries, generated pages'],
  ['bench', 'measure'],
] as const

const COMMON_FLAGS = [
  ['--json', 'print the result as JSON'],
  ['--help', 'explain the command'],
] as const

export function generalHelp(commands: readonly Command[]): string {
  const own = commands.map(({ name, summary }) => [name, summary] as const)
  const width = Math.max(...[...LAUNCHED, ...own].map(([name]) => name.length))
  const block = (entries: readonly (readonly [string, string])[]): string => entries.map(([name, summary]) => `  ${name.padEnd(width)}  ${summary}`).join('\n')
  return `Usage: ./tollgate <command> [flags]

${block(LAUNCHED)}

${block(own)}

The commands of the second block take --json; --help explains each.
Settings come from the environment: DATA_DIR, DATABASE_URL, PORT, PUBLIC_URL, UPSTREAM_<LABEL>_KEY and others.
Exit codes: 0 done, 1 a problem was found or the command failed, 2 the command line is wrong.`
}

export function commandHelp(command: Command): string {
  const flags = Object.entries(command.flags).map(([name, { value, about, required }]) => [`--${name} ${value}`, `${about}${required === true ? ' (required)' : ''}`] as const)
  const operand = command.operand === undefined ? [] : [[command.operand.value, command.operand.about] as const]
  return `Usage: ${usageOf(command)}

${command.summary.charAt(0).toUpperCase()}${command.summary.slice(1)}.

${indented([...operand, ...flags, ...COMMON_FLAGS])}

Example: ${command.example}`
}

export function usageOf({ name, flags, operand }: Command): string {
  const required = Object.entries(flags).filter(([, flag]) => flag.required === true).map(([flag, { value }]) => ` --${flag} ${value}`)
  return `./tollgate ${name}${operand === undefined ? '' : ` ${operand.value}`}${required.join('')} [flags]`
}

function indented(entries: readonly (readonly [string, string])[]): string {
  return columns(['', ''], entries).split('\n').slice(1).map((line) => `  ${line}`).join('\n')
}
