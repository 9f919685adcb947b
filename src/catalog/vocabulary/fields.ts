/** Parameters of one line each, description first. The limits are part of the contract. */
import { Type, type TEnum, type TSchema } from '../../lib/schema.ts'

type More = Readonly<Record<string, unknown>>

/** Rejects text that consists of blanks. */
export const NOT_BLANK = { pattern: '\\S' }

/** Text of 1 to `maxLength` characters. */
export function text(description: string, maxLength: number, more: More = {}) {
  return Type.String({ minLength: 1, maxLength, ...more, description })
}

export function whole(description: string, minimum: number, maximum: number, more: More = {}) {
  return Type.Integer({ minimum, maximum, ...more, description })
}

export function flag(description: string, more: More = {}) {
  return Type.Boolean({ ...more, description })
}

/**
 * Option of `choice`: values that the vendor no longer offers, with their successors. The rejection
 * names them.
 */
export type Ended = Readonly<Record<string, readonly string[]>>

export function choice<const Values extends string[]>(
  description: string,
  values: readonly [...Values],
  more: More = {},
): TEnum<Values> {
  return Type.Enum(values, { ...more, description })
}

/** A list of 1 to `maxItems` items. */
export function list<Item extends TSchema>(
  description: string,
  item: Item,
  maxItems: number,
  more: More = {},
) {
  return Type.Array(item, { minItems: 1, maxItems, ...more, description })
}

/** A list of free text items. */
export function texts(description: string, maxItems = 50) {
  return list(description, Type.String({ minLength: 1, maxLength: 500 }), maxItems)
}

/** A day such as 2026-11-20. */
export function day(description: string) {
  return Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$', description })
}

export function amount(description: string, minimum = 0, maximum = 1e15) {
  return Type.Number({ minimum, maximum, description })
}

/** Option of `params`: requires at least one of the fields. */
export function atLeastOne(...names: readonly string[]) {
  return { anyOf: names.map((name) => ({ required: [name] })) }
}

/** Option of `params`: requires exactly one of the fields. */
export function exactlyOne(...names: readonly string[]) {
  return { oneOf: names.map((name) => ({ required: [name] })) }
}

/**
 * Option of `params`: requires exactly one of the sets. The action's `check` enforces it with its
 * own error code.
 */
export function exactlyOneByCheck(...sets: readonly (readonly string[])[]) {
  return { checkedOneOf: sets.map((required) => ({ required })) }
}

/** A JSON object with any fields, such as a JSON Schema. */
export function openObject(description: string) {
  return Type.Record(Type.String(), Type.Unknown(), { description })
}

export function pageAddress(description = 'URL of the page (http or https).') {
  return text(description, 2_048)
}

export function emailAddress(description: string) {
  return text(description, 320, { pattern: '^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$' })
}

/** A host name such as example.com, without scheme and path. Appends that to the description. */
export function domainName(description: string) {
  return text(`${description} Without https:// and path, such as example.com.`, 253, {
    pattern: '^[^\\s@/:]+\\.[^\\s@/:]+$',
  })
}

export function countryCode(description: string) {
  return Type.String({ pattern: '^[A-Za-z]{2}$', description })
}

/** A day such as 2026-11-20. Appends the format to the description. */
export function isoDate(description: string) {
  return text(`${description} YYYY-MM-DD.`, 10, {
    pattern: '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$',
  })
}

export const optional = Type.Optional
