/**
 * The shape of an answer: `data` of the envelope. Fields that it does not name pass through, because
 * vendors add fields. A field without `maybe` is in every answer; the outcome guarantees it.
 */
import { Type, type TObject, type TProperties, type TSchema } from '../../lib/schema.ts'

/** The answers of a service by action, such as `search`, or by action and path: `fetch /v1/profile`. */
export type Returns = Readonly<Record<string, TObject>>

/** Options such as `unit`, `format` and `examples`. */
type More = Readonly<Record<string, unknown>>

const OPEN = { additionalProperties: true }

/** `data` of an action. */
export function answer<Fields extends TProperties>(fields: Fields): TObject<Fields> {
  return Type.Object(fields, OPEN)
}

/** `data` with fields that the caller or the vendor chooses. `fields` are those that are known. */
export function openAnswer(description: string, fields: TProperties = {}): TObject {
  return Type.Object(fields, { ...OPEN, description })
}

/** An object within an answer. */
export function record<Fields extends TProperties>(description: string, fields: Fields) {
  return Type.Object(fields, { ...OPEN, description })
}

/** A list of objects: the most common part of an answer. */
export function records<Fields extends TProperties>(description: string, fields: Fields) {
  return Type.Array(Type.Object(fields, OPEN), { description })
}

export function items<Item extends TSchema>(description: string, item: Item) {
  return Type.Array(item, { description })
}

/** A list of texts. */
export function words(description: string) {
  return Type.Array(Type.String(), { description })
}

export function text(description: string, more: More = {}) {
  return Type.String({ ...more, description })
}

/** A URL. Without a format, because vendors return partial ones and ones with accents. */
export function address(description: string) {
  return Type.String({ description })
}

/** A date or a time in ISO 8601, as the vendor writes it. */
export function time(description: string) {
  return Type.String({ description })
}

/** `unit` is the unit of the number, such as "USD" or "seconds"; published as `x-unit`. */
export function number(description: string, unit?: string) {
  return Type.Number({ ...(unit === undefined ? {} : { 'x-unit': unit }), description })
}

/** A whole number. `unit` as in `number`. */
export function count(description: string, unit?: string) {
  return Type.Integer({ ...(unit === undefined ? {} : { 'x-unit': unit }), description })
}

export function flag(description: string) {
  return Type.Boolean({ description })
}

/** One of some texts. Vendors add values, so others pass. */
export function oneOf(description: string, known: readonly string[]) {
  return Type.String({ description, examples: known })
}

/** An object with any fields. */
export function open(description: string) {
  return Type.Object({}, { ...OPEN, description })
}

/** An object whose field names are data, such as URLs. All fields have the same shape. */
export function mapOf(description: string, value: TSchema) {
  return Type.Object({}, { additionalProperties: value, description })
}

/** Any JSON value. */
export function anything(description: string) {
  return Type.Unknown({ description })
}

/** One of several shapes. */
export function either(description: string, ...shapes: TSchema[]) {
  return Type.Union(shapes, { description })
}

/** A field that is in every answer and may be null. */
export function orNull<Field extends TSchema>(field: Field) {
  const { description } = field as { readonly description?: string }
  return Type.Union([field, Type.Null()], description === undefined ? {} : { description })
}

/** A field that may be absent or null. */
export function maybe<Field extends TSchema>(field: Field) {
  return Type.Optional(orNull(field))
}
