/**
 * Reads intents with the values that a call must have, from `values-tune.jsonl` and `values-held.jsonl`. A line is an
 * object with the language, the intent and its steps. A step has the acceptable outcomes, as in `read-cases.ts`, and
 * values separated by semicolons: `field=value` (equal), `field~value` (contains), with `?` before an optional value
 * and `!` before one that the call must not have.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { toPlain } from './judge.ts'
import { readOutcomes, type Case } from './read-cases.ts'

export type ExpectedStep = {
  readonly expected: Case
  readonly values: readonly {
    readonly fields: readonly string[]
    readonly texts: readonly string[]
    readonly isExact: boolean
    readonly role: 'must' | 'optional' | 'never'
  }[]
}
export type ValueCase = {
  readonly language: string
  readonly intent: string
  readonly steps: readonly ExpectedStep[]
}
/** `held` is read by the bench only. The rules are developed with `tune`. */
export type Half = 'tune' | 'held'

export function readValueCases(folder: string, half: Half): ValueCase[] {
  return readFileSync(join(folder, `values-${half}.jsonl`), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const { lang, intent, steps } = JSON.parse(line) as {
        lang: string
        intent: string
        steps: [outcomes: string, values?: string][]
      }
      return {
        language: lang,
        intent,
        steps: steps.map(([outcomes, values = '']) => ({
          expected: readOutcomes(folder, intent, outcomes),
          values: values.split(';').flatMap((text) => (text === '' ? [] : [valueOf(text)])),
        })),
      }
    })
}

function valueOf(text: string): ExpectedStep['values'][number] {
  const [, mark = '', fields = '', operator = '', values = ''] =
    /^([?!]?)([^=~]+)([=~])(.+)$/s.exec(text) ?? []
  if (fields === '') throw new RangeError(`"${text}" is not a field with a value`)
  return {
    fields: fields.split('|'),
    texts: values.split('|').map(toPlain),
    isExact: operator === '=',
    role: mark === '?' ? 'optional' : mark === '!' ? 'never' : 'must',
  }
}
