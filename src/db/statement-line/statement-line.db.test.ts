import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanUp } from '../../../test/harness/clean-up.ts'
import { startLossyProxy } from '../../../test/harness/lossy-proxy.ts'
import { emptyDatabase } from '../../../test/harness/postgres.ts'
import { connectDatabase } from '../database.ts'
import { faultOf } from '../fault.ts'
import { StatementLine } from './statement-line.ts'

const { database, target } = await emptyDatabase()
const proxy = await startLossyProxy(target)
const proxied = connectDatabase(proxy.address, { poolSize: 1 })
cleanUp(() => proxied.close())

const LONG_MS = 60_000
let made = 0

async function openLine(
  through = database,
  timeoutMs = LONG_MS,
): Promise<StatementLine & { readonly name: string }> {
  const name = `line ${(made += 1)}`
  const line = new StatementLine(through.connect(name), timeoutMs)
  await line.connect()
  cleanUp(() => line.cut())
  return Object.assign(line, { name: `tollgate ${name}` })
}

const asText = (name: string, count: number): { name: string; text: string } => ({
  name,
  text: `select ${Array.from({ length: count }, (_, place) => `$${place + 1}::text`).join(', ')}`,
})

test('values come back as they went in: empty, missing, in every script, and long', async () => {
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
    assert.deepEqual(await line.ask({ ...asText(name, values.length), values }), [expected])
})

test('a statement is parsed once, and known by its name from then on', async () => {
  const line = await openLine()
  for (const value of ['1', '2', '3'])
    assert.deepEqual(await line.ask({ name: 'one', text: 'select $1::text', values: [value] }), [
      [value],
    ])
  assert.deepEqual(
    await line.ask({
      name: '',
      text: "select count(*), min(name) from pg_prepared_statements where name <> ''",
      values: [],
    }),
    [['1', 'one']],
  )
})

test('what is asked before the last answer came is answered in turn, each with its own rows', async () => {
  const line = await openLine()
  const rows = {
    name: 'rows',
    text: 'select place, repeat($2, place) from generate_series(1, $1::integer) as place',
  }
  const answers = await Promise.all(
    [3, 0, 1].map((count) => line.ask({ ...rows, values: [count, 'ab'] })),
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

test('what the database refuses fails alone, and says why', async () => {
  const line = await openLine()
  await database.query('create table few (amount integer constraint not_many check (amount < 10))')
  const add = { name: 'add', text: 'insert into few values ($1::integer) returning amount' }
  const outcomes = await Promise.allSettled([
    line.ask({ ...add, values: [1] }),
    line.ask({ ...add, values: [11] }),
    line.ask({ ...add, values: ['no number'] }),
    line.ask({ ...add, values: [2] }),
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

test('a statement that could not be parsed is parsed anew the next time', async () => {
  const line = await openLine()
  const late = { name: 'late', text: 'select kept from later', values: [] }
  const failed = await Promise.allSettled([line.ask(late), line.ask(late)])
  assert.deepEqual(
    failed.map((outcome) => outcome.status === 'rejected' && faultOf(outcome.reason)),
    ['data', 'contention'],
  )
  await database.query("create table later as select 'there' as kept")
  assert.deepEqual(await line.ask(late), [['there']])
})

test('notices and settings that change are passed over', async () => {
  const line = await openLine()
  await database.query(
    "create function noisy() returns text language plpgsql as $$ begin raise warning 'loud'; set timezone = 'Asia/Tokyo'; return 'done'; end $$",
  )
  assert.deepEqual(await line.ask({ name: 'noisy', text: 'select noisy()', values: [] }), [
    ['done'],
  ])
  assert.deepEqual(await line.ask({ name: '', text: 'select 1', values: [] }), [['1']])
})

test('a server that ends the connection fails what is under way with its reason, and what comes later at once', async () => {
  const line = await openLine()
  const asked = Promise.allSettled(
    ['first', 'second'].map((name) =>
      line.ask({ name, text: 'select pg_sleep(60)::text', values: [] }),
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
    line.ask({ name: '', text: 'select 1', values: [] }),
    (error) => faultOf(error) === 'connection',
  )
})

test('a connection that breaks before the answer fails what is under way', async () => {
  const line = await openLine(proxied)
  const lost = proxy.loseNext('cut-answer')
  await assert.rejects(
    line.ask({ name: '', text: 'select 1', values: [] }),
    (error) => faultOf(error) === 'connection',
  )
  await lost
  await line.lost
})

test('a server that falls silent is given up after the time that it was given', async () => {
  const line = await openLine(database, 20)
  await assert.rejects(line.ask({ name: 'sleep', text: 'select pg_sleep(60)::text', values: [] }), {
    message: 'The database did not answer within 20 ms.',
  })
})

test('an ended line closes its connection', async () => {
  const line = await openLine()
  assert.deepEqual(await line.ask({ name: '', text: 'select 1', values: [] }), [['1']])
  await line.end()
  await line.lost
})
