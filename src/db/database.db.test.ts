import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanUp } from '../../test/harness/clean-up.ts'
import { emptyDatabase } from '../../test/harness/postgres.ts'
import type { AppError } from '../errors/app-error.ts'
import { newId } from '../lib/ids.ts'
import { connectDatabase } from './database.ts'

const { database, target } = await emptyDatabase()
await database.query('create table things (id uuid primary key, amount bigint)')

const single = connectDatabase(target, { poolSize: 1 })
cleanUp(() => single.close())

const END_OTHERS =
  'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'

test('writes and reads integers beyond 2^53 exactly', async () => {
  const { rows } = await database.query(
    'select $1::bigint as least, $2::bigint as most, $3::bigint as odd',
    [-(2n ** 63n), 2n ** 63n - 1n, 2n ** 53n + 1n],
  )
  assert.deepEqual(rows, [
    { least: -(2n ** 63n), most: 2n ** 63n - 1n, odd: 9_007_199_254_740_993n },
  ])
})

test('reads an id in its original form', async () => {
  const id = newId(Date.UTC(2026, 0, 14))
  const { rows } = await database.query<{ id: string }>('select $1::uuid as id', [id])
  assert.equal(rows[0]?.id, id)
})

test('reads a time with its milliseconds', async () => {
  const moment = new Date(Date.UTC(2026, 0, 14, 12, 0, 0, 123))
  const { rows } = await database.query('select $1::timestamptz as moment', [moment])
  assert.deepEqual(rows, [{ moment }])
})

test('commits a transaction when its work returns, and rolls it back when it throws', async () => {
  const [kept, lost] = [newId(1), newId(2)]
  await database.transaction((tx) => tx.query('insert into things values ($1, 1)', [kept]))
  const failing = database.transaction(async (tx) => {
    await tx.query('insert into things values ($1, 1)', [lost])
    throw new RangeError('changed my mind')
  })
  await assert.rejects(failing, { message: 'changed my mind' })
  const { rows } = await database.query('select id from things where id = any($1)', [[kept, lost]])
  assert.deepEqual(rows, [{ id: kept }])
})

test('a failed statement in a transaction leaves a working connection', async () => {
  await assert.rejects(
    single.transaction((tx) => tx.query('select 1 / 0')),
    { code: '22012' },
  )
  assert.deepEqual((await single.query('select 1 as one')).rows, [{ one: 1 }])
})

test('a process that freezes in a transaction loses its locks soon', async () => {
  // Long enough for a busy machine to request the lock before its release.
  const frozen = connectDatabase(target, { poolSize: 2, silenceMs: 2_000 })
  cleanUp(() => frozen.close())
  const id = newId(4)
  await database.query('insert into things values ($1, 0)', [id])
  const locked = Promise.withResolvers<void>()
  const woken = Promise.withResolvers<void>()
  const late = frozen.transaction(async (tx) => {
    await tx.query('update things set amount = 1 where id = $1', [id])
    locked.resolve()
    await woken.promise
    await tx.query('select 1')
  })
  await locked.promise
  const next = frozen.transaction((tx) =>
    tx.query('update things set amount = 5 where id = $1', [id]),
  )
  await assert.rejects(next, { code: 'overloaded' }, 'or it would get the lock in its turn')
  await database.query('update things set amount = amount + 2 where id = $1', [id])
  woken.resolve()
  await assert.rejects(late, { code: 'overloaded' })
  assert.deepEqual((await database.query('select amount from things where id = $1', [id])).rows, [
    { amount: 2n },
  ])
  assert.deepEqual((await frozen.query('select 1 as one')).rows, [{ one: 1 }])
})

test('a connection that breaks between two statements fails only its transaction', async () => {
  const lost = newId(3)
  const broken = single.transaction(async (tx) => {
    await tx.query('insert into things values ($1, 1)', [lost])
    await database.query(END_OTHERS)
    await tx.query('select 1')
  })
  await assert.rejects(broken, { code: 'overloaded' })
  assert.deepEqual(
    (await single.query('select count(*) as kept from things where id = $1', [lost])).rows,
    [{ kept: 0n }],
  )
})

test('reports an unreachable database as overloaded, not as a fault of the statement', async () => {
  const away = connectDatabase({ ...target, host: '/nowhere' }, { poolSize: 1 })
  for (const asked of [away.query('select 1'), away.transaction((tx) => tx.query('select 1'))]) {
    await assert.rejects(
      asked,
      (error: AppError) =>
        error.code === 'overloaded' &&
        error.retryAfterSeconds === 1 &&
        (error.cause as { code: string }).code === 'ENOENT',
    )
  }
  await away.close()
})

test('reports contention as overloaded, and a refusal for the data unchanged', async () => {
  const raise = (code: string): Promise<unknown> =>
    database.query(`do $$ begin raise 'lost' using errcode = '${code}'; end $$`)
  await assert.rejects(raise('deadlock_detected'), { code: 'overloaded' })
  await assert.rejects(raise('unique_violation'), { code: '23505' })
})

test('replaces a broken idle connection', async () => {
  await single.query('select 1')
  await database.query(END_OTHERS)
  const answered = await single
    .query('select 1 as one')
    .catch(() => single.query('select 1 as one'))
  assert.deepEqual(answered.rows, [{ one: 1 }])
})

test('a separate connection breaks without ending the process', async () => {
  const client = database.connect('test')
  await client.connect()
  const ended = new Promise((done) => client.once('end', done))
  await database.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'tollgate test'",
  )
  await assert.doesNotReject(ended)
})
