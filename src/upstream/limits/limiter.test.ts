import assert from 'node:assert/strict'
import { setImmediate as settle } from 'node:timers/promises'
import { describe, it } from 'node:test'
import { manualClock } from '../../../test/harness/manual-clock.ts'
import type { VendorLimits } from '../../catalog/vocabulary/wire.ts'
import { AppError } from '../../errors/app-error.ts'
import { allowanceOf } from './allowance.ts'
import { Limiter } from './limiter.ts'
import type { Turn } from './turn.ts'
import type { Taken, TakeRequest, TurnStore } from './turn-store.ts'

const START_MS = Date.UTC(2026, 0, 14, 12)

type Answer = Partial<Taken> | ((request: TakeRequest) => Partial<Taken>)

/** A limiter over a store and an alarm that the test decides. Without answers the store gives all that is wanted. */
function bed(limits?: VendorLimits, startMs = START_MS) {
  const clock = manualClock(startMs)
  const takes: TakeRequest[] = []
  const answers: Answer[] = []
  let wake: (() => void) | null = null
  const store: TurnStore = {
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
    enter: (account: string, leftMs = 60_000, isOver = false) =>
      limiter.enter(account, { leftMs, isOver }),
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

function named(turns: string[], name: string, turn: Turn | Promise<Turn>): void {
  void Promise.resolve(turn).then(({ refusal }) =>
    turns.push(refusal === null ? name : `${name} refused`),
  )
}

describe('fair turns', () => {
  it('a single call of one account comes right after the first of a thousand of another', async () => {
    const { enter, answers, passTime } = bed({ perSecond: 50 })
    const served: string[] = []
    answers.push({ given: 0, why: 'rate', waitMs: 100 })
    for (let call = 0; call < 1_000; call += 1) named(served, 'greedy', enter('greedy'))
    named(served, 'single', enter('single'))
    await settle()
    answers.push({ given: 2, why: 'rate', waitMs: 1_000 })
    await passTime(100)
    assert.deepEqual(served, ['greedy', 'single'])
  })

  it('the calls that wait share one question to the database', async () => {
    const { enter, takes } = bed({ perSecond: 50 })
    const first = enter('a')
    const rest = Array.from({ length: 40 }, () => enter('a'))
    await Promise.all([first, ...rest])
    assert.deepEqual(
      takes.map(({ wanted }) => wanted),
      [1, 40],
    )
  })
})

describe('permits taken ahead', () => {
  it('let calls go at once, without a question, as long as they are good', async () => {
    const { enter, answers, takes, clock } = bed({ perSecond: 100 })
    answers.push({ given: 7, validMs: 1_000 })
    await enter('a')
    for (let call = 0; call < 6; call += 1) assert.ok(!(enter('b') instanceof Promise))
    assert.equal(takes.length, 1)
    answers.push({ given: 7, validMs: 1_000 })
    await enter('a')
    clock.advance(1_000)
    assert.ok(enter('a') instanceof Promise)
    await settle()
    assert.equal(takes.length, 3)
  })

  it('that come too late are not used, and the next ones are asked for a longer time', async () => {
    const { enter, answers, takes, clock } = bed({ perSecond: 10, perDay: 100 })
    answers.push(({ wanted }) => {
      clock.advance(60)
      return { given: wanted, validMs: 50 }
    })
    assert.equal((await enter('a')).refusal, null)
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
  it('that cannot end within half of the time left is refused at once, with the time to wait', async () => {
    const { enter, answers } = bed({ perSecond: 1 / 12 })
    answers.push({ given: 1, why: null })
    assert.equal((await enter('a')).refusal, null)
    answers.push({ given: 0, why: 'rate', waitMs: 12_000 })
    assert.deepEqual((await enter('a', 20_000)).refusal, { reason: 'limit', waitMs: 12_000 })
    const next = enter('a', 20_000)
    assert.ok(!(next instanceof Promise))
    assert.deepEqual(next.refusal, { reason: 'limit', waitMs: 12_000 })
    assert.ok(enter('a', 30_000) instanceof Promise)
  })

  it('ends refused when the turn does not come in time, and leaves no alarm behind', async () => {
    const { enter, answers, passTime, isArmed } = bed({ concurrent: 1 })
    for (let time = 0; time < 40; time += 1) answers.push({ given: 0, why: 'busy' })
    const ends: string[] = []
    named(ends, 'short', enter('a', 2_000))
    named(ends, 'long', enter('a', 4_000))
    await settle()
    await passTime(1_000)
    assert.deepEqual(ends, ['short refused'])
    await passTime(1_000)
    assert.deepEqual(ends, ['short refused', 'long refused'])
    assert.equal(isArmed(), false)
  })

  it('is bounded: one account with more calls than can be served in time is refused at once, others are not', async () => {
    const { enter, answers } = bed({ perSecond: 10 })
    answers.push({ given: 0, why: 'rate', waitMs: 1_000 })
    const turns = Array.from({ length: 1_000 }, () => enter('greedy', 20_000))
    const waiting = turns.filter((turn) => turn instanceof Promise).length
    // A window's worth at once, and one in each of the ten seconds that they may wait.
    assert.ok(waiting > 80 && waiting <= 110, `${waiting} wait`)
    assert.ok(enter('single', 20_000) instanceof Promise)
  })

  it('is for those alone that a window is too small for: as many as a minute allows may come at once', async () => {
    const { enter, answers } = bed({ perMinute: 5 })
    answers.push({ given: 5, waitMs: 0, why: null })
    const turns = Array.from({ length: 6 }, () => enter('a', 30_000))
    assert.deepEqual(
      (await Promise.all(turns.map(async (turn) => turn))).map(
        ({ refusal }) => refusal?.reason ?? null,
      ),
      [null, null, null, null, null, 'limit'],
    )
  })

  it('is not done while the database is away: nobody goes uncounted', async () => {
    const { enter, answers } = bed({ perSecond: 10 })
    answers.push(() => {
      throw new AppError('overloaded')
    })
    assert.equal((await enter('a', 20_000)).refusal?.reason, 'limit')
  })
})

describe('places among requests at once', () => {
  it('are given back with the next question', async () => {
    const { enter, answers, takes, limiter } = bed({ concurrent: 2 })
    answers.push({ given: 1, busyUntilMs: 77 })
    const turn = await enter('a')
    limiter.leave(turn)
    await settle()
    assert.deepEqual(
      takes.map(({ wanted, done }) => [wanted, done]),
      [
        [1, []],
        [0, [77]],
      ],
    )
  })

  it('that nobody needs any more are given back', async () => {
    const { enter, answers, takes } = bed({ concurrent: 2 })
    answers.push({ given: 2, busyUntilMs: 77 })
    await enter('a')
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
  it('that is used up refuses until 00:00 UTC, without asking again, and then begins anew', async () => {
    const { enter, answers, takes, clock } = bed({ perDay: 100 })
    answers.push({ given: 0, why: 'day' })
    assert.deepEqual((await enter('a')).refusal, { reason: 'day', waitMs: 12 * 3_600_000 })
    clock.set(Date.UTC(2026, 0, 14, 23, 59, 59, 999) - 40_000)
    assert.equal((await enter('a')).refusal?.reason, 'day')
    assert.equal(takes.length, 1)
    clock.set(Date.UTC(2026, 0, 15))
    assert.equal((await enter('a')).refusal, null)
    assert.deepEqual(
      takes.map(({ day }) => day),
      [20_467, 20_468],
    )
  })

  it('ends for permits in hand, too: they are not used the next day, nor given back to it', async () => {
    const { enter, answers, takes, clock } = bed(
      { perDay: 10_000 },
      Date.UTC(2026, 0, 14, 23, 59, 50),
    )
    answers.push({ given: 9, validMs: 60_000 })
    await enter('a')
    clock.advance(10_000)
    await enter('a')
    assert.deepEqual(
      takes.map(({ dayBack }) => dayBack),
      [0, 0],
    )
  })
})

describe('a pause that the vendor asked for', () => {
  it('is waited for where there is time, and is refused at once where there is none', async () => {
    const { enter, limiter, passTime, takes } = bed()
    assert.equal(limiter.isFree, true)
    const ends: string[] = []
    limiter.pauseUntil(START_MS + 3_000)
    assert.equal(limiter.isFree, false)
    named(ends, 'patient', enter('a', 10_000))
    named(ends, 'hasty', enter('b', 5_000))
    await settle()
    assert.deepEqual(ends, ['hasty refused'])
    await passTime(2_999)
    assert.equal(ends.length, 1)
    await passTime(1)
    assert.deepEqual(ends, ['hasty refused', 'patient'])
    assert.deepEqual([limiter.isFree, takes.length], [true, 0])
  })

  it('ends the waiting of those who have no time for it', async () => {
    const { enter, limiter, answers } = bed({ perSecond: 1 })
    answers.push({ given: 0, why: 'rate', waitMs: 500 })
    const turn = enter('a', 10_000)
    await settle()
    limiter.pauseUntil(START_MS + 30_000)
    assert.deepEqual((await turn).refusal, { reason: 'limit', waitMs: 30_000 })
  })
})
