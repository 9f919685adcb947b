/** The loop breaker over HTTP and MCP, and settings of keys above. */
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { KeyRecord } from '../../src/keys/key-record.ts'
import type { OwnKey } from '../../src/keys/describe-key.ts'
import { openAppBed, type AppBed } from '../harness/beds/app.ts'
import { mcpClient } from '../harness/clients/mcp.ts'

type Made = KeyRecord & { readonly key: string }
type Refused = {
  readonly error: { readonly code: string; readonly details: Readonly<Record<string, unknown>> }
}

let bed: AppBed
before(async () => {
  bed = await openAppBed({ hasBreaker: true })
  bed.vendor.answerWith(() => ({
    body: { requestId: 'r', results: [{ id: 'https://a.example/', url: 'https://a.example/' }] },
  }))
})

const by = (key: string) => ({ authorization: `Bearer ${key}` })
const search = (key: string, more: object = {}) =>
  bed.post('/api/run/semantic/search', { query: 'same', ...more }, by(key))
const patch = (id: string, payload: object) =>
  bed.app.inject({
    method: 'PATCH',
    url: `/api/v1/agents/${id}`,
    headers: by(bed.liveKey),
    payload,
  })

async function make(settings: object, parent?: string): Promise<Made> {
  const reply =
    parent === undefined
      ? await bed.post('/api/v1/agents', settings)
      : await bed.post('/api/v1/agents/me/children', settings, by(parent))
  assert.equal(reply.statusCode, 201, reply.body)
  return reply.json<{ data: Made }>().data
}

async function repeat(key: string): Promise<void> {
  for (let count = 0; count < 5; count += 1) assert.equal((await search(key)).statusCode, 200)
}

describe('a key with the breaker "stop"', () => {
  it('is stopped with 409, passes with confirm_loop, is paused, and works once resumed', async () => {
    const { id, key } = await make({ breaker: 'stop' })
    await repeat(key)
    const stopped = await search(key)
    assert.deepEqual(
      [stopped.statusCode, stopped.json<Refused>().error.code],
      [409, 'loop_suspected'],
    )
    const { confirm } = stopped.json<Refused>().error.details
    assert.equal((await search(key, { confirm_loop: confirm })).statusCode, 200)
    assert.equal((await search(key, { confirm_loop: 5 })).statusCode, 400)
    for (const paused of [undefined, true]) {
      const again = (await search(key)).json<Refused>().error
      assert.deepEqual([again.code, again.details['paused']], ['loop_suspected', paused])
    }
    assert.equal((await search(key)).json<Refused>().error.code, 'api_key_paused')
    const events = await bed.app.inject({ url: '/api/v1/events', headers: by(bed.liveKey) })
    const types = events.json<{ data: { type: string; data: { key_id: string } }[] }>().data
    assert.deepEqual(
      types.flatMap(({ type, data }) => (data.key_id === id ? [type] : [])),
      ['key.loop_suspected', 'key.paused'],
    )
    assert.equal((await patch(id, { paused: false })).statusCode, 200)
    assert.equal((await search(key)).statusCode, 200)
  })

  it('is stopped over MCP, where run accepts confirm_loop', async () => {
    const { key } = await make({ breaker: 'stop' })
    const run = async (more: object = {}) =>
      (
        await mcpClient(bed).tool(
          'run',
          { service: 'semantic', action: 'search', params: { query: 'same' }, ...more },
          { key },
        )
      ).structuredContent as unknown as Refused & { readonly ok: boolean }
    for (let count = 0; count < 5; count += 1) assert.equal((await run()).ok, true)
    const { code, details } = (await run()).error
    assert.equal(code, 'loop_suspected')
    assert.equal((await run({ confirm_loop: details['confirm'] })).ok, true)
  })

  it('binds the keys below it, which can be stricter and not milder', async () => {
    const parent = await make({ breaker: 'stop', may_mint: true })
    const mild = await make({ may_mint: true })
    const below = await make({ breaker: 'off' }, parent.key)
    const strict = await make({ breaker: 'stop' }, mild.key)
    for (const { key } of [below, strict]) {
      await repeat(key)
      assert.equal((await search(key)).statusCode, 409)
    }
    const own = await bed.app.inject({ url: '/api/v1/agents/me', headers: by(below.key) })
    const { breaker, ancestors } = own.json<{ data: OwnKey }>().data
    assert.deepEqual([breaker, ancestors[0]?.breaker], ['off', 'stop'])
    await patch(parent.id, { breaker: 'warn' })
    assert.equal((await search(below.key)).statusCode, 200)
  })
})
