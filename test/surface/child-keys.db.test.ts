/** Child keys over HTTP and MCP: minting, limits of the tree, policies above, and ends. */
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import type { KeyRecord } from '../../src/keys/key-record.ts'
import type { OwnKey } from '../../src/keys/describe-key.ts'
import { verifyLedger } from '../../src/ledger/verify.ts'
import { openAppBed, type AppBed } from '../harness/beds/app.ts'
import { mcpClient } from '../harness/clients/mcp.ts'

type Made = KeyRecord & { readonly key: string }
type Body = {
  readonly data: never
  readonly error?: {
    readonly code: string
    readonly message: string
    readonly param: string | null
    readonly details?: Record<string, unknown>
  }
}

const FOUND = { requestId: 'r', results: [{ id: 'https://a.example/', url: 'https://a.example/' }] }
const CHILDREN = '/api/v1/agents/me/children'

let bed: AppBed
before(async () => {
  bed = await openAppBed()
  bed.vendor.answerWith(() => ({ body: FOUND }))
})

const by = (key: string, more: Record<string, string> = {}) => ({
  authorization: `Bearer ${key}`,
  ...more,
})

async function createKey(settings: object): Promise<Made> {
  const reply = await bed.post('/api/v1/agents', settings)
  assert.equal(reply.statusCode, 201, reply.body)
  return reply.json<{ data: Made }>().data
}

async function mint(key: string, settings: object = {}): Promise<Made> {
  const reply = await bed.post(CHILDREN, settings, by(key))
  assert.equal(reply.statusCode, 201, reply.body)
  return reply.json<{ data: Made }>().data
}

const minter = (settings: object = {}) => createKey({ may_mint: true, ...settings })
const search = (key: string) => bed.post('/api/run/semantic/search', { query: 'x' }, by(key))
const codeOf = (reply: LightMyRequestResponse) => reply.json<Body>().error?.code
const me = async (key: string) =>
  (await bed.app.inject({ url: '/api/v1/agents/me', headers: by(key) })).json<{ data: OwnKey }>()
    .data
const patch = (id: string, payload: object, key = bed.liveKey) =>
  bed.app.inject({ method: 'PATCH', url: `/api/v1/agents/${id}`, headers: by(key), payload })
const end = (id: string, key: string) =>
  bed.app.inject({ method: 'DELETE', url: `${CHILDREN}/${id}`, headers: by(key) })
const listOf = async (key: string) =>
  (await bed.app.inject({ url: CHILDREN, headers: by(key) })).json<{ data: KeyRecord[] }>().data

describe('minting', () => {
  it('returns a key with the settings, the parent and a limit in total', async () => {
    const parent = await minter({ external_id: 'team-7' })
    const child = await mint(parent.key, {
      label: 'summariser',
      ceiling_cents: 50,
      ttl_s: 1200,
      allow: ['semantic/search'],
    })
    assert.deepEqual(
      [child.label, child.parent_id, child.depth, child.ceiling_cents, child.ceiling_period],
      ['summariser', parent.id, 1, 50, 'total'],
    )
    assert.deepEqual(
      [child.external_id, child.scope, child.may_mint, child.window_resets_at],
      ['team-7', 'own', false, null],
    )
    assert.equal(child.expires_at, new Date(bed.clock() + 1_200_000).toISOString())
    assert.equal((await search(child.key)).statusCode, 200)
    assert.deepEqual(
      (await listOf(parent.key)).map(({ id, spent_micros }) => [id, spent_micros]),
      [[child.id, 10_000]],
    )
    assert.equal((await me(parent.key)).spent_micros, 10_000)
  })

  it('needs may_mint, which only the primary key sets', async () => {
    const parent = await createKey({})
    assert.equal(codeOf(await bed.post(CHILDREN, {}, by(parent.key))), 'key_cannot_mint_keys')
    assert.equal((await patch(parent.id, { may_mint: true }, parent.key)).statusCode, 403)
    const refused = await bed.post(CHILDREN, { may_mint: true }, by((await minter()).key))
    assert.deepEqual([refused.statusCode, refused.json<Body>().error?.param], [400, 'may_mint'])
    assert.equal((await patch(parent.id, { may_mint: true })).statusCode, 200)
    await mint(parent.key)
  })

  it('ends three levels below the topmost key', async () => {
    let key = await minter()
    for (let depth = 1; depth <= 3; depth += 1) {
      key = await mint(key.key)
      assert.equal(key.depth, depth)
      assert.equal((await patch(key.id, { may_mint: true })).statusCode, 200)
    }
    assert.equal((await search(key.key)).statusCode, 200)
    assert.equal(codeOf(await bed.post(CHILDREN, {}, by(key.key))), 'key_cannot_mint_keys')
  })

  it('never gives more than the parent has', async () => {
    const parent = await minter({ expires_at: new Date(bed.clock() + 60_000).toISOString() })
    const child = await mint(parent.key, { ttl_s: 86_400 })
    assert.equal(child.expires_at, parent.expires_at)
    const wide = await bed.post(CHILDREN, { scope: 'account' }, by(parent.key))
    assert.deepEqual([wide.statusCode, wide.json<Body>().error?.param], [400, 'scope'])
  })

  it('rejects unknown and contradictory fields by name', async () => {
    const { key } = await minter()
    for (const [settings, param] of [
      [{ ceiling: 50 }, 'ceiling'],
      [{ mode: 'live' }, 'mode'],
      [{ ttl_s: 0 }, 'ttl_s'],
      [{ ttl_s: 60, expires_at: '2099-01-01T00:00:00Z' }, 'ttl_s'],
      [{ allow: ['core/onescrpae'] }, 'allow[0]'],
    ] as const) {
      const reply = await bed.post(CHILDREN, settings, by(key))
      assert.deepEqual(
        [reply.statusCode, reply.json<Body>().error?.param],
        [400, param],
        reply.body,
      )
    }
  })

  it('is done once for an idempotency key', async () => {
    const { key } = await minter()
    const once = by(key, { 'idempotency-key': 'mint-1' })
    const replies = [
      await bed.post(CHILDREN, { label: 'one' }, once),
      await bed.post(CHILDREN, { label: 'one' }, once),
    ]
    assert.equal(replies[0]?.body, replies[1]?.body)
    assert.equal((await listOf(key)).length, 1)
  })

  it('stops at 1 000 child keys that are neither revoked nor expired, also in a race', async () => {
    const parent = await minter()
    const id = parent.id.slice(4)
    await bed.database.query(
      `with made as (insert into budgets (id, parent_id, ancestors) select gen_random_uuid(), $1, array[$1::uuid] from generate_series(1, 997) returning id)
       insert into keys (id, account_id, mode, is_primary, key_prefix, secret_hash, created_at, parent_id)
         select made.id, account_id, 'live', false, 'tg_live_fill', sha256(made.id::text::bytea), now(), $1 from made, keys where keys.id = $1`,
      [id],
    )
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => bed.post(CHILDREN, { ttl_s: 60 }, by(parent.key))),
    )
    const statuses = replies.map(({ statusCode }) => statusCode)
    assert.deepEqual(statuses.filter((status) => status === 201).length, 3, statuses.join())
    assert.equal(codeOf(await bed.post(CHILDREN, {}, by(parent.key))), 'key_quota_exceeded')
    bed.clock.advance(61_000)
    await mint(parent.key)
  })
})

describe('spending', () => {
  it('is limited by every key above, and the refusal names the key that binds', async () => {
    const parent = await minter({ ceiling_cents: 3, ceiling_period: 'day' })
    const children = [
      await mint(parent.key, { ceiling_cents: 1 }),
      await mint(parent.key, { ceiling_cents: 50 }),
    ] as const
    assert.equal((await search(children[0].key)).statusCode, 200)
    const own = await search(children[0].key)
    assert.equal(own.statusCode, 402)
    assert.deepEqual(
      [own.json<Body>().error?.details?.['bound_by'], own.json<Body>().error?.details?.['key_id']],
      ['key', children[0].id],
    )
    const before = await me(children[1].key)
    assert.deepEqual(
      [before.spendable_micros, before.bound_by, before.bound_by_key_id],
      [20_000, 'parent', parent.id],
    )
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => search(children[1].key)))
    const statuses = outcomes.map(({ statusCode }) => statusCode)
    assert.equal(statuses.filter((status) => status === 200).length, 2, statuses.join())
    const refused = await search(children[1].key)
    assert.deepEqual(
      [
        codeOf(refused),
        refused.json<Body>().error?.details?.['bound_by'],
        refused.json<Body>().error?.details?.['key_id'],
      ],
      ['api_key_limit_exceeded', 'parent', parent.id],
    )
    const spent = await Promise.all(
      [parent, ...children].map(async ({ key }) => (await me(key)).spent_micros),
    )
    assert.deepEqual(spent, [30_000, 10_000, 20_000])
    assert.deepEqual((await verifyLedger(bed.database)).findings, [])
  })

  it('reports the balance as the limit of a key without one', async () => {
    const { bound_by: by_, bound_by_key_id: id, ancestors } = await me((await createKey({})).key)
    assert.deepEqual([by_, id, ancestors], ['balance', null, []])
  })
})

describe('the keys above', () => {
  it('bind a child with their policies, and changes reach it immediately', async () => {
    const parent = await minter({ allow: ['semantic/*'] })
    const child = await mint(parent.key, { allow: ['semantic/*', 'files/list'] })
    const list = () => bed.post('/api/run/files/list', {}, by(child.key))
    const refused = (await list()).json<Body>().error
    assert.deepEqual(
      [refused?.code, refused?.details?.['key_id']],
      ['action_not_allowed', parent.id],
    )
    assert.match(refused?.message ?? '', /the parent key/)
    assert.equal((await search(child.key)).statusCode, 200)
    await patch(parent.id, { deny: ['semantic/search'] })
    assert.equal((await search(child.key)).statusCode, 403)
    await patch(parent.id, { deny: null, max_call_cents: 0 })
    const dear = (await search(child.key)).json<Body>().error
    assert.deepEqual(
      [dear?.code, dear?.details?.['bound_by'], dear?.details?.['key_id']],
      ['max_cost_exceeded', 'parent', parent.id],
    )
    await patch(parent.id, { max_call_cents: null })
    assert.equal((await search(child.key)).statusCode, 200)
    assert.deepEqual((await me(child.key)).ancestors[0]?.allow, ['semantic/*'])
  })

  it('pause, expire and end the keys below', async () => {
    const parent = await minter()
    const child = await mint(parent.key)
    await patch(child.id, { may_mint: true })
    const grandchild = await mint(child.key)
    assert.equal((await search(grandchild.key)).statusCode, 200)
    await patch(parent.id, { paused: true })
    const paused = (await search(grandchild.key)).json<Body>().error
    assert.deepEqual([paused?.code, paused?.details?.['key_id']], ['api_key_paused', parent.id])
    await patch(parent.id, { paused: false })
    await patch(parent.id, { expires_at: new Date(bed.clock() + 1_000).toISOString() })
    assert.equal((await search(grandchild.key)).statusCode, 200)
    bed.clock.advance(1_000)
    const expired = await search(grandchild.key)
    assert.deepEqual(
      [expired.statusCode, codeOf(expired), expired.json<Body>().error?.details?.['key_id']],
      [401, 'key_expired', parent.id],
    )
    await patch(parent.id, { expires_at: null })
    assert.equal((await search(grandchild.key)).statusCode, 200)
    const revoked = await bed.app.inject({
      method: 'DELETE',
      url: `/api/v1/agents/${parent.id}`,
      headers: by(bed.liveKey),
    })
    assert.equal(revoked.statusCode, 200)
    for (const { key } of [parent, child, grandchild])
      assert.equal(codeOf(await search(key)), 'invalid_token')
  })
})

describe('ending a child key', () => {
  it('ends all keys below it, and only keys below the caller', async () => {
    const parent = await minter()
    const child = await mint(parent.key)
    await patch(child.id, { may_mint: true })
    const grandchild = await mint(child.key)
    const stranger = await minter()
    for (const [id, key] of [
      [child.id, stranger.key],
      [parent.id, child.key],
      [parent.id, parent.key],
      [stranger.id, parent.key],
      ['agk_0', parent.key],
    ] as const)
      assert.equal((await end(id, key)).statusCode, 404, id)
    const ended = await end(child.id, parent.key)
    assert.deepEqual(
      [ended.statusCode, ended.json<{ data: KeyRecord }>().data.status],
      [200, 'revoked'],
    )
    for (const { key } of [child, grandchild])
      assert.equal(codeOf(await search(key)), 'invalid_token')
    assert.equal((await end(child.id, parent.key)).statusCode, 200)
    assert.deepEqual(await listOf(parent.key), [])
  })
})

describe('the tool budget', () => {
  it('creates, lists and ends child keys', async () => {
    const tools = mcpClient(bed)
    const parent = await minter()
    const ask = async (input: Record<string, unknown>, meta?: Record<string, unknown>) =>
      (
        await tools.tool('budget', input, {
          key: parent.key,
          ...(meta === undefined ? {} : { meta }),
        })
      ).structuredContent
    const settings = { do: 'create', label: 'summariser', ceiling_cents: 50, ttl_s: 1200 }
    const made = await ask(settings, { idempotencyKey: 'tool-1' })
    const again = await ask(settings, { idempotencyKey: 'tool-1' })
    assert.deepEqual(again.data, made.data)
    const { id, key, parent_id: parentId } = made.data as unknown as Made
    assert.equal(parentId, parent.id)
    assert.equal((await search(key)).statusCode, 200)
    const listed = (await ask({ do: 'list' })).data['keys'] as KeyRecord[]
    assert.deepEqual(
      listed.map((one) => [one.id, one.spent_micros]),
      [[id, 10_000]],
    )
    assert.equal((await ask({ do: 'end', id })).data['status'], 'revoked')
    assert.equal(codeOf(await search(key)), 'invalid_token')
    assert.equal((await ask({ do: 'end' })).error.param, 'id')
    assert.equal((await ask({ do: 'list', ttl_s: 5 })).error.param, 'ttl_s')
    const limits = {
      ceiling_cents: 20,
      ceiling_period: 'day',
      max_call_cents: 5,
      rate_limit_per_minute: 30,
      breaker: 'stop',
      deny: ['semantic/*'],
      scope: 'account',
      external_id: 'user-7',
    }
    assert.equal((await ask({ do: 'create', ...limits })).error.param, 'scope')
    const denied = (await ask({ do: 'create', ...limits, scope: 'own' })).data as unknown as Made
    const { scope: _, ...stored } = limits
    assert.partialDeepStrictEqual(denied, { ...stored, scope: 'own' })
    assert.equal(codeOf(await search(denied.key)), 'action_not_allowed')
    assert.equal((await ask({ do: 'create', deny: ['semantic/serch'] })).error.param, 'deny[0]')
    const ordinary = await createKey({})
    const refused = await tools.tool('budget', { do: 'create' }, { key: ordinary.key })
    assert.equal(refused.structuredContent.error.code, 'key_cannot_mint_keys')
  })
})
