/** Parts of the JSON Schemas of responses. */

/** A schema for exactly the fields of a record. */
export type FieldsOf<Row> = Readonly<Record<keyof Row, object>>

/** An object with all of these fields. */
export const record = (properties: Readonly<Record<string, object>>, description?: string) => ({
  type: 'object',
  ...(description === undefined ? {} : { description }),
  required: Object.keys(properties),
  properties,
})

export const text = { type: 'string' }
export const textOrNull = { type: ['string', 'null'] }
export const time = { type: 'string', format: 'date-time' }
export const timeOrNull = { type: ['string', 'null'], format: 'date-time' }
export const amount = { type: 'integer' }
export const amountOrNull = { type: ['integer', 'null'] }
export const listOrNull = { type: ['array', 'null'], items: text }
export const mode = { enum: ['live', 'test'] }

/** Two fields for an amount: whole cents, and exact micro-dollars. */
export const amounts = <Name extends string>(name: Name, schema: object) =>
  ({ [`${name}_cents`]: schema, [`${name}_micros`]: schema }) as Readonly<
    Record<`${Name}_cents` | `${Name}_micros`, object>
  >
