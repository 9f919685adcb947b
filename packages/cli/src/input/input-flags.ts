/** Flags of `run`: the inputs of the action, read and converted as its schema defines them. */
import { suggest } from '../../../../src/catalog/validate/suggest.ts'
import { UsageError } from '../usage-error.ts'
import type { Schema } from './descriptor.ts'

export type Kind = 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array' | 'null'

/** `numResults` and `num_results` are the flag --num-results. */
export function flagOf(name: string): string {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase()
}

/** The input of a flag, in any spelling; undefined for other flags. */
export function findInput(flag: string, inputs: readonly string[]): string | undefined {
  return (
    inputs.find((name) => name === flag) ?? inputs.find((name) => flagOf(name) === flagOf(flag))
  )
}

export function kindsOf(schema: Schema): readonly Kind[] {
  const parts = schema.anyOf ?? schema.oneOf
  if (parts !== undefined && schema.type === undefined) return [...new Set(parts.flatMap(kindsOf))]
  if (schema.type !== undefined) return [schema.type].flat() as readonly Kind[]
  const values = schema.enum ?? ('const' in schema ? [schema.const] : null)
  if (values === null) return ['string', 'number', 'boolean', 'object', 'array']
  return [...new Set(values.map(kindOfValue))]
}

function kindOfValue(value: unknown): Kind {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value as Kind
}

/** The schema of the items, if the input accepts a list. */
function itemsOf(schema: Schema): Schema | undefined {
  if (schema.items !== undefined) return schema.items
  return (schema.anyOf ?? schema.oneOf ?? []).find(({ items }) => items !== undefined)?.items
}

export const isListInput = (schema: Schema): boolean => kindsOf(schema).includes('array')

/** Without other kinds, the flag needs no value. */
export const isSwitchInput = (schema: Schema): boolean =>
  kindsOf(schema).every((kind) => kind === 'boolean')

/** The form of a value, for help: "<text>", "<number>", "markdown|html". */
export function valueForm(schema: Schema): string {
  const choices = choicesOf(schema)
  if (choices !== null && choices.length <= 6) return choices.join('|')
  const kinds = kindsOf(schema)
  if (kinds.includes('array')) return `${valueForm(itemsOf(schema) ?? { type: 'string' })}…`
  if (kinds.includes('string')) return '<text>'
  if (kinds.includes('object')) return '<json>'
  return kinds.includes('integer') || kinds.includes('number') ? '<number>' : 'true|false'
}

/** The only values of the input; null if there are others. */
export function choicesOf(schema: Schema): readonly string[] | null {
  const values = schema.enum ?? ('const' in schema ? [schema.const] : null)
  return values === null ? null : values.filter((value) => value !== null).map(String)
}

/** The value of a flag. Throws UsageError that names the flag. */
export function readValues(flag: string, schema: Schema, texts: readonly string[]): unknown {
  const kinds = kindsOf(schema)
  const [first = ''] = texts
  if (kinds.includes('array') && (texts.length > 1 || !kinds.includes('string'))) {
    if (texts.length === 1 && first.trimStart().startsWith('['))
      return readJson(flag, first, ['array'])
    const items = itemsOf(schema) ?? { type: 'string' }
    return texts.map((text) => readValue(flag, items, text))
  }
  return readValue(flag, schema, first)
}

function readValue(flag: string, schema: Schema, text: string): unknown {
  const kinds = kindsOf(schema)
  const choices = choicesOf(schema)
  if (choices !== null) return readChoice(flag, schema, choices, text)
  if (kinds.includes('boolean') && ['true', 'false'].includes(text)) return text === 'true'
  const isNumber = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text)
  // A long id would lose digits as a number.
  const isExact = String(Number(text)) === text || !kinds.includes('string')
  if (isNumber && isExact && kinds.includes('number')) return Number(text)
  if (/^-?\d+$/.test(text) && kinds.includes('integer')) return Number(text)
  const isJson = /^\s*[[{]/.test(text)
  if (isJson && (kinds.includes('object') || kinds.includes('array')) && !kinds.includes('string'))
    return readJson(flag, text, kinds)
  if (isJson && kinds.includes('object')) return tryJson(text) ?? text
  if (kinds.includes('string')) return text
  throw wrongValue(flag, kinds, text)
}

function readChoice(
  flag: string,
  schema: Schema,
  choices: readonly string[],
  text: string,
): unknown {
  const at = choices.indexOf(text)
  if (at >= 0) return (schema.enum ?? [schema.const]).filter((value) => value !== null)[at]
  const near = suggest(text, choices, 1)[0]
  throw new UsageError(
    `--${flag} cannot be "${text}".`,
    near === undefined
      ? `Choose one of ${choices.join(', ')}.`
      : `Did you mean "${near}"? The values are ${choices.join(', ')}.`,
  )
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function readJson(flag: string, text: string, kinds: readonly Kind[]): unknown {
  const value = tryJson(text)
  if (value !== undefined && kinds.includes(kindOfValue(value))) return value
  throw wrongValue(flag, kinds, text)
}

const FORMS: readonly (readonly [Kind, string])[] = [
  ['integer', 'a whole number'],
  ['number', 'a number'],
  ['boolean', 'true or false'],
  ['array', 'a list'],
  ['object', 'a JSON object, such as \'{"url": "https://example.com"}\''],
]

function wrongValue(flag: string, kinds: readonly Kind[], text: string): UsageError {
  const forms = FORMS.filter(([kind]) => kinds.includes(kind)).map(([, form]) => form)
  return new UsageError(`--${flag} must be ${forms.join(' or ')}, not "${text}".`)
}
