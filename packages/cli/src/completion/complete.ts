/** Candidates for the last word of a command line: commands, flags, actions, inputs and their values. */
import { COMMON_FLAGS } from '../common-flags.ts'
import type { Command } from '../command.ts'
import { createConnect } from '../connect/connect.ts'
import { readProfiles } from '../connect/profiles.ts'
import { findValue } from '../commands/locate-action.ts'
import { RUN_FLAGS } from '../commands/run.ts'
import type { FlagValues } from '../input/read-words.ts'
import { safeLine } from '../output/safe-text.ts'
import type { Terminal } from '../terminal.ts'
import { readActionFlags, readActionNames } from './catalog-cache.ts'

/** Names with descriptions. */
type Candidates = readonly (readonly [string, string])[]

const SHELLS = ['bash', 'zsh', 'fish']
/** Characters that no shell interprets: names come from a gateway. */
const SAFE_NAME = /^[\w./:@,+-]+$/
const LONGEST_ABOUT = 60

/** One candidate a line, with its description after a tab. Empty: the shell completes file names. */
export async function complete(
  words: readonly string[],
  commands: readonly Command[],
  terminal: Terminal,
): Promise<string> {
  const last = words.at(-1) ?? ''
  const candidates = await candidatesFor(words.slice(0, -1), last, commands, terminal)
  return candidates
    .filter(([name]) => name.startsWith(last) && SAFE_NAME.test(name))
    .map(([name, about]) => `${name}\t${safeLine(about).slice(0, LONGEST_ABOUT)}\n`)
    .join('')
}

async function candidatesFor(
  before: readonly string[],
  last: string,
  commands: readonly Command[],
  terminal: Terminal,
): Promise<Candidates> {
  const [first = '', second = ''] = before
  const command =
    commands.find(({ name }) => name === `${first} ${second}`) ??
    commands.find(({ name }) => name === first)
  if (command === undefined) return nextNames(before, commands)
  const words = before.slice(command.name.split(' ').length)
  const flags = { ...command.flags, ...COMMON_FLAGS }
  const previous = words.at(-1)
  if (previous === '--profile') return profileNames(terminal)
  const takesValue = (word: string): boolean =>
    word.startsWith('--') && flags[word.slice(2)]?.value !== undefined
  const operand = words.find(
    (word, at) => !word.startsWith('-') && !takesValue(words[at - 1] ?? ''),
  )
  const deps = { terminal, connect: createConnect(terminal, connectionOf(words)) }
  const takesAction = command.operand?.value === '<service/action>'
  if (takesAction && operand === undefined && !last.startsWith('-') && !takesValue(previous ?? ''))
    return Object.entries(await readActionNames(deps))
  if (command.readsRest === true && operand !== undefined)
    return inputCandidates(
      words,
      last,
      await readActionFlags(deps, operand, findValue(words, 'endpoint')),
    )
  if (last.startsWith('-')) return flagNames(flags)
  if (command.name === 'completion') return SHELLS.map((shell) => [shell, ''])
  return command.operand?.value === '<name>' ? profileNames(terminal) : []
}

function connectionOf(words: readonly string[]): FlagValues {
  return Object.fromEntries(
    ['url', 'profile'].flatMap((flag) => {
      const value = findValue(words, flag)
      return value === undefined || !/^[\w.:/[\]-]+$/.test(value) ? [] : [[flag, [value]]]
    }),
  )
}

/** The first word of commands, or the second word of a group such as "jobs". */
function nextNames(before: readonly string[], commands: readonly Command[]): Candidates {
  if (before.length > 1) return []
  const [group] = before
  return commands.flatMap(({ name, summary }) => {
    const [first = '', second] = name.split(' ')
    if (group === undefined) return [[first, second === undefined ? summary : '']]
    return group === first && second !== undefined ? [[second, summary]] : []
  })
}

const flagNames = (flags: Command['flags']): Candidates =>
  Object.entries(flags).map(([name, { about }]) => [`--${name}`, about])

function profileNames({ environment }: Terminal): Candidates {
  try {
    return Object.entries(readProfiles(environment).profiles).map(([name, { url }]) => [name, url])
  } catch {
    return []
  }
}

function inputCandidates(
  words: readonly string[],
  last: string,
  inputs: Awaited<ReturnType<typeof readActionFlags>>,
): Candidates {
  if (last.startsWith('-'))
    return [
      ...Object.entries(inputs).map(([name, { about }]) => [`--${name}`, about] as const),
      ...flagNames(
        Object.fromEntries(
          Object.entries(RUN_FLAGS).filter(([name]) => !Object.hasOwn(inputs, name)),
        ),
      ),
    ]
  const flag = words.findLast((word) => word.startsWith('--'))
  return (inputs[flag?.slice(2) ?? '']?.choices ?? []).map((choice) => [choice, ''])
}
