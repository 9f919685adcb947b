/** Streams that the gateway reads to the end after their callers left: during a stop, and many concurrently. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  ask,
  HIDDEN,
  LIST,
  priceOf,
  PROMPT_TOKENS,
  start,
  WORDS,
} from '../harness/clients/left-calls.ts'
import { openLeavingCaller } from '../harness/clients/leaving-caller.ts'
import { eventsOf, stream, type Asked } from '../harness/vendors/model-upstream.ts'
import { openRouterBed, type RouterBed } from '../harness/beds/router.ts'

describe('a stop of the gateway', () => {
  const events = eventsOf(WORDS, HIDDEN)

  async function leftStream(): Promise<{ on: RouterBed; asked: Asked }> {
    const on = await openRouterBed()
    on.upstream.list = LIST
    const asked = Promise.withResolvers<Asked>()
    on.upstream.answerWith((one) => {
      start(one, events.slice(0, 3))
      asked.resolve(one)
    })
    const caller = openLeavingCaller(on, { body: ask('thinking/one') })
    await caller.received(1)
    await caller.leave()
    return { on, asked: await asked.promise }
  }

  test('waits for a stream that is read on, and settles it', async () => {
    const { on, asked } = await leftStream()
    let hasStopped = false
    const stopped = on.stop().then(() => (hasStopped = true))
    while (
      await fetch(`${on.url}/pricing`).then(
        () => true,
        () => false,
      )
    )
      await new Promise((turn) => setImmediate(turn))
    assert.deepEqual([hasStopped, (await on.posted()).length], [false, 0])
    asked.response.end(events.slice(3).join(''))
    await stopped
    assert.equal((await on.posted())[0]?.charged, priceOf(11, 505))
  })

  test('cuts off a stream that takes longer than a stop may, and charges what came', async () => {
    const { on, asked } = await leftStream()
    await on.router.answers.settled(0)
    await asked.closed
    const [row] = await on.posted()
    assert.deepEqual([row?.charged, row?.status], [priceOf(PROMPT_TOKENS, 2), 'settled'])
  })
})

test('a stop that takes too long asks no further model', async () => {
  const on = await openRouterBed({
    tiers: new Map([['core/cheap', ['thinking/one', 'unknown/one']]]),
  })
  on.upstream.list = LIST
  const asked = Promise.withResolvers<Asked>()
  on.upstream.answerWith((one) => asked.resolve(one))
  const caller = openLeavingCaller(on, { body: ask('core/cheap'), idempotencyKey: 'stopped' })
  await asked.promise
  await caller.leave()
  await on.router.answers.settled(0)
  const [row] = await on.posted()
  assert.deepEqual(
    [row?.status, row?.charged, row?.error_code, on.upstream.asked.length],
    ['released', 0n, 'shutting_down', 1],
  )
})

describe('streams that many callers leave concurrently', () => {
  test('count towards the day in full, whose cap is never passed', async () => {
    const fresh = await openRouterBed()
    fresh.upstream.list = LIST
    const events = eventsOf(WORDS, HIDDEN)
    const body = ask('thinking/one')
    fresh.upstream.answerWith((one) => stream(one, events))
    await (await fresh.post(body)).text()
    const [{ held, charged } = assert.fail()] = await fresh.posted()
    const { database } = fresh.world
    await database.query('update inference_days set cap_micros = $2 where wallet_id = $1', [
      fresh.walletId,
      charged + 5n * held,
    ])
    const gone = Promise.withResolvers<void>()
    fresh.upstream.answerWith((one) => {
      start(one, events.slice(0, 2))
      void gone.promise.then(() => one.response.end(events.slice(2).join('')))
    })
    const callers = Array.from({ length: 30 }, () => openLeavingCaller(fresh, { body }))
    // Five streams begin, the others are refused; each has something to read.
    await Promise.all(callers.map((caller) => caller.received(1)))
    await Promise.all(callers.map((caller) => caller.leave()))
    gone.resolve()
    const rows = await fresh.postedCount(6)
    const sum = rows.reduce((total, row) => total + row.charged, 0n)
    const { rows: days } = await database.query<{ used: bigint }>(
      'select used_micros as used from inference_days where wallet_id = $1',
      [fresh.walletId],
    )
    assert.deepEqual([rows.length, days[0]?.used, sum], [6, sum, 6n * priceOf(11, 505)])
    assert.ok(await fresh.isSound())
  })
})
