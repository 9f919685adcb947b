import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { cleanUp } from '../../../../test/harness/clean-up.ts'
import { UsageError, type Tools } from '../command.ts'
import { breakerReplay } from './breaker-replay.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollgate-replay-'))
cleanUp(() => rmSync(folder, { recursive: true, force: true }))

const START_MS = Date.UTC(2026, 5, 1)
const at = (seconds: number) => new Date(START_MS + seconds * 1_000).toISOString()

async function replay(lines: readonly object[], flags: Readonly<Record<string, string>> = {}) {
  const file = join(folder, 'calls.ndjson')
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const { data, text } = await breakerReplay.run(
    { flags: { file, ...flags }, operand: '' },
    {} as Tools,
  )
  return { data: data as Summary, text }
}

type Summary = {
  readonly calls: number
  readonly advised: number
  readonly spent_micros: number
  readonly saved_micros: number
  readonly keys: readonly Record<string, unknown>[]
}

// Modelled on published incidents. The calls of the incidents themselves are not public.
const INCIDENTS = {
  // https://github.com/anomalyco/opencode/issues/31942: 277 calls until a limit of $500.
  'every search with another filter is empty': {
    calls: 277,
    cost: 1_805_000,
    seconds: 20,
    callAt: (place: number) => ({ params: { filter: place }, outcome: 'empty' }),
  },
  // openclaw issue 67399: 754 tries of one call for $70.
  'the same call fails again and again': {
    calls: 754,
    cost: 92_800,
    seconds: 5,
    callAt: (place: number) => ({
      params: { id: 7 },
      outcome: 'failed',
      answer: `error ${place}`,
    }),
  },
  // claude-code issue 85422: $4,200 in 63 hours.
  'two calls alternate for 63 hours with the same answers': {
    calls: 7_560,
    cost: 555_000,
    seconds: 30,
    callAt: (place: number) => ({
      params: { id: place % 2 },
      outcome: 'ok',
      answer: { row: place % 2 },
    }),
  },
}

for (const [name, { calls, cost, seconds, callAt }] of Object.entries(INCIDENTS))
  test(`saves at least 95 % of an incident where ${name}`, async () => {
    const { data } = await replay(
      Array.from({ length: calls }, (_, place) => ({
        at: at(place * seconds),
        key: 'agent',
        action: 'crm/search',
        cost_micros: cost,
        ...callAt(place),
      })),
    )
    assert.equal(data.spent_micros, calls * cost)
    assert.ok(data.saved_micros >= 0.95 * data.spent_micros, JSON.stringify(data))
    assert.ok(data.saved_micros < data.spent_micros)
  })

test('saves a runaway of different calls by its steep spending, if the key has a limit', async () => {
  const line = (seconds: number, place: number, cost: number) => ({
    at: at(seconds),
    key: 'agent',
    action: 'core/onescrape',
    params: { place },
    outcome: 'ok',
    cost_micros: cost,
  })
  const usual = Array.from({ length: 400 }, (_, place) => line(place * 120, place, 10_000))
  const runaway = Array.from({ length: 5_000 }, (_, place) =>
    line(48_000 + place * 2, 400 + place, 100_000),
  )
  const [without, limited] = [
    await replay([...usual, ...runaway]),
    await replay([...usual, ...runaway], { 'ceiling-cents': '2000' }),
  ]
  assert.deepEqual(without.data.keys, [])
  assert.deepEqual(
    limited.data.keys.map(({ rule }) => rule),
    ['steep_spending'],
  )
  assert.ok(limited.data.saved_micros >= 0.95 * 500_000_000, JSON.stringify(limited.data))
})

/** A week of an agent: searches, pages read twice, some misses and errors, and a monitor. */
function ordinaryWeek() {
  const numbers = numbersFrom(20_261_126)
  const lines: (Readonly<Record<string, unknown>> & { readonly atS: number })[] = []
  const add = (atS: number, action: string, params: object, outcome = 'ok'): void => {
    lines.push({
      atS,
      at: at(atS),
      key: 'agent',
      action,
      params,
      outcome,
      answer: outcome === 'ok' ? { of: params, atS: action === 'market/quote' ? atS : 0 } : null,
      cost_micros: outcome === 'failed' ? 0 : 10_000,
    })
  }
  for (let minute = 0; minute < 7 * 1_440; minute += 1) {
    if (minute % 5 === 0) add(minute * 60, 'core/onescrape', { urls: ['https://status.example'] })
    add(minute * 60 + 1, 'market/quote', { symbol: 'TG' })
    const isWorkday = minute % 1_440 > 480 && minute % 1_440 < 1_080
    for (let place = 0; place < (isWorkday ? 4 : 0); place += 1) {
      const query = Math.floor(numbers() * 3_000)
      const outcome = numbers() < 0.12 ? 'empty' : numbers() < 0.03 ? 'failed' : 'ok'
      add(minute * 60 + 10 + place * 10, 'semantic/search', { query }, outcome)
      if (numbers() < 0.3) add(minute * 60 + 15 + place * 10, 'core/onescrape', { urls: [query] })
    }
  }
  return lines.toSorted((one, other) => one.atS - other.atS)
}

/** A linear congruential generator: the same week in every run. */
function numbersFrom(seed: number): () => number {
  let state = seed
  return () => (state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32) / 2 ** 32
}

test('advises fewer than 0.1 % of the calls of an ordinary week, and stops none', async () => {
  const week = ordinaryWeek()
  const { data } = await replay(week, { 'ceiling-cents': '2000' })
  assert.ok(data.calls === week.length && week.length > 20_000)
  assert.ok(data.advised < 0.001 * data.calls, `${data.advised} of ${data.calls}`)
  assert.deepEqual([data.saved_micros, data.keys.filter((key) => key['stopped_at_call'])], [0, []])
})

test('reads the history as the API exports it, and names lines that it cannot read', async () => {
  const failed = (place: number) => ({
    created_at: at(place),
    agent_id: 'agk_1',
    kind: 'call',
    service: 'semantic',
    action: 'search',
    status: 'released',
    error_code: 'not_found',
    charged_micros: 0,
  })
  const { text } = await replay([
    { created_at: at(0), kind: 'topup', amount_micros: 5 },
    ...Array.from({ length: 15 }, (_, place) => failed(place)),
  ])
  assert.match(text, /agk_1\s+fruitless_calls\s+12\s+13\s+15\s+\$0/)
  await assert.rejects(replay([failed(2), failed(1)]), /Line 2 is earlier/)
  await assert.rejects(replay([{ action: 'a/b' }]), UsageError)
})

test('does not stop a key because a vendor fails', async () => {
  const { data } = await replay(
    Array.from({ length: 100 }, (_, place) => ({
      at: at(place),
      key: 'agent',
      action: 'semantic/search',
      params: { query: 1 },
      error_code: 'upstream_error',
      cost_micros: 0,
    })),
  )
  assert.deepEqual(
    data.keys.map(({ advised_at_call: advised, stopped_at_call: stopped }) => [advised, stopped]),
    [[5, null]],
  )
})
