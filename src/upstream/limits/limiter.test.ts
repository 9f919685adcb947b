import assert from 'node:assert/strict'
import { setImmediate as settle } from 'node:timers/promises'
import { describe, it } from 'node:test'
import { manualClock } from '../../../test/harness/manual-clock.ts'
import type { VendorLimits } from '../../catalog/vocabulary/wire.ts'
import { AppError } from '../../errors/app-error.ts'
import { allowanceOf } from './allowance.ts'
import { Limiter } from './limiter.ts'
import type { Permit } from './permit.ts'
import type { Taken, TakeRequest, PermitStore } from './permit-store.ts'

const START_MS = Date.UTC(2026, 0, 14, 12)

type Answer = Partial<Taken> | ((request: TakeRequest) => Partial<Taken>)

/**
 * A limiter with a store and an alarm that the test controls. By default the store grants
 * everything.
 */
function bed(limits?: VendorLimits, startMs = START_MS) {
  const clock = manualClock(startMs)
  const takes: TakeRequest[] = []
  const answers: Answer[] = []
  let wake: (() => void) | null = null
  const store: PermitStore = {
    async take(request) {
      takes.push(request)
      const next = answers.shift() ?? { given: request.wanted }
      return {
        given: 0,
        validMs: request.validMs,
        busyUntilMs: null,
        waitMs: 0,
        why: null,
        ...(typeof next === 'function' ? next(request) : next),
      }
    },
    pause: async () => {},
    pauses: async () => [],
  }
  const alarm = (next: () => void): (() => void) => {
    wake = next
    return () => (wake = null)
  }
  const limiter = new Limiter({
    label: 'shop',
    allowance: allowanceOf(limits),
    store,
    now: clock,
    alarm,
  })
  return {
    limiter,
    clock,
    takes,
    answers,
    acquire: (account: string, leftMs = 60_000, isOver = false) =>
      limiter.acquire(account, { leftMs, isOver }),
    async passTime(ms: number) {
      clock.advance(ms)
      const due = wake
      wake = null
      due?.()
      await settle()
    },
    isArmed: () => wake !== null,
  }
}

function named(turns: string[], name: string, permit: Permit | Promise<Permit>): void {
  void Promise.resolve(permit).then(({ refusal }) =>
    turns.push(refusal === null ? name : `${name} refused`),
  )
}

describe('fair scheduling', () => {
  it("serves an account's single call right after the first of another's thousand", async () => {
    const { acquire, answers, passTime } = bed({ perSecond: 50 })
    const served: string[] = []
    answers.push({ given: 0, why: 'rate', waitMs: 100 })
    for (let call = 0; call < 1_000; call += 1) named(served, 'greedy', acquire('greedy'))
    named(served, 'single', acquire('single'))
    await settle()
    answers.push({ given: 2, why: 'rate', waitMs: 1_000 })
    await passTime(100)
    assert.deepEqual(served, ['greedy', 'single'])
  })

  it('requests permits for all waiting calls in one query', async () => {
    const { acquire, takes } = bed({ perSecond: 50 })
    const first = acquire('a')
    const rest = Array.from({ length: 40 }, () => acquire('a'))
    await Promise.all([first, ...rest])
    assert.deepEqual(
      takes.map(({ wanted }) => wanted),
      [1, 40],
    )
  })
})

describe('permits taken ahead', () => {
  it('serve calls immediately, without a query, while they are valid', async () => {
    const { acquire, answers, takes, clock } = bed({ perSecond: 100 })
    answers.push({ given: 7, validMs: 1_000 })
    await acquire('a')
    for (let call = 0; call < 6; call += 1) assert.ok(!(acquire('b') instanceof Promise))
    assert.equal(takes.length, 1)
    answers.push({ given: 7, validMs: 1_000 })
    await acquire('a')
    clock.advance(1_000)
    assert.ok(acquire('a') instanceof Promise)
    await settle()
    assert.equal(takes.length, 3)
  })

  it('are not used after they expire, and the next ones are requested for longer', async () => {
    const { acquire, answers, takes, clock } = bed({ perSecond: 10, perDay: 100 })
    answers.push(({ wanted }) => {
      clock.advance(60)
      return { given: wanted, validMs: 50 }
    })
    assert.equal((await acquire('a')).refusal, null)
    assert.deepEqual(
      takes.map(({ validMs, dayBack }) => [validMs, dayBack]),
      [
        [50, 0],
        [100, 1],
      ],
    )
  })
})

describe('waiting', () => {
  it('is rejected immediately, with the time to wait, if it exceeds half the time left', async () => {
    const { acquire, answers } = bed({ perSecond: 1 / 12 })
    answers.push({ given: 1, why: null })
    assert.equal((await acquire('a')).refusal, null)
    answers.push({ given: 0, why: 'rate', waitMs: 12_000 })
    assert.deepEqual((await acquire('a', 20_000)).refusal, { reason: 'limit', waitMs: 12_000 })
    const next = acquire('a', 20_000)
    assert.ok(!(next instanceof Promise))
    assert.deepEqual(next.refusal, { reason: 'limit', waitMs: 12_000 })
    assert.ok(acquire('a', 30_000) instanceof Promise)
  })

  it('ends with a refusal at its limit, and leaves no alarm', async () => {
    const { acquire, answers, passTime, isArmed } = bed({ concurrent: 1 })
    for (let time = 0; time < 40; time += 1) answers.push({ given: 0, why: 'busy' })
    const ends: string[] = []
    named(ends, 'short', acquire('a', 2_000))
    named(ends, 'long', acquire('a', 4_000))
    await settle()
    await passTime(1_000)
    assert.deepEqual(ends, ['short refused'])
    await passTime(1_000)
    assert.deepEqual(ends, ['short refused', 'long refused'])
    assert.equal(isArmed(), false)
  })

  it('is bounded per account: calls that cannot be served in time are rejected', async () => {
    const { acquire, answers } = bed({ perSecond: 10 })
    answers.push({ given: 0, why: 'rate', waitMs: 1_000 })
    const turns = Array.from({ length: 1_000 }, () => acquire('greedy', 20_000))
    const waiting = turns.filter((permit) => permit instanceof Promise).length
    // One window's worth immediately, and one for each of the ten seconds that they may wait.
    assert.ok(waiting > 80 && waiting <= 110, `${waiting} wait`)
    assert.ok(acquire('single', 20_000) instanceof Promise)
  })

  it("is needed only beyond a window: a minute's worth may start together", async () => {
    const { acquire, answers } = bed({ perMinute: 5 })
    answers.push({ given: 5, waitMs: 0, why: null })
    const turns = Array.from({ length: 6 }, () => acquire('a', 30_000))
    assert.deepEqual(
      (await Promise.all(turns.map(async (permit) => permit))).map(
        ({ refusal }) => refusal?.reason ?? null,
      ),
      [null, null, null, null, null, 'limit'],
    )
  })

  it('is rejected while the database is unavailable, so that every request is counted', async () => {
    const { acquire, answers } = bed({ perSecond: 10 })
    answers.push(() => {
      throw new AppError('overloaded')
    })
    assert.equal((await acquire('a', 20_000)).refusal?.reason, 'limit')
  })
})

describe('places among concurrent requests', () => {
  it('are released with the next query', async () => {
    const { acquire, answers, takes, limiter } = bed({ concurrent: 2 })
    answers.push({ given: 1, busyUntilMs: 77 })
    const permit = await acquire('a')
    limiter.release(permit)
    await settle()
    assert.deepEqual(
      takes.map(({ wanted, done }) => [wanted, done]),
      [
        [1, []],
        [0, [77]],
      ],
    )
  })

  it('are released when no call needs them', async () => {
    const { acquire, answers, takes } = bed({ concurrent: 2 })
    answers.push({ given: 2, busyUntilMs: 77 })
    await acquire('a')
    await settle()
    assert.deepEqual(
      takes.map(({ wanted, done }) => [wanted, done]),
      [
        [1, []],
        [0, [77]],
      ],
    )
  })
})

describe('a day', () => {
  it('rejects without a query until 00:00 UTC when used up, then resets', async () => {
    const { acquire, answers, takes, clock } = bed({ perDay: 100 })
    answers.push({ given: 0, why: 'day' })
    assert.deepEqual((await acquire('a')).refusal, { reason: 'day', waitMs: 12 * 3_600_000 })
    clock.set(Date.UTC(2026, 0, 14, 23, 59, 59, 999) - 40_000)
    assert.equal((await acquire('a')).refusal?.reason, 'day')
    assert.equal(takes.length, 1)
    clock.set(Date.UTC(2026, 0, 15))
    assert.equal((await acquire('a')).refusal, null)
    assert.deepEqual(
      takes.map(({ day }) => day),
      [20_467, 20_468],
    )
  })

  it('ends for permits in stock: they are neither used nor returned the next day', async () => {
    const { acquire, answers, takes, clock } = bed(
      { perDay: 10_000 },
      Date.UTC(2026, 0, 14, 23, 59, 50),
    )
    answers.push({ given: 9, validMs: 60_000 })
    await acquire('a')
    clock.advance(10_000)
    await acquire('a')
    assert.deepEqual(
      takes.map(({ dayBack }) => dayBack),
      [0, 0],
    )
  })
})

describe('a pause that the vendor asked for', () => {
  it('delays calls that have time, and rejects others immediately', async () => {
    const { acquire, limiter, passTime, takes } = bed()
    assert.equal(limiter.isFree, true)
    const ends: string[] = []
    limiter.pauseUntil(START_MS + 3_000)
    assert.equal(limiter.isFree, false)
    named(ends, 'unhurried', acquire('a', 10_000))
    named(ends, 'hasty', acquire('b', 5_000))
    await settle()
    assert.deepEqual(ends, ['hasty refused'])
    await passTime(2_999)
    assert.equal(ends.length, 1)
    await passTime(1)
    assert.deepEqual(ends, ['hasty refused', 'unhurried'])
    assert.deepEqual([limiter.isFree, takes.length], [true, 0])
  })

  it('ends the wait of calls without enough time', async () => {
    const { acquire, limiter, answers } = bed({ perSecond: 1 })
    answers.push({ given: 0, why: 'rate', waitMs: 500 })
    const permit = acquire('a', 10_000)
    await settle()
    limiter.pauseUntil(START_MS + 30_000)
    assert.deepEqual((await permit).refusal, { reason: 'limit', waitMs: 30_000 })
  })
})
