import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keepSupported } from './keep-supported.ts'

const PASSAGES = [
  'PostgreSQL 18 was released on 25 September 2025 by the PostgreSQL Global Development Group.',
  'The Zürich office of Acme AG employs 1,200 people. Ana Müller leads it.',
  'A group commit shares one durable write between many callers of a database.',
]
const SUPPORTED = [
  'It was released on 25 September 2025 by the PostgreSQL Global Development Group [1].',
  'The office employs 1.200 people [2].',
  'The office in Zurich is led by Ana Müller. [2]',
  'One durable write is shared between many callers [3].',
  'A release of PostgreSQL in 2025 [1], and an office with 1200 people [2].',
]
const UNSUPPORTED = [
  'It was released on 26 September 2025 [1].',
  'The office is led by Bo Müller [2].',
  'The office employs 12,000 people [2].',
  'The release is version 1.8 [1].',
  'The office employs 1.2 people [2].',
  'PostgreSQL 18 was released in 2025 [2].',
  'Elephants sleep in tall grass near warm rivers [3].',
  'The office employs 1,200 people.',
  'The office employs 1,200 people [9].',
]

for (const sentence of SUPPORTED)
  test(`keeps a statement that its passages support: ${sentence.slice(0, 50)}`, () => {
    const { text, dropped } = keepSupported(sentence, PASSAGES)
    assert.deepEqual([text, dropped], [sentence, 0])
  })

for (const sentence of UNSUPPORTED)
  test(`drops a statement that its passages do not support: ${sentence.slice(0, 50)}`, () => {
    assert.deepEqual(keepSupported(sentence, PASSAGES).text, '')
  })

test('returns the numbers of the statements that remain, in their order', () => {
  const [first = '', second = ''] = SUPPORTED
  const { text, numbers, kept, dropped } = keepSupported(
    `${second} ${first} It employs 77 people [2].`,
    PASSAGES,
  )
  assert.deepEqual([numbers, kept, dropped], [[2, 1], 2, 1])
  assert.doesNotMatch(text, /77/)
})

test('returns no answer if more than half of the statements are not supported', () => {
  const answer = [SUPPORTED[0], UNSUPPORTED[0], UNSUPPORTED[1]].join(' ')
  assert.deepEqual(keepSupported(answer, PASSAGES).text, '')
  assert.equal(keepSupported('NONE', PASSAGES).text, '')
})

test('checks a hostile answer of 100 000 characters within a second of processor time', () => {
  const before = process.cpuUsage()
  for (const part of ['[1', 'A[1] ', 'A ', '. ', ' ', '1,1.', 'ÄÖ', '[1,1'])
    keepSupported(part.repeat(100_000 / part.length), PASSAGES)
  const { user, system } = process.cpuUsage(before)
  assert.ok(user + system < 1_000_000, `${user + system} µs`)
})
