import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { before, describe, it } from 'node:test'
import { cloneDatabase } from '../../../test/harness/postgres.ts'
import type { Race, RaceResult } from './testing/racer.ts'

const { target } = await cloneDatabase()
const RACER = join(import.meta.dirname, 'testing/racer.ts')
// Two seconds are the minimum. On a busy machine permits are requested for longer, which costs
// rate.
const IN_TIME_MS = 15_000
const vendors: Race['vendors'] = {
  rate: { limits: { perSecond: 60 }, calls: 40 },
  generous: { limits: { perSecond: 500 }, calls: 100 },
  busy: { limits: { concurrent: 3 }, calls: 15 },
  day: { limits: { perDay: 100 }, calls: 60 },
}

/** The permits that three processes got, started at the same moment, by vendor. */
async function raceThree(): Promise<RaceResult[]> {
  const racers = ['first', 'second', 'third'].map((name) => {
    const child = spawn(
      process.execPath,
      [RACER, JSON.stringify({ target, name, vendors } satisfies Race)],
      { stdio: ['pipe', 'pipe', 'inherit'] },
    )
    return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() }
  })
  await Promise.all(racers.map(({ lines }) => lines.next()))
  for (const { child } of racers) child.stdin.end('go\n')
  return Promise.all(
    racers.map(async ({ lines }) => JSON.parse((await lines.next()).value ?? 'null') as RaceResult),
  )
}

describe('three processes racing for the same vendors', () => {
  let results: RaceResult[]
  before(async () => {
    results = await raceThree()
  })
  const all = (label: string) => results.flatMap((result) => result[label] ?? [])

  it('never exceed the rate in any second, and finish in time', () => {
    for (const [label, rate, calls] of [
      ['rate', 60, 120],
      ['generous', 500, 300],
    ] as const) {
      const begins = all(label)
        .map(({ beganMs }) => beganMs)
        .toSorted((a, b) => a - b)
      assert.equal(begins.length, calls)
      for (const [place, beganMs] of begins.entries()) {
        const next = begins[place + rate]
        assert.ok(
          next === undefined || next - beganMs > 999,
          `${rate + 1} requests within ${(next ?? 0) - beganMs} ms`,
        )
      }
      assert.ok((begins.at(-1) ?? 0) - (begins[0] ?? 0) < IN_TIME_MS)
    }
  })

  it('never have more concurrent requests than the limit', () => {
    const requests = all('busy')
    assert.equal(requests.length, 45)
    const most = Math.max(
      ...requests.map(
        ({ beganMs }) =>
          requests.filter((other) => other.beganMs <= beganMs && beganMs < other.endedMs).length,
      ),
    )
    assert.ok(most <= 3, `${most} at once`)
  })

  it('use exactly the daily limit', () => {
    assert.equal(all('day').length, 100)
  })
})
