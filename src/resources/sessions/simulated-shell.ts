/** A shell and two interpreters that know a handful of commands, for sessions of test keys. They run nothing on this machine. */
import { posix } from 'node:path'
import type { ProgramOutput, SessionWork } from './session-driver.ts'

export type SimulatedMachine = { folder: string; readonly files: Map<string, string>; readonly variables: Map<string, string> }

export const HOME = '/session'
const MOST_FILES = 100
const MOST_FILE_CHARACTERS = 10_000

export function newMachine(): SimulatedMachine {
  return { folder: HOME, files: new Map(), variables: new Map() }
}

export function simulate(machine: SimulatedMachine, work: SessionWork): ProgramOutput {
  if ('command' in work) return runShell(machine, work.command)
  return work.language === 'bash' ? runShell(machine, work.code) : runCode(machine, work.code, work.language)
}

/** Lines, `;` and `&&` separate commands; `>` writes a file. Nothing else of a shell is here. */
function runShell(machine: SimulatedMachine, script: string): ProgramOutput {
  let stdout = ''
  let stderr = ''
  let exitCode = 0
  for (const [, joint, command] of script.matchAll(/(^|\n|;|&&)((?:"[^"]*"|'[^']*'|(?!&&)[^\n;"'])+)/g)) {
    if (joint === '&&' && exitCode !== 0) continue
    const ran = runCommand(machine, command ?? '')
    stdout += ran.stdout
    stderr += ran.stderr
    exitCode = ran.exitCode
    if (ran.ends === true) break
  }
  return { stdout, stderr, exitCode }
}

type Ran = ProgramOutput & { readonly ends?: true }

const said = (stdout: string): Ran => ({ stdout, stderr: '', exitCode: 0 })
const refused = (stderr: string, exitCode = 1): Ran => ({ stdout: '', stderr: `${stderr}\n`, exitCode })

function runCommand(machine: SimulatedMachine, line: string): Ran {
  const words = wordsOf(line)
  const arrow = words.indexOf('>')
  if (arrow < 0) return runProgram(machine, words)
  const ran = runProgram(machine, words.slice(0, arrow))
  const name = words[arrow + 1]
  if (name === undefined) return refused('sh: syntax error: > needs a file', 2)
  if (machine.files.size >= MOST_FILES || ran.stdout.length > MOST_FILE_CHARACTERS) return refused('sh: the simulated disk is full')
  machine.files.set(pathOf(machine, name), ran.stdout)
  return { ...ran, stdout: '' }
}

function runProgram(machine: SimulatedMachine, [program = ':', ...args]: readonly string[]): Ran {
  switch (program) {
    case ':':
    case 'true':
      return said('')
    case 'false':
      return refused('', 1)
    case 'echo':
      return said(`${args.join(' ')}\n`)
    case 'pwd':
      return said(`${machine.folder}\n`)
    case 'cd':
      machine.folder = pathOf(machine, args[0] ?? HOME)
      return said('')
    case 'ls':
      return said(namesIn(machine, pathOf(machine, args[0] ?? '.')).map((name) => `${name}\n`).join(''))
    case 'cat':
      return cat(machine, args)
    case 'exit':
      return { stdout: '', stderr: '', exitCode: Number(args[0] ?? 0) & 0xff, ends: true }
    default:
      return refused(`sh: ${program}: not found (this is the simulated session of a test key: it knows echo, pwd, cd, ls, cat, true, false, exit and >)`, 127)
  }
}

function cat(machine: SimulatedMachine, names: readonly string[]): Ran {
  const missing = names.find((name) => !machine.files.has(pathOf(machine, name)))
  if (missing !== undefined) return refused(`cat: ${missing}: No such file or directory`)
  return said(names.map((name) => machine.files.get(pathOf(machine, name)) ?? '').join(''))
}

function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(>)|([^\s>]+)/g)].map((match) => match[1] ?? match[2] ?? match[3] ?? match[4] ?? '')
}

function pathOf({ folder }: SimulatedMachine, name: string): string {
  return posix.resolve(folder, name)
}

function namesIn({ files }: SimulatedMachine, folder: string): string[] {
  return [...files.keys()].filter((path) => path.startsWith(`${folder}/`)).map((path) => path.slice(folder.length + 1)).filter((name) => !name.includes('/')).sort()
}

const PRINTERS = { python: /^print\((.*)\)$/, javascript: /^console\.log\((.*)\);?$/ }
const ASSIGNMENT = /^(?:const |let |var )?([A-Za-z_]\w*) *= *(.+?);?$/

/** Knows assignments and printing, of literals and names. */
function runCode({ variables }: SimulatedMachine, code: string, language: keyof typeof PRINTERS): ProgramOutput {
  let stdout = ''
  for (const line of code.split('\n').map((text) => text.trim()).filter((text) => text !== '')) {
    const [, printed] = PRINTERS[language].exec(line) ?? []
    const [, name, assigned] = printed === undefined ? (ASSIGNMENT.exec(line) ?? []) : []
    const value = valueOf(variables, printed ?? assigned)
    if (value === undefined) return { stdout, stderr: `${line}: not understood (this is the simulated ${language} of a test key: it knows assignments and ${language === 'python' ? 'print' : 'console.log'}, of literals and names)\n`, exitCode: 1 }
    if (name === undefined) stdout += `${value}\n`
    else if (variables.size < MOST_FILES || variables.has(name)) variables.set(name, value)
  }
  return { stdout, stderr: '', exitCode: 0 }
}

function valueOf(variables: ReadonlyMap<string, string>, expression: string | undefined): string | undefined {
  if (expression === undefined) return undefined
  const literal = /^(?:"([^"]*)"|'([^']*)'|(-?\d+(?:\.\d+)?))$/.exec(expression)
  if (literal !== null) return (literal[1] ?? literal[2] ?? literal[3] ?? '').slice(0, MOST_FILE_CHARACTERS)
  return variables.get(expression)
}
