/**
 * Reads intents with their acceptable outcomes. A line has three columns: the intent, outcomes separated by
 * commas, and values of the call separated by semicolons.
 *
 * Outcomes: `service/action`, `service/action@endpoint` (`*` matches any text), `ask:words` (a question with
 * one of these words), `nothing`, and names of `sets.tsv` such as `$web`.
 * Values: `field=value` (equal) or `field~value` (contains). `|` separates alternatives, `*` is any field.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type ExpectedValue = {
  readonly fields: readonly string[]
  readonly values: readonly string[]
  readonly isExact: boolean
}
export type Case = {
  readonly intent: string
  readonly actions: readonly RegExp[]
  readonly questions: readonly RegExp[]
  /** Whether an answer without calls and without a question is acceptable. */
  readonly mayMatchNothing: boolean
  /** Whether no action of the catalog carries out the intent. */
  readonly isUnanswerable: boolean
  readonly values: readonly ExpectedValue[]
}

export function readCases(folder: string, set: string): Case[] {
  const sets = readSets(folder)
  return readRows(join(folder, `${set}.tsv`)).map(([intent = '', outcomes = '', values = '']) =>
    caseOf(intent, outcomes, values, sets),
  )
}

/** A case with the acceptable outcomes alone. `left` is the outcome of a part that no action carries out. */
export function readOutcomes(folder: string, intent: string, outcomes: string): Case {
  return caseOf(intent, outcomes, '', readSets(folder))
}

function readSets(folder: string): ReadonlyMap<string, string> {
  return new Map(
    readRows(join(folder, 'sets.tsv')).map(([name = '', outcomes = '']) => [name, outcomes]),
  )
}

function readRows(path: string): string[][] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('# '))
    .map((line) => line.split('\t'))
}

function caseOf(
  intent: string,
  outcomes: string,
  values: string,
  sets: ReadonlyMap<string, string>,
): Case {
  const list = split(outcomes, ',').flatMap((outcome) =>
    outcome.startsWith('$') ? split(sets.get(outcome) ?? '', ',') : [outcome],
  )
  if (list.length === 0) throw new RangeError(`"${intent}" has no acceptable outcome`)
  return {
    intent,
    actions: list
      .filter((outcome) => outcome.includes('/') && !outcome.startsWith('ask:'))
      .map(toPattern),
    questions: list
      .filter((outcome) => outcome.startsWith('ask:'))
      .map((outcome) => new RegExp(outcome.slice('ask:'.length), 'i')),
    mayMatchNothing: list.includes('nothing'),
    isUnanswerable: list[0] === 'nothing',
    values: split(values, ';').map(valueOf),
  }
}

function split(text: string, separator: string): string[] {
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** Matches `service/action` and, for a passthrough, `service/action@endpoint`. */
function toPattern(outcome: string): RegExp {
  const escaped = outcome.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll('*', '.*')
  return new RegExp(`^${escaped}${outcome.includes('@') ? '' : '(?:@.*)?'}$`)
}

function valueOf(text: string): ExpectedValue {
  const [, fields = '', operator = '', values = ''] = /^([^=~]+)([=~])(.+)$/s.exec(text) ?? []
  if (fields === '') throw new RangeError(`"${text}" is not a field with a value`)
  return { fields: fields.split('|'), values: values.split('|'), isExact: operator === '=' }
}
