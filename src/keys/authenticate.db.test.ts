import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanUp } from '../../test/harness/clean-up.ts'
import { createAccount } from '../accounts/create-account.ts'
import { createWorld } from '../../test/harness/beds/world.ts'
import type { Database } from '../db/database.ts'
import { AppError } from '../errors/app-error.ts'
import { HOUR_MS } from '../lib/clock.ts'
import { announceChange, KEY_CHANNEL } from './announce.ts'
import { createAuthenticator, type Authenticator } from './authenticate.ts'
import type { Caller } from './caller.ts'
import { createKey } from './create-key.ts'
import { describeKey } from './describe-key.ts'
import { hashSecret, newSecret } from './format.ts'
import { revokeKey } from './revoke-key.ts'
import { rotateKey } from './rotate-key.ts'
import { updateKey } from './update-key.ts'

const world = await createWorld()
const invalidToken = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'invalid_token'

type Node = Authenticator & {
  lookUps(): number
  gate: { hold: Promise<void> | null; reached: number }
}

/**
 * A separate process as far as keys go: it caches for an hour, so only announcements can change its
 * state.
 */
async function startNode(
  options: {
    cacheSize?: number
    cacheMs?: number
    pause?: (signal: AbortSignal) => Promise<void>
  } = {},
): Promise<Node> {
  let lookUps = 0
  const gate: Node['gate'] = { hold: null, reached: 0 }
  const counting: Database = {
    ...world.database,
    async query(text, values, name) {
      if (name === 'find_caller') lookUps += 1
      const rows = await world.database.query<never>(text, values, name)
      if (name === 'find_caller') {
        gate.reached += 1
        await gate.hold
      }
      return rows
    },
  }
  const authenticator = createAuthenticator({
    database: counting,
    now: world.now,
    cacheSize: 100,
    cacheMs: HOUR_MS,
    ...options,
  })
  cleanUp(() => authenticator.close())
  await authenticator.ready
  return { ...authenticator, lookUps: () => lookUps, gate }
}

async function newKey(caller: Caller): Promise<{ id: string; key: string }> {
  return createKey(world.keys, caller, {})
}

/**
 * Repeats until the response is as expected. A round trip to the database lets announcements
 * arrive.
 */
async function eventually(wanted: () => Promise<boolean>): Promise<void> {
  while (!(await wanted())) await world.database.query('select 1')
}

/**
 * Waits until the node has received everything announced so far; announcements arrive in commit
 * order.
 */
async function caughtUp(node: Node): Promise<void> {
  const beacon = newSecret('test')
  await assert.rejects(node.authenticate(beacon), invalidToken)
  await world.database.query('select pg_notify($1, $2)', [KEY_CHANNEL, hashSecret(beacon)])
  const before = node.lookUps()
  await eventually(async () => (await isRefused(node, beacon)()) && node.lookUps() > before)
}

const isRefused = (node: Authenticator, secret: string) => (): Promise<boolean> =>
  node.authenticate(secret).then(() => false, invalidToken)

/** A key that these nodes have cached, with every announcement received. */
async function rememberedKey(
  caller: Caller,
  ...nodes: readonly Node[]
): Promise<{ id: string; key: string }> {
  const made = await newKey(caller)
  for (const node of nodes) {
    await caughtUp(node)
    await node.authenticate(made.key)
    const before = node.lookUps()
    await node.authenticate(made.key)
    assert.equal(node.lookUps(), before)
  }
  return made
}

test('a cached key needs no lookup, and concurrent requests share one', async () => {
  const node = await startNode()
  const { live, caller } = await world.account()
  await caughtUp(node)
  const before = node.lookUps()
  const callers = await Promise.all(Array.from({ length: 50 }, () => node.authenticate(live.key)))
  for (const found of callers) assert.deepEqual(found, caller)
  assert.deepEqual(await node.authenticate(live.key), caller)
  assert.equal(node.lookUps(), before + 1)
})

test('looks up a key again when its cache entry expires', async () => {
  const node = await startNode({ cacheMs: 1000 })
  const { live } = await world.account()
  await caughtUp(node)
  await node.authenticate(live.key)
  const once = node.lookUps()
  world.now.advance(999)
  await node.authenticate(live.key)
  assert.equal(node.lookUps(), once)
  world.now.advance(1)
  await node.authenticate(live.key)
  assert.equal(node.lookUps(), once + 1)
})

test('a revoked key stops working on another node when the announcement arrives', async () => {
  const [here, there] = [await startNode(), await startNode()]
  const { caller } = await world.account()
  const { id, key } = await rememberedKey(caller, here, there)
  await revokeKey({ ...world.keys, forget: here.forget }, caller, id)
  await assert.rejects(here.authenticate(key), invalidToken)
  await eventually(isRefused(there, key))
})

test('one announcement contains more changes than fit into a message', async () => {
  const node = await startNode()
  const { caller } = await world.account()
  const { key } = await rememberedKey(caller, node)
  const hashes = Array.from({ length: 250 }, () => hashSecret(newSecret('test')))
  await world.database.transaction((tx) => announceChange(tx, [...hashes, hashSecret(key)]))
  await caughtUp(node)
  const before = node.lookUps()
  await node.authenticate(key)
  assert.equal(node.lookUps(), before + 1)
})

test('a rotation reaches another node: the former secret stops, the new one works', async () => {
  const node = await startNode()
  const { caller } = await world.account()
  const { id, key } = await rememberedKey(caller, node)
  const rotated = await rotateKey(world.keys, caller, id, { graceSeconds: 0 })
  await eventually(isRefused(node, key))
  assert.equal((await node.authenticate(rotated.key)).keyId, id.slice(4))
})

test('a changed field reaches another node: the next call has the new external id', async () => {
  const node = await startNode()
  const { caller } = await world.account()
  const { id, key } = await rememberedKey(caller, node)
  assert.equal((await node.authenticate(key)).externalId, null)
  await updateKey(world.keys, caller, id, { external_id: 'tenant-9' })
  await eventually(async () => (await node.authenticate(key)).externalId === 'tenant-9')
})

test('a rolled-back change is neither announced nor applied', async () => {
  const node = await startNode()
  const { caller } = await world.account()
  const { id, key } = await rememberedKey(caller, node)
  const failing: Database = {
    ...world.database,
    transaction: (work) =>
      world.database.transaction(async (tx) => {
        await work(tx)
        throw new RangeError('the commit fails')
      }),
  }
  await assert.rejects(revokeKey({ ...world.keys, database: failing }, caller, id), RangeError)
  await caughtUp(node)
  const after = node.lookUps()
  await node.authenticate(key)
  assert.equal(node.lookUps(), after)
  assert.equal((await world.callerOf(key)).keyId, id.slice(4))
})

/**
 * Pauses the lookup of a key between the database's response and the caller's; `goOn` resumes it.
 */
async function beginLookUp(
  node: Node,
  key: string,
): Promise<{ readonly answer: Promise<Caller>; goOn(): void }> {
  const gate = Promise.withResolvers<void>()
  node.gate.hold = gate.promise
  const before = node.gate.reached
  const answer = node.authenticate(key)
  await eventually(async () => node.gate.reached > before)
  // Later lookups are not paused.
  node.gate.hold = null
  return { answer, goOn: () => gate.resolve() }
}

test('a lookup in progress during a revocation answers its request but is not cached', async () => {
  const node = await startNode()
  const { caller } = await world.account()
  const { id, key } = await newKey(caller)
  const early = await beginLookUp(node, key)
  await revokeKey({ ...world.keys, forget: node.forget }, caller, id)
  await assert.rejects(node.authenticate(key), invalidToken)
  // Everything announced has arrived by now: only the lookup itself keeps its result out of the
  // cache.
  await caughtUp(node)
  early.goOn()
  assert.equal((await early.answer).keyId, id.slice(4))
  await assert.rejects(node.authenticate(key), invalidToken)
})

test('a broken announcement connection clears the cache and disables it until it is back', async () => {
  const mayReconnect = Promise.withResolvers<void>()
  let lost = 0
  const node = await startNode({
    pause: () => {
      lost += 1
      return mayReconnect.promise
    },
  })
  const { caller } = await world.account()
  const [slow, other] = [await newKey(caller), await newKey(caller)]
  const { id, key } = await rememberedKey(caller, node)
  const early = await beginLookUp(node, slow.key)
  await world.database.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'tollgate keys' and datname = current_database()`,
  )
  await eventually(async () => lost === 1)
  await revokeKey(world.keys, caller, id)
  await assert.rejects(node.authenticate(key), invalidToken)
  await revokeKey(world.keys, caller, slow.id)
  const before = node.lookUps()
  await node.authenticate(other.key)
  await node.authenticate(other.key)
  assert.equal(node.lookUps(), before + 2)
  mayReconnect.resolve()
  await eventually(async () => {
    const count = node.lookUps()
    await node.authenticate(other.key)
    return node.lookUps() === count
  })
  early.goOn()
  assert.equal((await early.answer).keyId, slow.id.slice(4))
  await assert.rejects(node.authenticate(slow.key), invalidToken)
})

test('rejects a malformed secret and a wrong checksum without a lookup', async () => {
  const node = await startNode()
  const { live } = await world.account()
  const wrong = live.key.slice(0, -1) + (live.key.endsWith('0') ? '1' : '0')
  for (const secret of [
    '',
    'nonsense',
    wrong,
    `${live.key} `,
    live.key.slice(0, -1),
    'x'.repeat(100_000),
  ])
    await assert.rejects(node.authenticate(secret), invalidToken)
  assert.equal(node.lookUps(), 0)
})

test('caches an unknown secret for at most two seconds, and drops it when its key is created', async () => {
  const node = await startNode()
  const secret = newSecret('live')
  await assert.rejects(node.authenticate(secret), invalidToken)
  await assert.rejects(node.authenticate(secret), invalidToken)
  assert.equal(node.lookUps(), 1)
  world.now.advance(2_000)
  await assert.rejects(node.authenticate(secret), invalidToken)
  assert.equal(node.lookUps(), 2)
  const { live } = await createAccount(world.keys, {
    email: 'given@example.com',
    tier: 'personal',
    liveSecret: secret,
  })
  assert.equal(live.key, secret)
  await eventually(async () =>
    node.authenticate(secret).then(
      () => true,
      () => false,
    ),
  )
})

test('a flood of made-up secrets does not evict a known key', async () => {
  const node = await startNode({ cacheSize: 2 })
  const { live } = await world.account()
  await caughtUp(node)
  await node.authenticate(live.key)
  for (let count = 0; count < 50; count += 1)
    await assert.rejects(node.authenticate(newSecret('live')), invalidToken)
  const before = node.lookUps()
  await node.authenticate(live.key)
  assert.equal(node.lookUps(), before)
})

test('caches at most as many keys as configured', async () => {
  const node = await startNode({ cacheSize: 2 })
  const { caller, live } = await world.account()
  const others = [await newKey(caller), await newKey(caller)]
  await caughtUp(node)
  const before = node.lookUps()
  for (const { key } of [live, ...others, live]) await node.authenticate(key)
  assert.equal(node.lookUps(), before + 4)
})

test('caches a former secret only until its grace period ends', async () => {
  const node = await startNode()
  const { caller } = await world.account()
  const { id, key } = await newKey(caller)
  await rotateKey(world.keys, caller, id, { graceSeconds: 10 })
  await caughtUp(node)
  assert.equal((await node.authenticate(key)).keyId, id.slice(4))
  world.now.advance(9_999)
  await node.authenticate(key)
  world.now.advance(1)
  await assert.rejects(node.authenticate(key), invalidToken)
})

test('a paused key still authenticates', async () => {
  const node = await startNode()
  const { caller } = await world.account()
  const { id, key } = await newKey(caller)
  await updateKey(world.keys, caller, id, { paused: true })
  assert.equal((await node.authenticate(key)).keyId, id.slice(4))
})

test('records use without a paid call at most once a minute', async () => {
  const { caller } = await world.account()
  const { key } = await newKey(caller)
  const agent = await world.callerOf(key)
  const lastUsed = async (): Promise<string | null> =>
    (await describeKey(world.keys, agent)).last_used_at
  assert.equal(await lastUsed(), null)
  const use = async (): Promise<string> => {
    const node = await startNode()
    await node.authenticate(key)
    await node.close()
    return new Date(world.now()).toISOString()
  }
  const first = await use()
  assert.equal(await lastUsed(), first)
  world.now.advance(59_999)
  await use()
  assert.equal(await lastUsed(), first)
  world.now.advance(1)
  const later = await use()
  assert.equal(await lastUsed(), later)
})
