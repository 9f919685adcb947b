import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeType } from './write-type.ts'

const TEXT = { type: 'string' }

test('writes required, optional and described fields', () => {
  assert.equal(
    writeType(
      { type: 'object', required: ['a'], properties: { a: TEXT, 'b-c': { type: 'integer' } } },
      0,
    ),
    '{ a: string; "b-c"?: number }',
  )
  assert.equal(
    writeType({ type: 'object', properties: { a: { ...TEXT, description: 'Ends */ here.' } } }, 0),
    '{\n  /** Ends *\\/ here. */\n  a?: string\n}',
  )
})

test('writes lists, maps, unions and known values', () => {
  for (const [schema, type] of [
    [{ type: 'array', items: TEXT }, 'string[]'],
    [{ type: 'array', items: { anyOf: [TEXT, { type: 'null' }] } }, 'Array<string | null>'],
    [{ type: 'object', additionalProperties: { type: 'number' } }, 'Record<string, number>'],
    [{ type: 'object' }, 'Data'],
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ enum: ['a', 1, null] }, '"a" | 1 | null'],
    [{ type: 'string', examples: ['new', 'old'] }, '"new" | "old" | OtherText'],
    [{}, 'unknown'],
    [{ anyOf: [TEXT, {}] }, 'unknown'],
    [{ properties: { a: TEXT }, oneOf: [{ required: ['a'] }] }, '{ a?: string }'],
  ] as const)
    assert.equal(writeType(schema, 0), type)
})
