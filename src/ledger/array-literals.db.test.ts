import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cloneDatabase } from '../../test/harness/postgres.ts'
import { fc } from '../../test/harness/property.ts'
import { jsonTextArray, plainArray, quotedArray } from './array-literals.ts'

const { database } = await cloneDatabase()
const itself = <Value>(value: Value): Value => value

async function arrivesAs(literal: string | null): Promise<unknown> {
  const { rows } = await database.query<{ texts: unknown }>('select $1::text[] as texts', [literal])
  return rows[0]?.texts
}

const awkward = fc
  .array(
    fc.constantFrom(
      '"',
      '\\',
      ',',
      '{',
      '}',
      ' ',
      '\n',
      '\t',
      'null',
      'NULL',
      "'",
      'n',
      '\u{e9}',
      '\u{1f600}',
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''))

test('passes texts to PostgreSQL unchanged, and an empty list as null', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(awkward), { minLength: 1 }), async (texts) => {
      assert.deepEqual(await arrivesAs(quotedArray(texts, itself)), texts)
    }),
  )
})

test('passes JSON texts to PostgreSQL unchanged, with any content', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.option(fc.jsonValue({ stringUnit: 'binary' })), { minLength: 1 }),
      awkward,
      async (values, name) => {
        const texts = [
          JSON.stringify({ [name]: name }),
          ...values.map((value) => (value === null ? null : JSON.stringify(value))),
        ]
        assert.deepEqual(await arrivesAs(jsonTextArray(texts, itself)), texts)
      },
    ),
  )
})

test('writes numbers and ids without quotes, and an empty list as null', async () => {
  assert.deepEqual(await arrivesAs(plainArray([1, 2n, 'a', null], itself)), ['1', '2', 'a', null])
  assert.equal(plainArray([], itself), null)
})
