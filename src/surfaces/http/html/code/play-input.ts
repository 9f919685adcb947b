/** The fields of a playground form and the input that they make. Runs on the server and in browsers. */

/** `lines`: a list, one value per line. `json`: any JSON, or plain text where the schema allows text. */
export type PlayField = {
  readonly name: string
  readonly kind: 'text' | 'area' | 'number' | 'choice' | 'lines' | 'json' | 'fixed'
  readonly required: boolean
  /** The text of the field in a new form. */
  readonly value: string
  /** The values of a choice, or the only value of a fixed field. */
  readonly values?: readonly unknown[]
  /** The values of `lines`. */
  readonly items?: 'string' | 'number'
  /** Text that is not JSON is the value itself. */
  readonly acceptsText?: boolean
  readonly isInteger?: boolean
  readonly placeholder?: string
  readonly maxLength?: number
}

export type PlayInput = {
  readonly input: Readonly<Record<string, unknown>>
  /** Messages by field. */
  readonly errors: Readonly<Record<string, string>>
}

/** Reads the texts of a form. Empty fields are left out. */
export function readPlayInput(
  fields: readonly PlayField[],
  textOf: (name: string) => string,
): PlayInput {
  const input: Record<string, unknown> = {}
  const errors: Record<string, string> = {}
  for (const field of fields) {
    const text = field.kind === 'fixed' ? '' : textOf(field.name)
    if (field.kind !== 'fixed' && text.trim() === '') {
      if (field.required) errors[field.name] = 'This field is required.'
      continue
    }
    const value = readValue(field, text)
    if (value instanceof Fault) errors[field.name] = value.message
    else input[field.name] = value
  }
  return { input, errors }
}

/**
 * The text that `readPlayInput` reads as this value, in its plainest form. Values of another type than the
 * field's have no such text; `isFilledIn` finds them.
 */
export function toFieldText(
  field: Pick<PlayField, 'kind' | 'items' | 'acceptsText'>,
  value: unknown,
): string {
  if (value === undefined) return ''
  const { kind } = field
  const json = JSON.stringify(value, null, kind === 'json' ? 2 : undefined)
  if (kind === 'choice') return json
  if (kind === 'lines' && Array.isArray(value)) {
    const lines = value
      .map((item) => (typeof item === 'string' ? item : JSON.stringify(item)))
      .join('\n')
    return value.length > 0 && isSame(readLines(lines, field.items ?? 'string'), value)
      ? lines
      : json
  }
  if (typeof value !== 'string') return json
  if (kind !== 'json') return value
  return value.trim() !== '' && isSame(readJson(value, field), value) ? value : json
}

/** Whether the text of the field stands for this value. */
export function isFilledIn(field: PlayField, text: string, value: unknown): boolean {
  return isSame(readPlayInput([field], () => text).input[field.name], value)
}

/** Compares JSON values. The fields of objects have the same order in both. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

class Fault {
  readonly message: string
  constructor(message: string) {
    this.message = message
  }
}

function readValue(field: PlayField, text: string): unknown {
  const { kind, values = [] } = field
  if (kind === 'fixed') return values[0]
  if (kind === 'number') return readNumber(text, field.isInteger === true)
  if (kind === 'choice')
    return values.find((value) => JSON.stringify(value) === text) ?? readJson(text, field)
  if (kind === 'lines') return readLines(text, field.items ?? 'string')
  return kind === 'json' ? readJson(text, field) : text
}

function readNumber(text: string, isInteger: boolean): number | Fault {
  const value = Number(text)
  if (!Number.isFinite(value)) return new Fault('Enter a number.')
  return isInteger && !Number.isInteger(value) ? new Fault('Enter a whole number.') : value
}

/** One value per line, or a list as JSON, which also has values that no line can hold. */
function readLines(text: string, items: 'string' | 'number'): unknown {
  const list = text.trimStart().startsWith('[') ? readJson(text, { acceptsText: true }) : null
  if (Array.isArray(list)) return list
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  if (items === 'string') return lines
  const numbers = lines.map((line) => readNumber(line, false))
  return numbers.find((value) => value instanceof Fault) ?? numbers
}

function readJson(text: string, { acceptsText }: Pick<PlayField, 'acceptsText'>): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    return acceptsText === true
      ? text
      : new Fault(`Enter valid JSON. ${error instanceof Error ? error.message : ''}`.trim())
  }
}
