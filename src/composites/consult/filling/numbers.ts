/** Reads numbers for fields by their names: bedrooms, minimum salary, duration, coordinates. */
import type { JsonSchema } from '../../../catalog/published/json-schema.ts'
import { NUMBER_WORDS, toNumber } from '../reading/amounts.ts'
import type { IntentReading } from '../reading/intent-reading.ts'

const NUMBER = String.raw`(\d{1,9}(?:\.\d{1,4})?|${Object.keys(NUMBER_WORDS).join('|')})`
const AT_LEAST =
  /(?:over|above|more than|at least|minimum(?: of)?|min|from|starting at|exceeding|\+|≥|>)\s*$/i
const AT_MOST = /(?:under|below|less than|at most|up to|maximum(?: of)?|max|cheaper than|≤|<)\s*$/i
const MONEY_FIELD =
  /^amount$|budget|^(?:min|max)_?(?:salary|price|amount|value|revenue)|^(?:salary|price|amount|revenue|mls_listing_price|value)_(?:min|max)/i

/** The number for a field, within its limits. Undefined if the intent has none. */
export function numberFor(
  name: string,
  schema: JsonSchema,
  reading: IntentReading,
): number | undefined {
  const value =
    durationFor(name, reading) ?? moneyFor(name, reading) ?? numberBeside(name, reading.intent)
  return value === undefined ||
    Number.isNaN(value) ||
    value < (schema.minimum ?? value) ||
    value > (schema.maximum ?? value) ||
    (schema.type === 'integer' && !Number.isInteger(value))
    ? undefined
    : value
}

/** "5 second" for `duration`, "15 minutes" for `estimatedMinutes`. */
function durationFor(name: string, { entities }: IntentReading): number | undefined {
  const seconds = Number(entities.values.duration?.[0] ?? Number.NaN)
  if (Number.isNaN(seconds)) return undefined
  if (/minutes?$/i.test(name)) return Math.ceil(seconds / 60)
  return /^(?:duration|max_?seconds|seconds|timeout(?:_?s(?:econds)?)?)$/i.test(name)
    ? seconds
    : undefined
}

/** "over $60,000" for `min_salary_usd`. The words before the amount decide between minimum and maximum. */
function moneyFor(name: string, { entities, intent }: IntentReading): number | undefined {
  const found = entities.found.find(({ kind }) => kind === 'money')
  const amount = Number(found?.value.split(' ')[0] ?? Number.NaN)
  if (found === undefined || Number.isNaN(amount) || !MONEY_FIELD.test(name)) return undefined
  const before = intent.slice(0, Math.max(0, intent.indexOf(found.text)))
  if (/budget/i.test(name)) return /cents/i.test(name) ? Math.round(amount * 100) : amount
  if (/^amount$/i.test(name)) return amount
  if (/min/i.test(name)) return AT_LEAST.test(before) ? amount : undefined
  if (/max/i.test(name)) return AT_MOST.test(before) ? amount : undefined
  return undefined
}

/** "under $700,000" for a field `price` that accepts ranges: "0-700000". */
export function rangeFor(
  name: string,
  schema: JsonSchema,
  { entities, intent }: IntentReading,
): string | undefined {
  const found = entities.found.find(({ kind }) => kind === 'money')
  const isRange = schema.anyOf?.some(({ type }) => type === 'string') === true
  if (found === undefined || !isRange || !/^(?:price|rent)$/i.test(name)) return undefined
  const amount = found.value.split(' ')[0] ?? ''
  const before = intent.slice(0, Math.max(0, intent.indexOf(found.text)))
  if (AT_MOST.test(before)) return `0-${amount}`
  return AT_LEAST.test(before) ? `${amount}-${MOST_MONEY}` : undefined
}

const MOST_MONEY = 100_000_000

/** The number next to a field's name: "2 bedrooms" for `bedrooms`, "magnitude 6" for `minmagnitude`. */
function numberBeside(name: string, intent: string): number | undefined {
  const bound = /^(?:min|max)(?:imum)?/i.exec(name)?.[0]?.slice(0, 3).toLowerCase()
  const words = name
    .replace(/^(?:min|max)(?:imum)?_?/i, '')
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_.-]/)
    .filter((part) => part.length > 3)
    .map((part) => part.replace(/s$/, ''))
  for (const word of words) {
    const found = new RegExp(
      String.raw`\b${NUMBER}[ -]?${word}s?\b|\b${word}s?(?: of| is|:|=)?(?: (?:over|above|at least|under|below|up to|at most|more than|less than))? ?${NUMBER}\b`,
      'i',
    ).exec(intent)
    const value = found?.[1] ?? found?.[2]
    if (found === null || value === undefined) continue
    const before =
      `${intent.slice(0, found.index)}${found[0].slice(0, found[0].lastIndexOf(value))}`.replace(
        new RegExp(String.raw`${word}s?(?: of| is|:|=)?\s*$`, 'i'),
        '',
      )
    if (bound === 'min' && !AT_LEAST.test(before)) continue
    if (bound === 'max' && !AT_MOST.test(before)) continue
    return toNumber(value)
  }
  return undefined
}
