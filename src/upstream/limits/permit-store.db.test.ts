import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { manualClock } from '../../../test/harness/manual-clock.ts'
import { cloneDatabase } from '../../../test/harness/postgres.ts'
import type { VendorLimits } from '../../catalog/vocabulary/wire.ts'
import { allowanceOf } from './allowance.ts'
import { createPermitStore, type TakeRequest, type Taken } from './permit-store.ts'

const { database } = await cloneDatabase()
const now = manualClock(Date.UTC(2026, 10, 23))
const [first, second, third] = ['first', 'second', 'third'].map((process) =>
  createPermitStore({ database, process, now }),
) as [Store, Store, Store]
type Store = ReturnType<typeof createPermitStore>

function asking(
  label: string,
  limits: VendorLimits,
  wanted: number,
  extra: Partial<TakeRequest> = {},
): TakeRequest {
  const allowance = allowanceOf(limits)
  assert.ok(allowance !== null)
  return {
    label,
    allowance: { ...allowance, spare: 0 },
    wanted,
    validMs: 50,
    busyMs: 10_000,
    done: [],
    day: 20_000,
    dayBack: 0,
    ...extra,
  }
}
const figures = ({ given, why }: Taken): unknown[] => [given, why]

function pass(ms: number): void {
  now.advance(ms)
}

describe('a rate', () => {
  it('is granted once per window, to any process', async () => {
    assert.deepEqual(figures(await first.take(asking('rate', { perSecond: 10 }, 7))), [7, null])
    const taken = await second.take(asking('rate', { perSecond: 10 }, 7))
    assert.deepEqual(figures(taken), [3, 'rate'])
    assert.equal(taken.waitMs, 1_051)
    pass(400)
    assert.equal((await second.take(asking('rate', { perSecond: 10 }, 1))).given, 0)
    pass(700)
    assert.deepEqual(figures(await second.take(asking('rate', { perSecond: 10 }, 7))), [7, null])
  })

  it('counts a permit from its last moment of use', async () => {
    await first.take(asking('late', { perSecond: 1 }, 1, { validMs: 400 }))
    pass(900)
    assert.equal((await first.take(asking('late', { perSecond: 1 }, 1))).given, 0)
    pass(550)
    assert.equal((await first.take(asking('late', { perSecond: 1 }, 1))).given, 1)
  })

  it('becomes one request per several seconds below one a second', async () => {
    assert.equal((await first.take(asking('slow', { perSecond: 1 / 6 }, 2))).given, 1)
    pass(5_400)
    assert.equal((await first.take(asking('slow', { perSecond: 1 / 6 }, 1))).given, 0)
    pass(700)
    assert.equal((await first.take(asking('slow', { perSecond: 1 / 6 }, 1))).given, 1)
  })

  it('may be taken ahead only while the vendor is far from its limit', async () => {
    const allowance = allowanceOf({ perSecond: 100 })
    const ask = (): Promise<Taken> =>
      first.take({
        ...asking('generous', { perSecond: 100 }, 10),
        ...(allowance === null ? {} : { allowance }),
      })
    const given = [await ask(), await ask(), await ask(), await ask()].map(({ given, validMs }) => [
      given,
      validMs,
    ])
    assert.deepEqual(given, [
      [16, 1000],
      [16, 1000],
      [16, 1000],
      [10, 50],
    ])
  })
})

describe('concurrent requests', () => {
  it('are limited over all processes until they are released', async () => {
    const own = await first.take(asking('busy', { concurrent: 2 }, 1))
    const theirs = await second.take(asking('busy', { concurrent: 2 }, 5))
    assert.deepEqual(
      [figures(own), figures(theirs)],
      [
        [1, null],
        [1, 'busy'],
      ],
    )
    const again = await second.take(
      asking('busy', { concurrent: 2 }, 2, { done: [theirs.busyUntilMs ?? 0] }),
    )
    assert.deepEqual(figures(again), [1, 'busy'])
  })

  it('of a dead process are free after their deadline', async () => {
    await first.take(asking('dead', { concurrent: 1 }, 1, { busyMs: 30_000 }))
    pass(29_000)
    assert.equal((await second.take(asking('dead', { concurrent: 1 }, 1))).given, 0)
    pass(1_100)
    assert.equal((await second.take(asking('dead', { concurrent: 1 }, 1))).given, 1)
  })
})

describe('a day', () => {
  it('limits requests over all processes, and resets the next day', async () => {
    assert.deepEqual(figures(await first.take(asking('day', { perDay: 100 }, 60))), [60, null])
    assert.deepEqual(figures(await second.take(asking('day', { perDay: 100 }, 60))), [40, 'day'])
    assert.deepEqual(
      figures(await first.take(asking('day', { perDay: 100 }, 1, { day: 20_001 }))),
      [1, null],
    )
    assert.deepEqual(
      figures(await second.take(asking('day', { perDay: 100 }, 100))),
      [99, 'day'],
      'a clock that lags reopens no day',
    )
  })

  it('takes back unused permits of the same day only', async () => {
    await first.take(asking('back', { perDay: 10 }, 10))
    assert.equal((await first.take(asking('back', { perDay: 10 }, 5, { dayBack: 3 }))).given, 3)
    await first.take(asking('back', { perDay: 10 }, 10, { day: 20_001 }))
    assert.equal((await first.take(asking('back', { perDay: 10 }, 5, { dayBack: 3 }))).given, 0)
  })
})

describe('fairness between processes', () => {
  it('leaves other processes their share', async () => {
    await first.take(asking('turns', { perSecond: 9 }, 100))
    await second.take(asking('turns', { perSecond: 9 }, 1))
    await third.take(asking('turns', { perSecond: 9 }, 100))
    pass(1_100)
    assert.equal((await first.take(asking('turns', { perSecond: 9 }, 100))).given, 3)
    assert.equal((await second.take(asking('turns', { perSecond: 9 }, 1))).given, 1)
    assert.equal((await third.take(asking('turns', { perSecond: 9 }, 100))).given, 2)
    assert.deepEqual(
      figures(await first.take(asking('turns', { perSecond: 9 }, 97))),
      [1, 'turn'],
      'of what is left, the first waits for its permit again',
    )
  })

  it('grants a single permit alternately', async () => {
    const served: string[] = []
    for (let round = 0; round < 6; round += 1) {
      for (const [name, store] of [
        ['first', first],
        ['second', second],
        ['third', third],
      ] as const)
        if ((await store.take(asking('single', { perSecond: 1 }, 50))).given === 1)
          served.push(name)
      pass(1_100)
    }
    assert.deepEqual(served, ['first', 'second', 'third', 'first', 'second', 'third'])
  })
})

describe('a pause requested by a vendor', () => {
  it('applies to every process, and is not ended by a shorter one', async () => {
    await first.pause('paused', 60_000)
    await second.pause('paused', 1_000)
    const taken = await third.take(asking('paused', { perSecond: 10 }, 1))
    assert.deepEqual(figures(taken), [0, 'pause'])
    assert.equal(taken.waitMs, 60_000)
    const [pause] = (await second.pauses()).filter(({ label }) => label === 'paused')
    assert.equal(pause?.ms, 60_000)
  })
})
