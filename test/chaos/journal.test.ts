import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createJournal } from './journal.ts'

type Books = {
  readonly open?: readonly string[]
  readonly posted?: readonly {
    readonly id: string
    readonly charged: bigint
    readonly error: string | null
    readonly times: bigint
  }[]
}

const brokenIn = async (
  lines: readonly string[],
  outage: { fromMs: number; untilMs: number } | null,
  { open = [], posted = [] }: Books,
): Promise<readonly string[]> => {
  const journal = createJournal()
  for (const line of lines) journal.note(line)
  if (outage !== null) journal.noteOutage(outage)
  const query = async (text: string): Promise<never> =>
    ({ rows: text.includes('from holds') ? open.map((id) => ({ id })) : posted }) as never
  return (await journal.compare({ query })).broken
}

const HELD = ['asked-hold a 10 1000', 'held a 1001']
const OUTAGE = { fromMs: 1_100, untilMs: 1_200 }
const LOST = ['the hold of a was acknowledged and is lost']

test('allows a lost hold only after a kill of PostgreSQL', async () => {
  assert.deepEqual(await brokenIn(HELD, OUTAGE, {}), [])
  assert.deepEqual(await brokenIn(HELD, null, {}), LOST)
  assert.deepEqual(await brokenIn(HELD, { fromMs: 900, untilMs: 1_000 }, {}), LOST)
})

test('reports the loss of a hold that an acknowledged settlement followed before the kill', async () => {
  const other = (endedMs: number): string[] => [
    'asked-hold b 10 1000',
    'held b 1001',
    'asked-end b 5 1002',
    `ended b 5 false ${endedMs}`,
  ]
  const books = { posted: [{ id: 'b', charged: 5n, error: null, times: 1n }] }
  assert.deepEqual(await brokenIn([...HELD, ...other(1_099)], OUTAGE, books), LOST)
  assert.deepEqual(await brokenIn([...HELD, ...other(1_201)], OUTAGE, books), [])
})

test('reports a lost settlement and a charge for a lost hold', async () => {
  const end = (ended: string): string[] => [...HELD, 'asked-end a 5 1002', `ended a ${ended} 1300`]
  assert.deepEqual(await brokenIn(end('0 true'), OUTAGE, {}), [])
  for (const ended of ['5 false', '5 true', '0 false'])
    assert.deepEqual(await brokenIn(end(ended), OUTAGE, {}), [
      'the end of a was acknowledged and is lost',
    ])
  assert.deepEqual(await brokenIn(end('0 true'), OUTAGE, { open: ['a'] }), [
    'the end of a was acknowledged and is lost',
  ])
})
