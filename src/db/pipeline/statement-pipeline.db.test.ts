import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanUp } from '../../../test/harness/clean-up.ts'
import { startLossyProxy } from '../../../test/harness/vendors/lossy-proxy.ts'
import { emptyDatabase } from '../../../test/harness/postgres.ts'
import { connectDatabase } from '../database.ts'
import { faultOf } from '../fault.ts'
import { StatementPipeline } from './statement-pipeline.ts'

const { database, target } = await emptyDatabase()
const proxy = await startLossyProxy(target)
const proxied = connectDatabase(proxy.address, { poolSize: 1 })
cleanUp(() => proxied.close())

const LONG_MS = 60_000
let made = 0

async function openLine(
  through = database,
  timeoutMs = LONG_MS,
): Promise<StatementPipeline & { readonly name: string }> {
  const name = `line ${(made += 1)}`
  const line = new StatementPipeline(through.connect(name), timeoutMs)
  await line.connect()
  cleanUp(() => line.cut())
  return Object.assign(line, { name: `tollgate ${name}` })
}

const asText = (name: string, count: number): { name: string; text: string } => ({
  name,
  text: `select ${Array.from({ length: count }, (_, place) => `$${place + 1}::text`).join(', ')}`,
})

test('returns values unchanged: empty, null, in every script, and long', async () => {
  const line = await openLine()
  const values = [
    '',
    null,
    'plain',
    'zażółć gęślą jaźń',
    '日本語 🦀 \u{10FFFF}',
    `"quoted" {braces} \\ '${'\n'}`,
    'x'.repeat(300_000),
    12,
    -0.5,
  ]
  const expected = values.map((value) => (value === null ? null : String(value)))
  for (const name of ['echo', 'echo', ''])
    assert.deepEqual(await line.query({ ...asText(name, values.length), values }), [expected])
})

test('parses a named statement once', async () => {
  const line = await openLine()
  for (const value of ['1', '2', '3'])
    assert.deepEqual(await line.query({ name: 'one', text: 'select $1::text', values: [value] }), [
      [value],
    ])
  assert.deepEqual(
    await line.query({
      name: '',
      text: "select count(*), min(name) from pg_prepared_statements where name <> ''",
      values: [],
    }),
    [['1', 'one']],
  )
})

test('answers pipelined statements in order, each with its own rows', async () => {
  const line = await openLine()
  const rows = {
    name: 'rows',
    text: 'select place, repeat($2, place) from generate_series(1, $1::integer) as place',
  }
  const answers = await Promise.all(
    [3, 0, 1].map((count) => line.query({ ...rows, values: [count, 'ab'] })),
  )
  assert.deepEqual(answers, [
    [
      ['1', 'ab'],
      ['2', 'abab'],
      ['3', 'ababab'],
    ],
    [],
    [['1', 'ab']],
  ])
})

test('a refused statement fails alone, with the reason', async () => {
  const line = await openLine()
  await database.query('create table few (amount integer constraint not_many check (amount < 10))')
  const add = { name: 'add', text: 'insert into few values ($1::integer) returning amount' }
  const outcomes = await Promise.allSettled([
    line.query({ ...add, values: [1] }),
    line.query({ ...add, values: [11] }),
    line.query({ ...add, values: ['no number'] }),
    line.query({ ...add, values: [2] }),
  ])
  const told = outcomes.map((outcome) =>
    outcome.status === 'fulfilled'
      ? outcome.value
      : [outcome.reason.code, outcome.reason.constraint, faultOf(outcome.reason)],
  )
  assert.deepEqual(told, [
    [['1']],
    ['23514', 'not_many', 'data'],
    ['22P02', undefined, 'data'],
    [['2']],
  ])
})

test('parses a statement again after a parse error', async () => {
  const line = await openLine()
  const late = { name: 'late', text: 'select kept from later', values: [] }
  const failed = await Promise.allSettled([line.query(late), line.query(late)])
  assert.deepEqual(
    failed.map((outcome) => outcome.status === 'rejected' && faultOf(outcome.reason)),
    ['data', 'contention'],
  )
  await database.query("create table later as select 'there' as kept")
  assert.deepEqual(await line.query(late), [['there']])
})

test('skips notices and changed settings', async () => {
  const line = await openLine()
  await database.query(
    "create function noisy() returns text language plpgsql as $$ begin raise warning 'loud'; set timezone = 'Asia/Tokyo'; return 'done'; end $$",
  )
  assert.deepEqual(await line.query({ name: 'noisy', text: 'select noisy()', values: [] }), [
    ['done'],
  ])
  assert.deepEqual(await line.query({ name: '', text: 'select 1', values: [] }), [['1']])
})

test('a closing server fails pending statements with its reason, and later ones immediately', async () => {
  const line = await openLine()
  const asked = Promise.allSettled(
    ['first', 'second'].map((name) =>
      line.query({ name, text: 'select pg_sleep(60)::text', values: [] }),
    ),
  )
  await database.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1',
    [line.name],
  )
  const [first, second] = await asked
  assert.ok(first?.status === 'rejected' && second?.status === 'rejected')
  assert.equal(first.reason.code, '57P01')
  assert.equal(faultOf(second.reason), 'connection')
  await line.lost
  await assert.rejects(
    line.query({ name: '', text: 'select 1', values: [] }),
    (error) => faultOf(error) === 'connection',
  )
})

test('a broken connection fails pending statements', async () => {
  const line = await openLine(proxied)
  const lost = proxy.loseNext('cut-answer')
  await assert.rejects(
    line.query({ name: '', text: 'select 1', values: [] }),
    (error) => faultOf(error) === 'connection',
  )
  await lost
  await line.lost
})

test('drops a silent server after the timeout', async () => {
  const line = await openLine(database, 20)
  await assert.rejects(
    line.query({ name: 'sleep', text: 'select pg_sleep(60)::text', values: [] }),
    {
      message: 'The database did not answer within 20 ms.',
    },
  )
})

test('closes its connection when it ends', async () => {
  const line = await openLine()
  assert.deepEqual(await line.query({ name: '', text: 'select 1', values: [] }), [['1']])
  await line.end()
  await line.lost
})
