import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { cleanUp } from '../../test/harness/clean-up.ts'
import { startLossyProxy } from '../../test/harness/vendors/lossy-proxy.ts'
import { tryTimeLimits } from '../../test/harness/try-time-limits.ts'
import { databaseUrl, emptyDatabase } from '../../test/harness/postgres.ts'
import { AppError } from '../errors/app-error.ts'
import {
  connectDatabase,
  type ConnectOptions,
  type Database,
  type DatabaseTarget,
} from './database.ts'
import { listenTo } from './listen.ts'

const { database, target } = await emptyDatabase()
await database.query('create table things (id integer primary key, amount integer)')
await database.query('insert into things values (1, 0)')

function connectTo(where: DatabaseTarget, options: ConnectOptions = {}): Database {
  const connected = connectDatabase(where, options)
  cleanUp(() => connected.close())
  return connected
}

const isAway = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'overloaded' && error.retryAfterSeconds === 1
const LIMITS = [200, 2_000, 20_000] as const
const one = async (asked: Promise<{ readonly rows: unknown[] }>): Promise<void> =>
  assert.deepEqual((await asked).rows, [{ one: 1 }])

test('a query without a response fails at its deadline, and its connection is dropped', () =>
  tryTimeLimits(LIMITS, async (queryMs) => {
    const proxy = await startLossyProxy(target)
    const single = connectTo(proxy.address, { poolSize: 1, queryMs })
    await one(single.query('select 1 as one'))
    proxy.vanish()
    await assert.rejects(single.query('select 1 as one'), isAway)
    await one(single.query('select 1 as one'))
  }))

test('one timeout drops all connections that disappeared silently', () =>
  tryTimeLimits(LIMITS, async (queryMs) => {
    const proxy = await startLossyProxy(target)
    const pool = connectTo(proxy.address, { poolSize: 8, queryMs })
    await Promise.all(Array.from({ length: 8 }, () => pool.query('select pg_sleep(0.01)')))
    assert.ok(pool.poolUse().open > 1)
    proxy.vanish()
    await assert.rejects(pool.query('select 1 as one'), isAway)
    for (let asked = 0; asked < 8; asked += 1) await one(pool.query('select 1 as one'))
  }))

for (const [words, steps] of [
  ['a statement', 'select 1'],
  ['its commit', null],
] as const) {
  test(`a transaction without a response to ${words} fails at its deadline`, () =>
    tryTimeLimits(LIMITS, async (queryMs) => {
      const proxy = await startLossyProxy(target)
      const single = connectTo(proxy.address, { poolSize: 1, queryMs })
      const work = single.transaction(async (tx) => {
        proxy.vanish()
        if (steps !== null) await tx.query(steps)
      })
      await assert.rejects(work, isAway)
      await one(single.query('select 1 as one'))
    }))
}

test('a transaction of quick statements has a deadline', () =>
  tryTimeLimits(LIMITS, async (transactionMs) => {
    const hurried = connectTo(target, { poolSize: 1, transactionMs })
    await assert.rejects(
      hurried.transaction(async (tx) => {
        for (;;) await tx.query('select 1')
      }),
      isAway,
    )
    await one(hurried.query('select 1 as one'))
  }))

test('a query on a locked table fails within five seconds, and works after the unlock', async () => {
  const locked = Promise.withResolvers<void>()
  const open = Promise.withResolvers<void>()
  const operator = database.transaction(async (tx) => {
    await tx.query('lock table things in access exclusive mode')
    locked.resolve()
    await open.promise
  })
  await locked.promise
  const askedMs = performance.now()
  const callers = connectTo(target, { poolSize: 4 })
  const outcomes = await Promise.allSettled(
    Array.from({ length: 12 }, () => callers.query('select amount from things')),
  )
  const waitedMs = performance.now() - askedMs
  open.resolve()
  await operator
  for (const outcome of outcomes) assert.ok(outcome.status === 'rejected' && isAway(outcome.reason))
  assert.ok(waitedMs < 10_000, `answered after ${Math.round(waitedMs)} ms`)
  await callers.query('select amount from things')
})

test('large reads can have a longer deadline, per query and in total', async () => {
  const hurried = connectTo(target, { poolSize: 1, queryMs: 50, transactionMs: 50 })
  const slow = hurried.withDeadline(60_000)
  assert.equal((await slow.query('select pg_sleep(0.2)')).count, 1)
  const { count } = await slow.transaction((tx) => tx.query('select pg_sleep(0.2)'))
  assert.equal(count, 1)
})

test('a listener whose connection disappeared reports a gap and reconnects', async () => {
  const proxy = await startLossyProxy(target)
  const heard: string[] = []
  const gaps = { count: 0 }
  const listener = listenTo({
    database: connectTo(proxy.address),
    purpose: 'test',
    channel: 'things',
    beatMs: 100,
    onMessage: (payload) => heard.push(payload),
    onGap: () => (gaps.count += 1),
    pause: async () => {},
  })
  cleanUp(() => listener.close())
  await listener.ready
  const before = gaps.count
  proxy.vanish()
  // One gap when the connection is dropped, one when the next one listens.
  while (gaps.count < before + 2 || !listener.isListening()) await delay(10)
  await database.query("select pg_notify('things', 'changed')")
  while (heard.length === 0) await delay(10)
  assert.deepEqual(heard, ['changed'])
})

test('uses the primary of several hosts, and the new one after a failover', () =>
  tryTimeLimits(LIMITS, async (queryMs) => {
    const [first, second] = await Promise.all([startLossyProxy(target), startLossyProxy(target)])
    const many = connectTo(
      `postgres://tollgate@/${target.database}?host=/nowhere,${first.address.host},${second.address.host}&target_session_attrs=read-write`,
      { queryMs },
    )
    await one(many.query('select 1 as one'))
    first.shut()
    // The broken connection, its host, and the new primary.
    const answered = await many
      .query('select 1 as one')
      .catch(() => many.query('select 1 as one').catch(() => many.query('select 1 as one')))
    assert.deepEqual(answered.rows, [{ one: 1 }])
    const client = many.connect('test')
    await client.connect()
    await client.end()
  }))

test('refuses a standby for each new connection, and leaves a demoted primary', async () => {
  const { database: own, target: demoted } = await emptyDatabase()
  await own.query('create table things (id integer)')
  const pool = connectTo(databaseUrl(demoted), { poolSize: 1 })
  await pool.query('insert into things values (1)')
  await own.query(`alter database ${demoted.database} set default_transaction_read_only = on`)
  // The error of sessions on a demoted primary.
  await assert.rejects(
    pool.query('set transaction read only; insert into things values (2)'),
    isAway,
  )
  await assert.rejects(
    pool.query('select 1 as one'),
    (error) => isAway(error) && /accepts no writes/.test(String((error as Error).cause)),
  )
  const client = pool.connect('test')
  await assert.rejects(client.connect(), { code: '25006' })
  await own.query(`alter database ${demoted.database} reset default_transaction_read_only`)
})
