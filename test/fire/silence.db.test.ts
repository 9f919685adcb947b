import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { cloneDatabase, databaseUrl } from '../harness/postgres.ts'
import { reportFigure } from '../harness/figure.ts'
import { startLossyProxy } from '../harness/vendors/lossy-proxy.ts'
import { makeKey, openFireBed, SEARCH } from './bed.ts'
import { ask, tally, type Answer } from './client.ts'
import { createJournal } from './journal.ts'
import { startLoad } from './load.ts'

const { database, target } = await cloneDatabase()
const bed = await openFireBed({ database, target })
const proxy = await startLossyProxy(target)
const gateways = await Promise.all(
  [1, 2].map(() => bed.start({ DATABASE_URL: databaseUrl(proxy.address) })),
)
const urlOf = (place: number): string => gateways[place % gateways.length]?.url ?? ''

// A machine that also runs other tests is slower than the guaranteed 15 and 5 seconds.
const RECOVERED_WITHIN_MS = 30_000
const REFUSED_WITHIN_MS = 10_000
const CALLS_WHILE_LOCKED = 24
const ASK_EVERY_MS = 250

test('calls succeed again soon after all database connections vanish silently', async (context) => {
  const account = await bed.account('1000000')
  const journal = createJournal()
  const load = startLoad({
    urls: () => gateways.map(({ url }) => url),
    key: account.key,
    journal,
    callers: 16,
  })
  // Two thirds of the callers read, so that the pool is in use.
  const reading = new AbortController()
  const readers = Array.from({ length: 32 }, async (_, place) => {
    const paths = ['/api/v1/transactions', '/api/v1/balance', '/api/v1/agents']
    while (!reading.signal.aborted)
      await ask({ url: urlOf(place), key: account.key, path: paths[place % paths.length] ?? '' })
  })
  await load.answered(200, ({ status }) => status === 200)

  proxy.vanish()
  const vanishedMs = performance.now()
  await load.answered(100, ({ status }) => status === 200)
  const backMs = performance.now() - vanishedMs
  const reads = await Promise.all(
    Array.from({ length: 24 }, (_, place) =>
      ask({ url: urlOf(place), key: account.key, path: '/api/v1/transactions' }),
    ),
  )
  reportFigure(context, {
    what: 'time until calls succeed after all database connections vanished silently',
    measured: `${(backMs / 1000).toFixed(1)} s`,
    must: '<= 15 s',
    isMet: backMs <= 15_000,
  })
  assert.ok(backMs < RECOVERED_WITHIN_MS, `${Math.round(backMs)} ms`)
  assert.deepEqual(tally(reads), { 200: 24 })
  for (const { url } of gateways) assert.equal((await fetch(`${url}/readyz`)).status, 200)

  // The reopened connections receive a revocation.
  const { id, key } = await makeKey(urlOf(0), account.key, {})
  assert.equal((await ask({ url: urlOf(1), key, path: SEARCH, body: { query: 'x' } })).status, 200)
  await ask({ url: urlOf(0), key: account.key, path: `/api/v1/agents/${id}`, method: 'DELETE' })
  const until = performance.now() + 20_000
  let answer: Answer
  do answer = await ask({ url: urlOf(1), key, path: SEARCH, body: { query: 'x' } })
  while (answer.status === 200 && performance.now() < until)
  assert.equal(answer.status, 401)

  reading.abort()
  await Promise.all(readers)
  await load.stop()
  await bed.passDeadlines()
  await bed.nothingHeld()
  await load.finish(urlOf(0))
  await bed.assertSound()
})

for (const table of ['wallets', 'transactions', 'keys']) {
  test(`while ${table} is locked, callers are rejected in seconds, then served again`, async (context) => {
    const account = await bed.account('1000')
    const call = (place: number): Promise<Answer> =>
      ask({
        url: urlOf(place),
        key: account.key,
        path: SEARCH,
        body: { query: 'x' },
        idempotencyKey: `${table} ${place}`,
      })
    assert.equal((await call(0)).status, 200)
    const locked = Promise.withResolvers<void>()
    const open = Promise.withResolvers<void>()
    const operator = database.withDeadline(120_000).transaction(async (tx) => {
      await tx.query("set local idle_in_transaction_session_timeout = '2min'")
      await tx.query(`lock table ${table} in access exclusive mode`)
      locked.resolve()
      await open.promise
    })
    await locked.promise
    const refusals: Answer[] = []
    let slowestMs = 0
    // Calls whose vendor responded before a settlement failed wait for their own settlement.
    const settling: Promise<Answer>[] = []
    async function askOne(place: number): Promise<void> {
      const askedMs = performance.now()
      const asked = call(place)
      const refusal = await Promise.race([asked, delay(REFUSED_WITHIN_MS, null, { ref: false })])
      if (refusal === null || refusal.status === 200) settling.push(asked)
      else {
        refusals.push(refusal)
        slowestMs = Math.max(slowestMs, performance.now() - askedMs)
      }
    }
    const asking: Promise<void>[] = []
    for (let place = 1; place <= CALLS_WHILE_LOCKED; place += 1) {
      asking.push(askOne(place))
      await delay(ASK_EVERY_MS)
    }
    await Promise.all(asking)
    open.resolve()
    await operator
    const openedMs = performance.now()
    let answer = await call(0)
    for (let place = 1000; answer.status !== 200; place += 1) answer = await call(place)
    context.diagnostic(
      `${refusals.length} refusals; served ${Math.round(performance.now() - openedMs)} ms after the lock`,
    )
    reportFigure(context, {
      what: `slowest 503 while \`${table}\` is locked`,
      measured: `${(slowestMs / 1000).toFixed(1)} s`,
      must: '<= 5 s',
      isMet: slowestMs <= 5_000,
    })
    for (const { status, headers } of refusals)
      assert.deepEqual([status, headers['retry-after']], [503, '1'])
    assert.ok(refusals.length > 0)
    for (const settled of await Promise.all(settling)) assert.equal(settled.status, 200)
    const charged = (await bed.charges()).filter(({ micros }) => micros > 0n).length
    assert.equal(charged, bed.vendor.requests.length, 'each answer of the vendor is charged once')
    await bed.assertSound()
  })
}
