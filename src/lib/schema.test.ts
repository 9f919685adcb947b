import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Type as TypeBox } from 'typebox'
import { Type } from './schema.ts'

type Builders = typeof Type

/** A random schema, as a function of the builders. */
const schemas = fc.letrec<{ schema: (type: Builders) => object }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<(type: Builders) => object>(
      (type) => type.String({ minLength: 1, description: 'Text.' }),
      (type) => type.Integer({ minimum: 0, 'x-unit': 'seconds' }),
      (type) => type.Number(),
      (type) => type.Boolean({ description: 'Flag.' }),
      (type) => type.Null(),
      (type) => type.Unknown({ description: 'Anything.' }),
      (type) => type.Literal('single', { description: 'One.' }),
      (type) => type.Literal(3),
      (type) => type.Literal(false),
      (type) => type.Enum(['a', 'b'], { description: 'One of two.' }),
      (type) => type.Enum([10, 20]),
      (type) => type.Unsafe({ type: 'string', enum: ['a'] }),
    ),
    tie('schema').map((item) => (type: Builders) => type.Array(item(type), { maxItems: 3 })),
    tie('schema').map(
      (value) => (type: Builders) =>
        type.Record(type.String({ pattern: '^[a-z]$' }), value(type), { maxProperties: 2 }),
    ),
    tie('schema').map((value) => (type: Builders) => type.Record(type.String(), value(type))),
    fc.tuple(tie('schema'), tie('schema')).map(
      ([left, right]) =>
        (type: Builders) =>
          type.Union([left(type), right(type)]),
    ),
    fc
      .array(fc.tuple(tie('schema'), fc.constantFrom('required', 'optional', 'copied')), {
        maxLength: 4,
      })
      .map((fields) => (type: Builders) => {
        const properties = fields.map(([field, kind], place) => {
          const schema = field(type)
          const built =
            kind === 'required'
              ? schema
              : kind === 'optional'
                ? type.Optional(schema)
                : { ...type.Optional(schema) }
          return [`field_${place}`, built] as const
        })
        return type.Object(Object.fromEntries(properties), { additionalProperties: false })
      }),
  ),
}))

test('every builder makes the same JSON as TypeBox, in the same order', () => {
  fc.assert(
    fc.property(schemas.schema, (build) => {
      assert.equal(
        JSON.stringify(build(Type)),
        JSON.stringify(build(TypeBox as unknown as Builders)),
      )
    }),
    { numRuns: 500 },
  )
})

test('an optional field may be used by several objects', () => {
  const shared = Type.Optional(Type.String())
  const [first, second] = [Type.Object({ shared }), Type.Object({ shared, own: Type.Null() })]
  assert.deepEqual([first.required ?? [], second.required], [[], ['own']])
})
