import clientCommands from '../../../packages/cli/commands.json' with { type: 'json' }
import type { Command, Operand } from './command.ts'
import { columns } from './show.ts'

// The launcher starts these. They have their own entry points.
const LAUNCHED = [
  [
    'start',
    'run gateway and worker in one process, with the built-in database unless DATABASE_URL is set',
  ],
  ['serve', 'run a gateway process'],
  ['work', 'run a worker process'],
  ['test', 'run the tests; "test fire" runs the long ones, which kill and flood processes'],
  ['check-source', 'check types, lint, structure and generated documents'],
  [
    'wires',
    'run the official clients of other projects against a gateway; docs/clients.md shows the results',
  ],
  ['bench', 'compare a call with a plain proxy; docs/benchmarks.md explains the figures'],
] as const

const CLIENT = Object.entries(clientCommands)

/** Names of the commands that the launcher starts, those of the client included. */
export const launchedNames: readonly string[] = [...LAUNCHED, ...CLIENT].map(([name]) => name)

const COMMON_FLAGS = [
  ['--json', 'print the result as JSON'],
  ['--help', 'show this help'],
] as const

export function generalHelp(commands: readonly Command[]): string {
  const own = commands.map(entryOf)
  const width = Math.max(...[...LAUNCHED, ...CLIENT, ...own].map(([name]) => name.length))
  return `Usage: ./tollgate <command> [flags]

Processes and checks
${block(LAUNCHED, width)}

Call a gateway with a key, also from another machine
${block(CLIENT, width)}

Operate the gateway of this machine
${block(own, width)}

Commands of the last two blocks accept --json. Add --help to any command for details. --version prints the version.
Settings are environment variables: DATA_DIR, DATABASE_URL, PORT, PUBLIC_URL, UPSTREAM_<LABEL>_KEY and others.
Exit codes: 0 success, 1 the command failed or found a problem, 2 invalid command line.`
}

const WITHOUT_FLAGS = new Set(['start', 'serve', 'work'])

/** Help for a command of the launcher; null for any other name. */
export function launchedHelp(name: string | undefined): string | null {
  const found = LAUNCHED.find(([launched]) => launched === name)
  if (found === undefined) return null
  const [command, about] = found
  const settings = WITHOUT_FLAGS.has(command)
    ? '\nIt has no flags. PORT, DATA_DIR, DATABASE_URL and the other settings in docs/reference/settings.md are environment variables.\nAfter SIGTERM or Ctrl-C it finishes the calls in flight, then stops.'
    : ''
  return `Usage: ./tollgate ${command}\n\n${sentence(about)}${settings}`
}

/** Help for a group of commands such as "keys". */
export function groupHelp(group: readonly Command[]): string {
  return `Usage: ./tollgate <command> [flags]

${block(group.map(entryOf), Math.max(...group.map(({ name }) => name.length)))}

All accept --json. Add --help to a command for details.`
}

export function commandHelp(command: Command): string {
  const flags = Object.entries(command.flags).map(
    ([name, { value, about, required }]) =>
      [
        `--${name} ${value}`.trimEnd(),
        `${about}${required === true ? ' (required)' : ''}`,
      ] as const,
  )
  const operands = operandsOf(command).map(({ value, about }) => [value, about] as const)
  return `Usage: ${usageOf(command)}

${sentence(command.summary)}

${indented([...operands, ...flags, ...COMMON_FLAGS])}

Example: ${command.example}`
}

function operandsOf({ operand, secondOperand }: Command): readonly Operand[] {
  return [operand, secondOperand].filter((one) => one !== undefined)
}

export function usageOf(command: Command): string {
  const { name, flags } = command
  const operands = operandsOf(command).map(({ value, isOptional }) =>
    isOptional === true ? ` [${value}]` : ` ${value}`,
  )
  const required = Object.entries(flags)
    .filter(([, flag]) => flag.required === true)
    .map(([flag, { value }]) => ` --${flag} ${value}`)
  return `./tollgate ${name}${operands.join('')}${required.join('')} [flags]`
}

type Entry = readonly [name: string, summary: string]

const entryOf = ({ name, summary }: Command): Entry => [name, summary]

function block(entries: readonly Entry[], width: number): string {
  return entries.map(([name, summary]) => `  ${name.padEnd(width)}  ${summary}`).join('\n')
}

function indented(entries: readonly (readonly [string, string])[]): string {
  return columns(['', ''], entries)
    .split('\n')
    .slice(1)
    .map((line) => `  ${line}`)
    .join('\n')
}

function sentence(summary: string): string {
  return `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`
}
