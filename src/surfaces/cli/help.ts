import type { Command } from './command.ts'
import { columns } from './show.ts'

// These have entry points of their own and are started by the launcher.
const LAUNCHED = [
  ['start', 'run the gateway with everything it needs, in one process'],
  ['serve', 'run a gateway process only'],
  ['work', 'run a worker process only'],
  ['test', 'run the tests; "test fire" kills processes, floods gateways and compares the books'],
  ['check', 'types, lint, boundaries, generated pages'],
  [
    'bench',
    'measure what a call costs beside a bare proxy; docs/benchmarks.md explains the figures',
  ],
] as const

/** Names of the commands that the launcher starts. */
export const launchedNames: readonly string[] = LAUNCHED.map(([name]) => name)

const COMMON_FLAGS = [
  ['--json', 'print the result as JSON'],
  ['--help', 'explain the command'],
] as const

export function generalHelp(commands: readonly Command[]): string {
  const own = commands.map(entryOf)
  const width = Math.max(...[...LAUNCHED, ...own].map(([name]) => name.length))
  return `Usage: ./tollgate <command> [flags]

${block(LAUNCHED, width)}

${block(own, width)}

The commands of the second block take --json; --help explains each. --version prints the version.
Settings come from the environment: DATA_DIR, DATABASE_URL, PORT, PUBLIC_URL, UPSTREAM_<LABEL>_KEY and others.
Exit codes: 0 done, 1 a problem was found or the command failed, 2 the command line is wrong.`
}

const WITHOUT_FLAGS = new Set(['start', 'serve', 'work'])

/** For a command that the launcher starts, or null when it starts none of that name. */
export function launchedHelp(name: string | undefined): string | null {
  const found = LAUNCHED.find(([launched]) => launched === name)
  if (found === undefined) return null
  const [command, about] = found
  const settings = WITHOUT_FLAGS.has(command)
    ? '\nIt takes no flags: PORT, DATA_DIR, DATABASE_URL and the other settings of docs/reference/settings.md come from the environment.\nSIGTERM or Ctrl-C ends it once the calls in flight have ended.'
    : ''
  return `Usage: ./tollgate ${command}\n\n${sentence(about)}${settings}`
}

/** What the commands of a group such as "keys" do. */
export function groupHelp(group: readonly Command[]): string {
  return `Usage: ./tollgate <command> [flags]

${block(group.map(entryOf), Math.max(...group.map(({ name }) => name.length)))}

All take --json; --help explains each.`
}

export function commandHelp(command: Command): string {
  const flags = Object.entries(command.flags).map(
    ([name, { value, about, required }]) =>
      [`--${name} ${value}`, `${about}${required === true ? ' (required)' : ''}`] as const,
  )
  const operand =
    command.operand === undefined ? [] : [[command.operand.value, command.operand.about] as const]
  return `Usage: ${usageOf(command)}

${sentence(command.summary)}

${indented([...operand, ...flags, ...COMMON_FLAGS])}

Example: ${command.example}`
}

export function usageOf({ name, flags, operand }: Command): string {
  const required = Object.entries(flags)
    .filter(([, flag]) => flag.required === true)
    .map(([flag, { value }]) => ` --${flag} ${value}`)
  return `./tollgate ${name}${operand === undefined ? '' : ` ${operand.value}`}${required.join('')} [flags]`
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
