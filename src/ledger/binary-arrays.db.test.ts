import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cloneDatabase } from '../../test/harness/postgres.ts'
import { fc } from '../../test/harness/property.ts'
import { newId } from '../lib/ids.ts'
import {
  bigintArray,
  integerArray,
  smallintArray,
  textArray,
  uuidArray,
  type ArrayValue,
} from './binary-arrays.ts'

const { database } = await cloneDatabase()
const itself = <Value>(value: Value): Value => value

/** The elements as the server writes them; null for no array. */
async function arrivesAs(type: string, array: ArrayValue): Promise<unknown> {
  const { rows } = await database.query<{ texts: unknown }>(
    `select ($1::${type}[])::text[] as texts`,
    [array],
  )
  return rows[0]?.texts
}

const asTexts = (values: readonly unknown[]): (string | null)[] =>
  values.map((value) => (value === null ? null : `${value as string | number | bigint | boolean}`))
const isNothing = (values: readonly unknown[]): boolean => values.every((value) => value === null)

async function assertArrives<Value>(
  type: string,
  element: fc.Arbitrary<Value | null>,
  write: (values: readonly (Value | null)[]) => ArrayValue,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(element, { maxLength: 20 }), async (values) => {
      const array = write(values)
      assert.equal(typeof array === 'string', false)
      assert.deepEqual(await arrivesAs(type, array), isNothing(values) ? null : asTexts(values))
    }),
  )
}

test('passes numbers of every size unchanged, and nulls', async () => {
  const most = 2n ** 63n
  await assertArrives('smallint', fc.option(fc.integer({ min: -32_768, max: 32_767 })), (values) =>
    smallintArray(values, itself),
  )
  await assertArrives('integer', fc.option(fc.integer()), (values) => integerArray(values, itself))
  await assertArrives('bigint', fc.option(fc.maxSafeInteger()), (values) =>
    bigintArray(values, itself),
  )
  await assertArrives('bigint', fc.option(fc.bigInt({ min: -most, max: most - 1n })), (values) =>
    bigintArray(values, itself),
  )
})

test('passes texts in every script unchanged, and nulls', async () => {
  const text = fc.string({ unit: 'binary' }).filter((value) => !value.includes('\0'))
  await assertArrives('text', fc.option(text), (values) => textArray(values, itself))
  const long = ['\u{1f600}'.repeat(20_000), 'x'.repeat(30_000), 'end']
  assert.deepEqual(await arrivesAs('text', textArray(long, itself)), long)
})

test('passes ids unchanged, with and without hyphens', async () => {
  const ids = Array.from({ length: 2_000 }, () => newId(Date.now()))
  const { rows } = await database.query<{ ids: unknown }>('select $1::uuid[] as ids', [
    uuidArray(ids, itself),
  ])
  assert.deepEqual(rows[0]?.ids, ids)
  const hyphenated = '0192f0c1-7a1b-7000-8000-00000000000a'
  assert.deepEqual(await arrivesAs('uuid', uuidArray([hyphenated], itself)), [hyphenated])
})

test('leaves values outside their type to the server, which rejects them', async () => {
  const outOfRange = { code: '22003' }
  const malformed = { code: '22P02' }
  await assert.rejects(arrivesAs('bigint', bigintArray([1n, 2n ** 63n], itself)), outOfRange)
  await assert.rejects(arrivesAs('integer', integerArray([2 ** 31], itself)), outOfRange)
  await assert.rejects(arrivesAs('smallint', smallintArray([-32_769], itself)), outOfRange)
  for (const value of [0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    await assert.rejects(arrivesAs('bigint', bigintArray([value], itself)), malformed)
    await assert.rejects(arrivesAs('integer', integerArray([value], itself)), malformed)
  }
  for (const id of ['', 'not an id', 'g'.repeat(32), `${'0'.repeat(31)}g`])
    await assert.rejects(arrivesAs('uuid', uuidArray([id], itself)), malformed)
})
