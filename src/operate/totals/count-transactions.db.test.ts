import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld, WEDNESDAY } from '../../../test/harness/beds/world.ts'
import { DAY_MS } from '../../lib/clock.ts'
import { newId } from '../../lib/ids.ts'
import { readAttention } from '../read-attention.ts'
import { createCountingPass, forgetHours } from './count-transactions.ts'
import { medianOf, readHours, readServiceDays, readTopAccounts } from './read-totals.ts'

const world = await createWorld()
const { database } = world
const TODAY = Math.floor(WEDNESDAY / DAY_MS)
const PERIOD = { mode: 'live', fromDay: TODAY - 3, untilDay: TODAY + 3 } as const

const LIMITS = { statements: 100, wallets: 3, transactions: 100, atOnce: 100 }
/** One pass of a process that has counted before, so it reads marked wallets only. */
const count = createCountingPass({ database, limits: LIMITS, onError: assert.ifError })
await count()

/** The totals that a scan of all transactions gives. */
async function scan() {
  const { rows } = await database.query(
    `select day, service, kind, count(*) as transactions, count(*) filter (where status = 'released') as failed, sum(amount_micros)::bigint as amount_micros
     from (select day, coalesce(service, '') as service, kind, status, amount_micros from transactions join wallets on wallets.id = wallet_id where mode = 'live') as live
     group by day, service, kind order by day, service, kind`,
  )
  return rows
}

async function counted() {
  const { rows } = await database.query(
    "select day, service, kind, transactions, failed, amount_micros from service_days where mode = 'live' order by day, service, kind",
  )
  return rows
}

test('counts each transaction once, also those that end days after later ones', async () => {
  const [one, other] = [await world.account(), await world.account()]
  const late = await world.ledger.hold({
    id: newId(world.now()),
    walletId: one.caller.walletId,
    budgetId: one.caller.budgetId,
    ancestorIds: one.caller.ancestorIds,
    amount: 10_000n,
    deadlineMs: world.now() + 30 * DAY_MS,
    kind: 'job',
    service: 'core',
    action: 'onescrape',
    externalId: null,
    claim: null,
  })
  await world.call(one.caller, { charge: '1' })
  await world.call(other.caller, { errorCode: 'upstream_not_configured' })
  assert.equal(await count(), 6)
  assert.equal(await count(), 0)
  world.now.advance(2 * DAY_MS)
  await world.call(one.caller, { charge: '1', service: 'rag' })
  assert.equal(await count(), 1)
  assert.ok(late.opened)
  await world.ledger.resolve({
    hold: late,
    charge: 10_000n,
    latencyMs: 900,
    errorCode: null,
    hops: null,
  })
  assert.equal(await count(), 1)
  assert.deepEqual(await counted(), await scan())
})

test('two processes that count at the same time count once', async () => {
  const { caller } = await world.account()
  for (let call = 0; call < 20; call += 1) await world.call(caller)
  await Promise.all([count(), count()])
  await count()
  assert.deepEqual(await counted(), await scan())
})

test('reads revenue, failures and latency from the totals', async () => {
  const days = await readServiceDays(database, PERIOD)
  const semantic = days.filter(({ service }) => service === 'semantic')
  assert.deepEqual(
    semantic.map(({ calls, failed, revenue }) => [calls, failed, revenue]),
    [
      [2, 1, 10_000n],
      [20, 0, 200_000n],
    ],
  )
  const hours = await readHours(database, {
    mode: 'live',
    fromHour: (TODAY - 1) * 24,
    untilHour: (TODAY + 4) * 24,
  })
  const failing = hours.filter(({ errors }) => Object.keys(errors).length > 0)
  assert.deepEqual(
    failing.map(({ service, errors }) => [service, errors]),
    [['semantic', { upstream_not_configured: 1 }]],
  )
  // Half octaves: 120 ms is in the step from 90 to 128 ms.
  assert.ok(
    hours.every(
      ({ service, steps }) => service !== 'semantic' || [108, null].includes(medianOf(steps)),
    ),
  )
  const top = await readTopAccounts(database, { ...PERIOD, limit: 2 })
  assert.deepEqual(
    top.map(({ revenue }) => revenue),
    [200_000n, 30_000n],
  )
})

test('deletes hours after 35 days and keeps days', async () => {
  const before = await counted()
  assert.equal(await forgetHours(database, WEDNESDAY), 0)
  assert.ok((await forgetHours(database, WEDNESDAY + 60 * DAY_MS)) > 0)
  assert.deepEqual(await counted(), before)
})

test('counts a wallet in bounded steps, and reports incomplete totals until the last one', async () => {
  const { caller } = await world.account()
  for (let call = 0; call < 24; call += 1) {
    world.now.advance(DAY_MS / 24)
    await world.call(caller, { service: 'steps' })
  }
  const steps: [number, boolean][] = []
  const limits = { statements: 3, wallets: 3, transactions: 8, atOnce: 8 }
  const step = createCountingPass({ database, limits, onError: assert.ifError })
  for (let last = -1; last !== 0;) {
    last = await step()
    steps.push([last, (await readAttention(world)).counted])
  }
  // The grants of both wallets, and 24 calls.
  assert.deepEqual(steps, [
    [9, false],
    [16, false],
    [1, true],
    [0, true],
  ])
  assert.deepEqual(await counted(), await scan())
})

test('counts the other wallets when one fails, also more than one statement lists', async () => {
  const broken = await world.account()
  const others = 4
  for (let made = 0; made < others; made += 1) await world.account()
  const shift = (by: number) =>
    database.query('update wallets set posted = posted + $2 where id = $1', [
      broken.caller.walletId,
      by,
    ])
  await shift(1)
  const errors: string[] = []
  const reporting = createCountingPass({
    database,
    limits: LIMITS,
    onError: (_error, what) => void errors.push(what),
  })
  // Each account has a grant in each mode.
  assert.equal(await reporting(), 2 * others + 1)
  assert.deepEqual(errors, [
    `the transactions of wallet ${broken.caller.walletId} were not counted`,
  ])
  assert.equal((await readAttention(world)).counted, false)
  await shift(-1)
  assert.equal(await count(), 1)
  assert.deepEqual(await counted(), await scan())
})

test('commits totals without a wait for the disk', async () => {
  const { caller } = await world.account()
  await world.call(caller)
  const settings: string[] = []
  await createCountingPass({
    database: {
      ...database,
      transaction: (work) =>
        database.transaction(async (tx) => {
          // Databases of tests never wait.
          await tx.query('set local synchronous_commit to on')
          const result = await work(tx)
          const { rows } = await tx.query<{ setting: string }>(
            "select current_setting('synchronous_commit') as setting",
          )
          settings.push(rows[0]?.setting ?? '')
          return result
        }),
    },
    onError: assert.ifError,
  })()
  assert.deepEqual([...new Set(settings)], ['off'])
  assert.deepEqual(await counted(), await scan())
})

test('takes as many statements for many wallets as for one', async () => {
  let statements = 0
  const counting = createCountingPass({
    database: {
      query: (...query) => ((statements += 1), database.query(...query)),
      transaction: (work) => ((statements += 1), database.transaction(work)),
    },
    onError: assert.ifError,
  })
  await counting()
  const taken: number[] = []
  for (const accounts of [1, 30]) {
    const callers = []
    for (let made = 0; made < accounts; made += 1) callers.push((await world.account()).caller)
    for (const caller of callers) await world.call(caller)
    statements = 0
    assert.equal(await counting(), 3 * accounts)
    taken.push(statements)
  }
  assert.equal(taken[1], taken[0])
  assert.deepEqual(await counted(), await scan())
})

test('counts nothing of a statement that fails, and all of it in the next pass', async () => {
  const { caller } = await world.account()
  await world.call(caller)
  await assert.rejects(
    createCountingPass({
      database: {
        ...database,
        transaction: (work) =>
          database.transaction(async (tx) => {
            await work(tx)
            throw new TypeError('the process ends')
          }),
      },
      onError: assert.ifError,
    })(),
    TypeError,
  )
  assert.equal(await count(), 3)
  assert.deepEqual(await counted(), await scan())
})

test('reads no wallet again that has been idle for a minute', async () => {
  const { caller } = await world.account()
  await world.call(caller)
  let nowMs = 0
  const counting = createCountingPass({
    database,
    onError: assert.ifError,
    monotonicMs: () => nowMs,
  })
  const marks = async () => {
    await counting()
    const { rows } = await database.query<{ marks: bigint }>(
      'select count(*) as marks from uncounted_wallets where wallet_id = $1',
      [caller.walletId],
    )
    return Number(rows[0]?.marks)
  }
  assert.equal(await marks(), 1)
  nowMs = 59_999
  assert.equal(await marks(), 1)
  nowMs = 60_000
  assert.equal(await marks(), 0)
})

test('counts what a process of a former version posted without a mark, after a start', async () => {
  const { caller } = await world.account()
  await world.call(caller)
  await database.query('delete from uncounted_wallets')
  assert.equal(await count(), 0)
  assert.equal(await createCountingPass({ database, onError: assert.ifError })(), 3)
  assert.deepEqual(await counted(), await scan())
})

test('waits for no commit that marks a wallet', async () => {
  const { caller } = await world.account()
  await world.call(caller)
  let nowMs = 0
  const monotonicMs = () => nowMs
  const counting = createCountingPass({ database, onError: assert.ifError, monotonicMs })
  const mark = 'select mark_uncounted(array[$1::bigint])'
  await database.transaction(async (tx) => {
    await tx.query('delete from uncounted_wallets where wallet_id = $1', [caller.walletId])
    await tx.query(mark, [caller.walletId])
    assert.equal(await counting(), 3)
  })
  nowMs = 60_000
  await database.transaction(async (tx) => {
    await tx.query(mark, [caller.walletId])
    assert.equal(await counting(), 0)
  })
})
