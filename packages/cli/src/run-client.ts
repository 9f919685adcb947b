/** Runs one command of the client and returns the exit code. */
import { COMMANDS } from './commands/index.ts'
import { COMMON_FLAGS } from './common-flags.ts'
import type { Command, Report } from './command.ts'
import { complete } from './completion/complete.ts'
import { createDeps, isOn, wantsJson } from './deps.ts'
import { EXIT, exitCodeOf } from './exit-codes.ts'
import { helpOfAll, helpOfCommand, helpOfGroup, usageOf } from './help.ts'
import { readWords, rulesOf, type Given } from './input/read-words.ts'
import { Interrupted } from './interrupted.ts'
import { errorAsData, errorAsText } from './print-error.ts'
import { suggest } from '../../../src/catalog/validate/suggest.ts'
import { widthFor, type Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'

export async function runClient(
  words: readonly string[],
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  if (words[0] === '__complete') {
    terminal.out(await complete(words.slice(words[1] === '--' ? 2 : 1), COMMANDS, terminal))
    return EXIT.done
  }
  const wanted = words.filter((word, at) => !(at === 0 && word === 'help'))
  if (words[0] === 'help') wanted.push('--help')
  let command: Command | undefined
  try {
    const help = helpFor(wanted, terminal)
    if (help !== null) return print(terminal, help)
    const { command: found, rest } = findCommand(moveFlags(wanted))
    command = found
    return await runCommand(command, rest, terminal, signal)
  } catch (error) {
    return reportError(error, words, command, { terminal, signal })
  }
}

/** Null for a line with a command. */
function helpFor(words: readonly string[], terminal: Terminal): string | null {
  const width = widthFor(terminal)
  const names = words.filter((word) => !['--help', '-h'].includes(word))
  if (names.length === 0) return helpOfAll(COMMANDS, terminal.program, width)
  const group = COMMANDS.filter(({ name }) => name.startsWith(`${names[0]} `))
  const isGroup = group.length > 0 && names.length === 1
  return isGroup ? helpOfGroup(group, terminal.program, width) : null
}

/** Flags before the command belong to it: `--profile work balance`. */
function moveFlags(words: readonly string[]): readonly string[] {
  const at = words.findIndex((word, place) => !word.startsWith('-') && !takesNext(words[place - 1]))
  return at <= 0 ? words : [words[at] ?? '', ...moveAfterName(words, at)]
}

function moveAfterName(words: readonly string[], at: number): readonly string[] {
  const next = words[at + 1]
  const isPair = COMMANDS.some(({ name }) => name === `${words[at]} ${next}`)
  return isPair
    ? [next ?? '', ...words.slice(0, at), ...words.slice(at + 2)]
    : [...words.slice(0, at), ...words.slice(at + 1)]
}

function takesNext(word: string | undefined): boolean {
  return word?.startsWith('--') === true && COMMON_FLAGS[word.slice(2)]?.value !== undefined
}

function findCommand(words: readonly string[]): {
  readonly command: Command
  readonly rest: readonly string[]
} {
  const [first = '', second = ''] = words
  const command =
    COMMANDS.find(({ name }) => name === `${first} ${second}`) ??
    COMMANDS.find(({ name }) => name === first)
  if (command !== undefined) return { command, rest: words.slice(command.name.split(' ').length) }
  const group = COMMANDS.filter(({ name }) => name.startsWith(`${first} `)).map(({ name }) => name)
  const typed = group.length > 0 ? `${first} ${second}` : first
  const near = suggest(
    typed,
    group.length > 0 ? group : COMMANDS.map(({ name }) => name.split(' ')[0] ?? ''),
  )
  const advice = near.length > 0 ? near : group
  throw new UsageError(
    `Unknown command "${typed}".${advice.length === 0 ? '' : ` Did you mean ${advice.map((name) => `"${name}"`).join(', ')}?`}`,
  )
}

async function runCommand(
  command: Command,
  words: readonly string[],
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const flags = { ...command.flags, ...COMMON_FLAGS }
  const given = readWords(words, { ...rulesOf(flags), stopsAtOperand: command.readsRest === true })
  if (isOn(given.flags, 'help'))
    return print(terminal, helpOfCommand(command, terminal.program, widthFor(terminal)))
  requireOperand(command, given)
  const deps = createDeps(terminal, given.flags, signal)
  const wantsData = command.isText === true ? isOn(given.flags, 'json') : deps.wantsJson
  const report = await command.run(given, { ...deps, wantsJson: wantsData })
  return printReport(report, terminal, wantsData)
}

function requireOperand({ name, operand, readsRest }: Command, { operands }: Given): void {
  if (operand !== undefined && operand.isOptional !== true && operands.length === 0)
    throw new UsageError(`"${name}" needs ${operand.value}: ${operand.about}.`)
  const extra = operands[operand === undefined ? 0 : 1]
  if (extra !== undefined && readsRest !== true && operand?.isList !== true)
    throw new UsageError(
      `Unexpected "${extra}" for "${name}".`,
      'Write a text with spaces in quotation marks.',
    )
}

function printReport(report: Report, terminal: Terminal, usual: boolean): number {
  if (report === null) return EXIT.done
  const { data, text, facts, wantsJson: isJson = usual } = report
  return print(terminal, isJson ? JSON.stringify({ ok: true, data, ...facts }) : text)
}

/** The text is on standard error for people, and the JSON on standard output for programs. */
function reportError(
  error: unknown,
  words: readonly string[],
  command: Command | undefined,
  { terminal, signal }: { readonly terminal: Terminal; readonly signal: AbortSignal },
): number {
  if (signal.aborted) {
    terminal.err(
      `\ntollgate: Interrupted.\n${error instanceof Interrupted ? `${error.note}\n` : ''}`,
    )
    return EXIT.interrupted
  }
  const { program } = terminal
  const usage =
    command === undefined
      ? `See ${program} help.`
      : `Usage: ${usageOf(command, program)}\nSee ${program} ${command.name} --help.`
  terminal.err(errorAsText(error, usage))
  const isJson =
    words.includes('--json') ||
    (command?.isText !== true &&
      !words.includes('--no-wait') &&
      wantsJson(terminal, words.includes('--table') ? { table: ['true'] } : {}))
  if (isJson) print(terminal, JSON.stringify(errorAsData(error)))
  return exitCodeOf(error)
}

function print(terminal: Terminal, text: string): number {
  terminal.out(`${text}\n`)
  return EXIT.done
}
