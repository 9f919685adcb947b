import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import type pg from 'pg'
import { createGroupCommit } from './group-commit.ts'
import type { HoldRequest } from './hold.ts'

const HOLD: HoldRequest = { id: '019bbc611e40703c9791849b5ea9e0e8', walletId: 1, budgetId: null, amount: 1n, deadlineMs: 1, kind: 'call', service: 'search', action: 'web', externalId: null, claim: null }
const OPENED = { rows: [{ resolved: null, opened: 'o', balances: ['1'], helds: ['1'] }] }

/** A connection that answers every flush, until told to break. */
class FakeConnection extends EventEmitter {
  isBroken = false
  isEnded = false

  async connect(): Promise<void> {}

  async query(_statement: unknown, answer?: (error: Error | null, result?: unknown) => void): Promise<void> {
    if (answer === undefined) return
    if (!this.isBroken) return answer(null, OPENED)
    const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
    this.emit('error', reset)
    answer(reset)
  }

  async end(): Promise<void> {
    this.isEnded = true
  }
}

test('the late end of a broken connection does not take its successor away', async () => {
  const connections: FakeConnection[] = []
  const commits = createGroupCommit({
    connect: () => {
      connections.push(new FakeConnection())
      return connections.at(-1) as unknown as pg.Client
    },
    now: () => 0,
    timeoutMs: 1_000,
  })
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
  const commits = createGroupCommit({
    connect: () => {
      attempts += 1
      const connection = new FakeConnection()
      if (attempts === 1) connection.connect = () => Promise.reject(new Error('connect ECONNREFUSED'))
      if (attempts === 2) throw new RangeError('no such port')
      return connection as unknown as pg.Client
    },
    now: () => 0,
    timeoutMs: 1_000,
  })
  await assert.rejects(commits.open(HOLD), { message: 'connect ECONNREFUSED' })
  await assert.rejects(commits.open(HOLD), { message: 'no such port' })
  assert.equal((await commits.open(HOLD)).verdict, 'opened')
  await commits.close()
})
