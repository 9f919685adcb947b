import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AppError } from '../../errors/app-error.ts'
import { createSlots } from './fair-slots.ts'
import { manualTiming } from './testing/manual-timing.ts'

describe('fair slots', () => {
  const patient = { accountId: 'a', signal: new AbortController().signal }

  it('waits when all places are taken and serves first come, first served', async () => {
    const slots = createSlots({ places: 2, perAccount: 2, waiting: 10, what: 'a turn' })
    const leave = [await slots.take(patient), await slots.take(patient)]
    const entered: string[] = []
    const third = slots.take(patient).then((giveBack) => (entered.push('third'), giveBack))
    const fourth = slots.take(patient).then((giveBack) => (entered.push('fourth'), giveBack))
    await Promise.resolve()
    assert.deepEqual(entered, [])
    leave[1]?.()
    const leaveThird = await third
    assert.deepEqual(entered, ['third'])
    leaveThird()
    await fourth
    assert.deepEqual(entered, ['third', 'fourth'])
  })

  it('reports how many places are taken and how many requests wait', async () => {
    const slots = createSlots({ places: 2, perAccount: 2, waiting: 10, what: 'a turn' })
    assert.deepEqual(slots.use(), { places: 2, taken: 0, waiting: 0 })
    const leave = [await slots.take(patient), await slots.take(patient)]
    const third = slots.take(patient)
    assert.deepEqual(slots.use(), { places: 2, taken: 2, waiting: 1 })
    leave[0]?.()
    ;(await third)()
    assert.deepEqual(slots.use(), { places: 2, taken: 1, waiting: 0 })
  })

  it('rejects requests beyond the queue limit with overloaded', async () => {
    const slots = createSlots({ places: 1, waiting: 1, what: 'a turn' })
    const leave = await slots.take(patient)
    const waiting = slots.take(patient)
    await assert.rejects(
      slots.take(patient),
      (error: unknown) =>
        error instanceof AppError && error.code === 'overloaded' && error.retryAfterSeconds === 5,
    )
    leave()
    await waiting
  })

  it('gives a place to the account with the fewest', async () => {
    const slots = createSlots({ places: 3, perAccount: 3, waiting: 30, what: 'a turn' })
    const leave = [await slots.take(patient), await slots.take(patient), await slots.take(patient)]
    const entered: string[] = []
    const wait = (accountId: string) =>
      slots.take({ ...patient, accountId }).then((giveBack) => (entered.push(accountId), giveBack))
    const busy = Array.from({ length: 5 }, () => wait('a'))
    const others = [wait('b'), wait('c')]
    leave[0]?.()
    leave[1]?.()
    await Promise.all(others)
    assert.deepEqual(entered, ['b', 'c'])
    leave[2]?.()
    await busy[0]
    assert.deepEqual(entered, ['b', 'c', 'a'])
  })

  it('rejects an account that fills the queue with rate_limited while others still wait', async () => {
    const slots = createSlots({ places: 1, waiting: 6, what: 'a turn' })
    const leave = await slots.take(patient)
    const waiting = [slots.take(patient), slots.take(patient), slots.take(patient)]
    await assert.rejects(
      slots.take(patient),
      (error: unknown) =>
        error instanceof AppError && error.code === 'rate_limited' && error.retryAfterSeconds === 5,
    )
    const other = slots.take({ ...patient, accountId: 'b' })
    leave()
    await Promise.all([...waiting, other].map(async (turn) => (await turn)()))
  })

  it('a request that leaves the queue frees its spot and takes no place', async () => {
    const slots = createSlots({ places: 1, waiting: 1, what: 'a turn' })
    const leave = await slots.take(patient)
    const impatient = new AbortController()
    const gone = assert.rejects(slots.take({ accountId: 'a', signal: impatient.signal }), {
      name: 'AbortError',
    })
    impatient.abort()
    await gone
    const next = slots.take(patient)
    assert.deepEqual(slots.use(), { places: 1, taken: 1, waiting: 1 })
    leave()
    await next
    assert.deepEqual(slots.use(), { places: 1, taken: 1, waiting: 0 })
  })

  it('releasing a place twice frees one place', async () => {
    const slots = createSlots({ places: 1, waiting: 0, what: 'a turn' })
    const leave = await slots.take(patient)
    leave()
    leave()
    await slots.take(patient)
    await assert.rejects(slots.take(patient), AppError)
  })

  it('leaves a place for other accounts', async () => {
    const slots = createSlots({ places: 3, waiting: 30, what: 'a turn' })
    const entered: string[] = []
    const wait = (accountId: string) =>
      slots.take({ ...patient, accountId }).then((giveBack) => (entered.push(accountId), giveBack))
    const thief = Array.from({ length: 5 }, () => wait('thief'))
    const other = wait('other')
    const leaveOther = await other
    assert.deepEqual(entered, ['thief', 'thief', 'other'])
    leaveOther()
    await wait('other')
    assert.deepEqual(
      entered.slice(3),
      ['other'],
      'the place that is left goes to no third call of the first account',
    )
    ;(await thief[0])?.()
    await thief[2]
    assert.deepEqual(
      [entered.slice(4), slots.use()],
      [['thief'], { places: 3, taken: 3, waiting: 2 }],
    )
  })

  it('lets one account have the only place', async () => {
    const slots = createSlots({ places: 1, waiting: 3, what: 'a turn' })
    const leave = await slots.take(patient)
    const next = slots.take(patient)
    assert.deepEqual(slots.use(), { places: 1, taken: 1, waiting: 1 })
    leave()
    await next
    assert.deepEqual(slots.use(), { places: 1, taken: 1, waiting: 0 })
  })

  it('reports whether another account waits, except accounts that hold their share', async () => {
    const slots = createSlots({ places: 3, perAccount: 2, waiting: 10, what: 'a turn' })
    const taken = [
      await slots.take(patient),
      await slots.take(patient),
      await slots.take({ ...patient, accountId: 'b' }),
    ]
    const more = slots.take(patient)
    assert.deepEqual([slots.isWantedFrom('a'), slots.isWantedFrom('b')], [false, false])
    const other = slots.take({ ...patient, accountId: 'b' })
    assert.deepEqual([slots.isWantedFrom('a'), slots.isWantedFrom('b')], [true, false])
    taken[0]?.()
    ;(await other)()
    await more
  })

  describe('with work that yields', () => {
    const other = { ...patient, accountId: 'b' }

    it('ends work that is older than its time when an account without a place waits', async () => {
      const clock = manualTiming()
      const slots = createSlots({ places: 1, waiting: 9, what: 'a turn', timing: clock.timing })
      const ended: number[] = []
      const leave = await slots.take(patient, {
        afterMs: 5_000,
        end: () => (ended.push(clock.nowMs()), leave()),
      })
      await clock.advance(3_000)
      const waiting = slots.take(other)
      await clock.advance(1_999)
      assert.deepEqual(ended, [])
      await clock.advance(1)
      ;(await waiting)()
      assert.deepEqual(ended, [5_000])
    })

    it('ends one work for each account that waits, first that of the account with most', async () => {
      const clock = manualTiming()
      const slots = createSlots({ places: 3, waiting: 9, what: 'a turn', timing: clock.timing })
      const ended: string[] = []
      const enter = (accountId: string, name: string) =>
        slots.take({ ...patient, accountId }, { afterMs: 1_000, end: () => void ended.push(name) })
      await enter('single', 'single')
      await enter('double', 'first')
      await enter('double', 'second')
      await clock.advance(9_000)
      const further = [slots.take(other), slots.take({ ...patient, accountId: 'single' })]
      assert.deepEqual(ended, ['first'])
      further.push(slots.take({ ...patient, accountId: 'c' }))
      assert.deepEqual(ended, ['first', 'second'])
    })

    it('ends nothing for the account itself or one that has a place', async () => {
      const clock = manualTiming()
      const slots = createSlots({ places: 2, waiting: 9, what: 'a turn', timing: clock.timing })
      const end = (): never => assert.fail('ended')
      await slots.take(patient, { afterMs: 1, end })
      await slots.take(other, { afterMs: 1, end })
      const waiting = [slots.take(patient), slots.take(other)]
      await clock.advance(60_000)
      assert.deepEqual(slots.use(), { places: 2, taken: 2, waiting: waiting.length })
    })
  })
})
