/**
 * A shell and two interpreters with a few commands, for sessions of test keys. They run nothing on
 * this machine.
 */
import { randomUUID } from 'node:crypto'
import { posix } from 'node:path'
import { shortText } from '../../lib/short-text.ts'
import type { MachineCount, MachineUse } from './machine-use.ts'
import type { ProgramOutput, SessionWork } from './session-driver.ts'

export type SimulatedMachine = {
  folder: string
  readonly files: Map<string, string>
  readonly variables: Map<string, string>
  counted: MachineCount
}

const HOME = '/session'
/** Limits of a machine and of a program, which runs for free in the gateway's own process. */
const MAX_ENTRIES = 100
const MOST_CHARACTERS = 50_000
const LONGEST_NAME = 255
const MOST_STEPS = 1_000
const MOST_OUTPUT_CHARACTERS = 100_000
const KNOWN =
  'this is the simulated session of a test key: it supports echo, pwd, cd, ls, cat, true, false, exit and >'
const TOO_MUCH = `too much for the simulated session of a test key: it allows ${MOST_STEPS} steps and ${MOST_OUTPUT_CHARACTERS} characters of output`

export function newMachine(): SimulatedMachine {
  return {
    folder: HOME,
    files: new Map(),
    variables: new Map(),
    counted: { boot: randomUUID(), upMicroseconds: 0, cpuMicroseconds: 0 },
  }
}

/** A new machine with the files of this one, but without its running programs and memory. */
export function diskOf({ files }: SimulatedMachine): SimulatedMachine {
  return { ...newMachine(), files: new Map(files) }
}

/** Counts one second per program, half of it on a CPU, with a quarter of a gigabyte of memory. */
export function countProgram(machine: SimulatedMachine): MachineUse {
  const from = machine.counted
  machine.counted = {
    ...from,
    upMicroseconds: from.upMicroseconds + 1_000_000,
    cpuMicroseconds: from.cpuMicroseconds + 500_000,
  }
  return { from, to: machine.counted, memoryBytes: 2 ** 28 }
}

export function simulate(machine: SimulatedMachine, work: SessionWork): ProgramOutput {
  if ('command' in work) return runShell(machine, work.command)
  return work.language === 'bash'
    ? runShell(machine, work.code)
    : runCode(machine, work.code, work.language)
}

/** Supports commands separated by lines, `;` and `&&`, and `>` to write a file. */
function runShell(machine: SimulatedMachine, script: string): ProgramOutput {
  let stdout = ''
  let stderr = ''
  let exitCode = 0
  let steps = 0
  for (const [, joint, command] of script.matchAll(
    /(^|\n|;|&&)((?:"[^"]*"|'[^']*'|(?!&&)[^\n;"'])+)/g,
  )) {
    steps += 1
    if (isTooMuch(steps, stdout, stderr))
      return { stdout, stderr: `${stderr}sh: ${TOO_MUCH}\n`, exitCode: 1 }
    if (joint === '&&' && exitCode !== 0) continue
    const ran = runCommand(machine, command ?? '')
    stdout += ran.stdout
    stderr += ran.stderr
    exitCode = ran.exitCode
    if (ran.ends === true) break
  }
  return { stdout, stderr, exitCode }
}

function isTooMuch(steps: number, ...outputs: readonly string[]): boolean {
  return steps > MOST_STEPS || outputs.some(({ length }) => length > MOST_OUTPUT_CHARACTERS)
}

type Ran = ProgramOutput & { readonly ends?: true }

const printed = (stdout: string): Ran => ({ stdout, stderr: '', exitCode: 0 })
const failedWith = (stderr: string, exitCode = 1): Ran => ({
  stdout: '',
  stderr: `${stderr}\n`,
  exitCode,
})

function runCommand(machine: SimulatedMachine, line: string): Ran {
  const unknown = unknownIn(line)
  if (unknown !== undefined) return failedWith(`sh: ${unknown}: not supported (${KNOWN})`, 2)
  const words = wordsOf(line)
  const arrow = words.indexOf('>')
  if (arrow < 0) return runProgram(machine, words)
  const ran = runProgram(machine, words.slice(0, arrow))
  const name = words[arrow + 1]
  if (name === undefined) return failedWith('sh: syntax error: > needs a file', 2)
  return store(machine, 'files', pathOf(machine, name), ran.stdout)
    ? { ...ran, stdout: '' }
    : failedWith('sh: the simulated disk is full')
}

/**
 * Finds shell syntax that is not supported: variables, substitutions, pipes and other redirections.
 */
function unknownIn(line: string): string | undefined {
  const meant = line.replaceAll(/'[^']*'/g, '')
  const bare = meant.replaceAll(/"[^"]*"/g, '')
  return (/\$\w+|\$[({?@#*!$]|`/.exec(meant) ?? /[|<&]|>>/.exec(bare))?.[0]
}

/** Stores a value. False if the machine is full. */
function store(
  machine: SimulatedMachine,
  where: 'files' | 'variables',
  name: string,
  value: string,
): boolean {
  const things = machine[where]
  const before = things.get(name)
  const used =
    [...machine.files, ...machine.variables].reduce(
      (sum, [other, text]) => sum + other.length + text.length,
      0,
    ) - (before === undefined ? 0 : name.length + before.length)
  if (
    name.length > LONGEST_NAME ||
    (before === undefined && things.size >= MAX_ENTRIES) ||
    used + name.length + value.length > MOST_CHARACTERS
  )
    return false
  things.set(shortText(name, LONGEST_NAME), shortText(value, MOST_CHARACTERS))
  return true
}

function runProgram(machine: SimulatedMachine, [program = ':', ...args]: readonly string[]): Ran {
  switch (program) {
    case ':':
    case 'true':
      return printed('')
    case 'false':
      return failedWith('', 1)
    case 'echo':
      return printed(`${args.join(' ')}\n`)
    case 'pwd':
      return printed(`${machine.folder}\n`)
    case 'cd': {
      const folder = pathOf(machine, args[0] ?? HOME)
      if (folder.length > LONGEST_NAME) return failedWith('cd: File name too long')
      machine.folder = shortText(folder, LONGEST_NAME)
      return printed('')
    }
    case 'ls':
      return printed(
        namesIn(machine, pathOf(machine, args[0] ?? '.'))
          .map((name) => `${name}\n`)
          .join(''),
      )
    case 'cat':
      return cat(machine, args)
    case 'exit':
      return { stdout: '', stderr: '', exitCode: Number(args[0] ?? 0) & 0xff, ends: true }
    default:
      return failedWith(`sh: ${program}: not found (${KNOWN})`, 127)
  }
}

function cat(machine: SimulatedMachine, names: readonly string[]): Ran {
  let stdout = ''
  for (const name of names) {
    const text = machine.files.get(pathOf(machine, name))
    if (text === undefined) return failedWith(`cat: ${name}: No such file or directory`)
    stdout += text
    if (stdout.length > MOST_OUTPUT_CHARACTERS) return failedWith(`cat: ${TOO_MUCH}`)
  }
  return printed(stdout)
}

function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(>)|([^\s>]+)/g)].map(
    (match) => match[1] ?? match[2] ?? match[3] ?? match[4] ?? '',
  )
}

function pathOf({ folder }: SimulatedMachine, name: string): string {
  return posix.resolve(folder, name)
}

function namesIn({ files }: SimulatedMachine, folder: string): string[] {
  return [...files.keys()]
    .filter((path) => path.startsWith(`${folder}/`))
    .map((path) => path.slice(folder.length + 1))
    .filter((name) => !name.includes('/'))
    .sort()
}

const PRINTERS = { python: /^print\((.*)\)$/, javascript: /^console\.log\((.*)\);?$/ }
const ASSIGNED = /^(?:const |let |var )?([A-Za-z_]\w*) *=/

/** Supports assignments and printing, of literals and variables. */
function runCode(
  machine: SimulatedMachine,
  code: string,
  language: keyof typeof PRINTERS,
): ProgramOutput {
  const failed = (stderr: string): ProgramOutput => ({ stdout, stderr: `${stderr}\n`, exitCode: 1 })
  let stdout = ''
  let steps = 0
  for (const line of code
    .split('\n')
    .map((text) => text.trim())
    .filter((text) => text !== '')) {
    steps += 1
    if (isTooMuch(steps, stdout)) return failed(TOO_MUCH)
    const [, argument] = PRINTERS[language].exec(line) ?? []
    const [assignment = '', name] = argument === undefined ? (ASSIGNED.exec(line) ?? []) : []
    const assigned =
      name === undefined ? undefined : line.slice(assignment.length).replace(/;$/, '').trim()
    const value = valueOf(machine.variables, argument ?? assigned)
    if (value === undefined)
      return failed(
        `${line}: not supported (this is the simulated ${language} of a test key: it supports assignments and ${language === 'python' ? 'print' : 'console.log'}, of literals and names)`,
      )
    if (name === undefined) stdout += `${value}\n`
    else if (!store(machine, 'variables', name, value))
      return failed('The simulated memory is full.')
  }
  return { stdout, stderr: '', exitCode: 0 }
}

function valueOf(
  variables: ReadonlyMap<string, string>,
  expression: string | undefined,
): string | undefined {
  if (expression === undefined) return undefined
  const literal = /^(?:"([^"]*)"|'([^']*)'|(-?\d+(?:\.\d+)?))$/.exec(expression)
  if (literal !== null) return literal[1] ?? literal[2] ?? literal[3] ?? ''
  return variables.get(expression)
}
