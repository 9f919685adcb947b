import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import type pg from 'pg'
import type { Statement } from '../db/ask-in-time.ts'
import { createGroupCommit } from './group-commit.ts'
import type { HoldRequest } from './hold.ts'

const HOLD: HoldRequest = { id: '019bbc611e40703c9791849b5ea9e0e8', walletId: 1, budgetId: null, amount: 1n, deadlineMs: 1, kind: 'call', service: 'search', action: 'web', externalId: null, claim: null }
const OPENED = { rows: [{ resolved: null, opened: 'o', balances: ['1'], helds: ['1'] }] }

const reset = (): Error => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })

/** A connection that answers every flush, until told to break. */
class FakeConnection extends EventEmitter {
  isBroken = false
  isEnded = false
  isCut = false
  readonly connection = { stream: { destroy: () => (this.isCut = true) } }

  async connect(): Promise<void> {}

  async query(_statement: unknown, answer?: (error: Error | null, result?: unknown) => void): Promise<void> {
    if (answer === undefined) return
    if (!this.isBroken) return answer(null, OPENED)
    const error = reset()
    this.emit('error', error)
    answer(error)
  }

  async end(): Promise<void> {
    this.isEnded = true
  }
}

/** The connections that were opened, in their order. `make` gets the place of each, from 0. */
function commitsOver<Kind extends FakeConnection>(make: (place: number) => Kind, timeoutMs = 60_000) {
  const connections: Kind[] = []
  const connect = (): pg.Client => {
    const connection = make(connections.length)
    connections.push(connection)
    return connection as unknown as pg.Client
  }
  return { connections, commits: createGroupCommit({ connect, now: () => 0, timeoutMs }) }
}

test('the late end of a broken connection does not take its successor away', async () => {
  const { connections, commits } = commitsOver(() => new FakeConnection())
  await commits.open(HOLD)
  const [first] = connections as [FakeConnection]
  first.isBroken = true
  await assert.rejects(commits.open(HOLD), { code: 'ECONNRESET' })
  await commits.open(HOLD)
  first.emit('end')
  await commits.open(HOLD)
  await commits.close()
  assert.equal(connections.length, 2)
  assert.equal(connections[1]?.isEnded, true)
})

test('a connection that cannot be made is tried anew for the next flush', async () => {
  let attempts = 0
  const { commits } = commitsOver(() => {
    attempts += 1
    const connection = new FakeConnection()
    if (attempts === 1) connection.connect = () => Promise.reject(new Error('connect ECONNREFUSED'))
    if (attempts === 2) throw new RangeError('no such port')
    return connection
  })
  await assert.rejects(commits.open(HOLD), { message: 'connect ECONNREFUSED' })
  await assert.rejects(commits.open(HOLD), { message: 'no such port' })
  assert.equal((await commits.open(HOLD)).verdict, 'opened')
  await commits.close()
})

/** A connection whose flushes are answered when the test says so. */
class SlowConnection extends FakeConnection {
  readonly flushes: { readonly holds: number; answer(): void; lose(): void }[] = []

  override async query(statement: unknown, answer?: (error: Error | null, result?: unknown) => void): Promise<void> {
    const { name, values } = statement as Statement
    // Settings of the connection have no name.
    if (answer === undefined || name === undefined) return answer?.(null)
    const holds = holdsIn(values)
    this.flushes.push({ holds, answer: () => answer(null, { rows: [{ ...OPENED.rows[0], opened: 'o'.repeat(holds) }] }), lose: () => answer(reset()) })
  }
}

// Each hold brings its id, once in the plain statement of one and once in the lists of many.
function holdsIn(values: Statement['values']): number {
  return values.join().split(HOLD.id).length - 1
}

const untilFlushed = (): Promise<void> => new Promise((done) => setImmediate(() => setImmediate(done)))

test('a second flush goes out before the first is answered once it carries as much, and never a third', async () => {
  const connection = new SlowConnection()
  const { commits } = commitsOver(() => connection)
  const open = (count: number): Promise<unknown>[] => Array.from({ length: count }, () => commits.open(HOLD))
  const all = open(10)
  await untilFlushed()
  all.push(...open(9))
  await untilFlushed()
  assert.deepEqual(connection.flushes.map(({ holds }) => holds), [10])
  all.push(...open(6))
  await untilFlushed()
  assert.deepEqual(connection.flushes.map(({ holds }) => holds), [10, 15])
  all.push(...open(200))
  await untilFlushed()
  assert.equal(connection.flushes.length, 2)
  connection.flushes[0]?.answer()
  await untilFlushed()
  assert.deepEqual(connection.flushes.map(({ holds }) => holds), [10, 15, 200])
  connection.flushes[1]?.answer()
  connection.flushes[2]?.answer()
  assert.equal((await Promise.all(all)).length, 225)
  await commits.close()
})

test('of two flushes lost with their connection, the one that hears of it later does not take the next connection away', async () => {
  const { connections, commits } = commitsOver(() => new SlowConnection())
  const open = (count: number): Promise<unknown> => Promise.allSettled(Array.from({ length: count }, () => commits.open(HOLD)))
  const first = open(1)
  await untilFlushed()
  const second = open(30)
  await untilFlushed()
  connections[0]?.flushes[0]?.lose()
  await first
  assert.equal(connections[0]?.isCut, true)
  const third = open(30)
  await untilFlushed()
  connections[0]?.flushes[1]?.lose()
  await second
  connections[1]?.flushes[0]?.answer()
  await third
  const last = commits.open(HOLD)
  await untilFlushed()
  connections[1]?.flushes[1]?.answer()
  assert.equal((await last).verdict, 'opened')
  await commits.close()
  assert.equal(connections.length, 2)
})

test('a server that falls silent before the first flush is given up, and the next flush gets a connection of its own', async () => {
  const silent = (connection: FakeConnection): FakeConnection => Object.assign(connection, { query: () => Promise.resolve() })
  const { connections, commits } = commitsOver((place) => (place === 0 ? silent(new FakeConnection()) : new FakeConnection()), 20)
  await assert.rejects(commits.open(HOLD), /did not answer/)
  assert.equal(connections[0]?.isCut, true)
  assert.equal((await commits.open(HOLD)).verdict, 'opened')
  await commits.close()
})
