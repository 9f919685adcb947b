import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld } from '../../../test/harness/beds/world.ts'
import type { Query } from '../../db/database.ts'
import { rotateKey } from '../../keys/rotate-key.ts'
import {
  rebindSession,
  MOST_PAGE_SESSIONS,
  openKeySession,
  readPageSession,
} from './browser-session.ts'

const world = await createWorld()
const context = { database: world.database, now: world.now }

test('limits the sessions of a key: a further one ends the oldest of that key', async () => {
  const [mine, other] = [await world.account(), await world.account()]
  const others = await openKeySession(context, other.live.key)
  const tokens: string[] = []
  for (let count = 0; count < MOST_PAGE_SESSIONS; count += 1) {
    world.now.advance(1)
    tokens.push(await openKeySession(context, mine.live.key))
  }
  const [oldest = '', second = ''] = tokens
  assert.notEqual(await readPageSession(context, oldest), null)
  world.now.advance(1)
  const newest = await openKeySession(context, mine.live.key)
  const found = await Promise.all(
    [oldest, second, newest, others].map((token) => readPageSession(context, token)),
  )
  assert.deepEqual(
    found.map((visitor) => visitor?.caller.accountId),
    [undefined, mine.caller.accountId, mine.caller.accountId, other.caller.accountId],
  )
})

test('limits concurrent sign-ins, and keeps the newest session', async () => {
  const { live } = await world.account()
  await Promise.all(
    Array.from({ length: MOST_PAGE_SESSIONS + 30 }, () => openKeySession(context, live.key)),
  )
  assert.notEqual(await readPageSession(context, await openKeySession(context, live.key)), null)
  const { rows } = await world.database.query<{ most: bigint }>(
    'select max(count) as most from (select count(*) as count from page_sessions group by secret_hash) as counts',
  )
  assert.equal(rows[0]?.most, BigInt(MOST_PAGE_SESSIONS))
})

test("a browser that reads a page during its own key's rotation stays signed in", async () => {
  const { live, caller } = await world.account()
  const token = await openKeySession(context, live.key)
  let isRotated = false
  const query = (async (...asked: Parameters<Query>) => {
    const answer = await world.database.query(...asked)
    if (!isRotated) {
      isRotated = true
      await rotateKey(world.keys, caller, live.id, {
        graceSeconds: 0,
        alongside: (tx, { key }) => rebindSession(tx, token, key),
      })
    }
    return answer
  }) as Query
  assert.equal(
    (await readPageSession({ ...context, database: { ...world.database, query } }, token))?.caller
      .keyId,
    caller.keyId,
  )
})
