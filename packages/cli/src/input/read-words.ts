import { suggest } from '../../../../src/catalog/validate/suggest.ts'
import type { Flags } from '../flags.ts'
import { UsageError } from '../usage-error.ts'

/** The values of flags; of a switch "true" or "false". */
export type FlagValues = Readonly<Record<string, readonly string[]>>

export type Given = {
  readonly flags: FlagValues
  readonly operands: readonly string[]
  /** The words after the operand, for commands that read them themselves. */
  readonly rest: readonly string[]
}

export type ReadFlag = {
  readonly name: string
  readonly isSwitch: boolean
  readonly isList: boolean
  /** Whether the flag alone means true, although it also takes other values. */
  readonly mayBeBare?: boolean
}

export type WordRules = {
  /** Undefined for an unknown flag. `name` is without dashes. */
  readonly find: (name: string) => ReadFlag | undefined
  readonly onUnknown: (typed: string) => never
  /** Whether the words after the first operand are left unread. */
  readonly stopsAtOperand?: boolean
}

type Reading = {
  readonly flags: Record<string, string[]>
  readonly operands: string[]
  readonly words: readonly string[]
}

const SWITCH_VALUES = ['true', 'false']

/** Reads `--name value`, `--name=value`, several values of a list, and switches. Throws UsageError. */
export function readWords(words: readonly string[], rules: WordRules): Given {
  const reading: Reading = { flags: {}, operands: [], words }
  for (let at = 0; at < words.length;) {
    const word = words[at] ?? ''
    if (word === '--') {
      reading.operands.push(...words.slice(at + 1))
      break
    }
    if (isFlag(word)) {
      at = readFlag(reading, at, rules)
      continue
    }
    reading.operands.push(word)
    at += 1
    if (rules.stopsAtOperand === true)
      return { flags: reading.flags, operands: reading.operands, rest: words.slice(at) }
  }
  return { flags: reading.flags, operands: reading.operands, rest: [] }
}

/** Returns the place after the flag and its values. */
function readFlag({ flags, words }: Reading, at: number, { find, onUnknown }: WordRules): number {
  const word = words[at] ?? ''
  const equals = word.indexOf('=')
  const typed = equals < 0 ? word : word.slice(0, equals)
  const inline = equals < 0 ? null : word.slice(equals + 1)
  const { name, isSwitch, isList, mayBeBare } = find(typed.replace(/^--?/, '')) ?? onUnknown(typed)
  const values = (flags[name] ??= [])
  if (values.length > 0 && !isList)
    throw new UsageError(`${typed} is given twice.`, `Write ${typed} once.`)
  let next = at + 1
  if (inline !== null) values.push(inline)
  else if (isSwitch)
    values.push(SWITCH_VALUES.includes(words[next] ?? '') ? (words[next++] ?? '') : 'true')
  else {
    const most = isList ? words.length : next + 1
    while (next < Math.min(most, words.length) && !isFlag(words[next] ?? ''))
      values.push(words[next++] ?? '')
    if (next === at + 1 && mayBeBare !== true) throw missingValue(typed, words[next])
    if (next === at + 1) values.push('true')
  }
  if (isSwitch && !SWITCH_VALUES.includes(values.at(-1) ?? ''))
    throw new UsageError(
      `${typed} is a switch and takes no value "${values.at(-1) ?? ''}".`,
      `Write ${typed}, or ${typed}=false.`,
    )
  return next
}

/** A single dash begins a negative number, or is the standard input. */
function isFlag(word: string): boolean {
  return word.startsWith('--') || word === '-h'
}

function missingValue(typed: string, next: string | undefined): UsageError {
  return new UsageError(
    next === undefined
      ? `${typed} needs a value.`
      : `${typed} needs a value, but "${next}" looks like another flag.`,
    `Write ${typed}=VALUE if the value begins with two dashes.`,
  )
}

/** Flags of a command as rules. `--no-x` is the switch "no-x" only if the command has one. */
export function rulesOf(flags: Flags): WordRules {
  return {
    find: (name) => {
      const known = name === 'h' ? 'help' : name.replaceAll('_', '-')
      const flag = Object.hasOwn(flags, known) ? flags[known] : undefined
      if (flag === undefined) return undefined
      return { name: known, isSwitch: flag.value === undefined, isList: flag.isList === true }
    },
    onUnknown: (typed) => unknownFlag(typed, Object.keys(flags)),
  }
}

/** Throws UsageError with a suggestion for a likely typo. */
export function unknownFlag(typed: string, known: readonly string[], action?: string): never {
  const near = suggest(typed.replace(/^-+/, ''), known, 1)[0]
  throw new UsageError(
    `Unknown flag ${typed}${action === undefined ? '' : ` for ${action}`}.${near === undefined ? '' : ` Did you mean --${near}?`}`,
    action === undefined ? null : `"describe ${action}" lists its inputs.`,
  )
}
