/** How long calls wait for held money: `Prefer: wait=N` over HTTP and `wait_s` in MCP. */
import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { before, describe, it } from 'node:test'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { openAppBed, type AppBed } from '../../../test/harness/beds/app.ts'
import { AppError } from '../../errors/app-error.ts'
import { holdWaitOf } from './prefer-wait.ts'

const SEARCH = '/api/run/semantic/search'
const FOUND = { requestId: 'r', results: [{ id: 'https://a.example/', url: 'https://a.example/' }] }

/** A request with this header, and its response. */
function exchange(prefer?: string) {
  const raw = Object.assign(new EventEmitter(), { destroyed: false, writableFinished: false })
  const headers: Record<string, string> = {}
  const reply = { raw, header: (name: string, value: string) => (headers[name] = value) }
  const request = { headers: prefer === undefined ? {} : { prefer } }
  return {
    raw,
    headers,
    read: (endsMs?: number) =>
      holdWaitOf(request as FastifyRequest, reply as unknown as FastifyReply, endsMs),
  }
}

describe('the wait of a request', () => {
  it('is the number of seconds in Prefer, at most 60, and 25 by default', () => {
    for (const [prefer, ms] of [
      ['wait=0', 0],
      ['wait=20', 20_000],
      ['respond-async, Wait="7"; of=it, x=1', 7_000],
      ['wait=999', 60_000],
    ] as const) {
      const { read, headers } = exchange(prefer)
      const { isDefault, ms: given } = read()
      assert.deepEqual([given, isDefault], [ms, false])
      assert.deepEqual(headers, { 'preference-applied': `wait=${ms / 1000}` })
    }
    for (const prefer of [undefined, 'respond-async', 'waiting=3']) {
      const { read, headers } = exchange(prefer)
      const { isDefault, ms } = read()
      assert.deepEqual([ms, isDefault, headers], [25_000, true, {}])
    }
  })

  it('ends with X-Request-Timeout-Ms', () => {
    const { ms } = exchange().read(performance.now() + 1_000)
    assert.ok(ms > 0 && ms <= 1_000)
    assert.equal(exchange().read(performance.now() - 1_000).ms, 0)
  })

  it('must be a whole number', () => {
    for (const prefer of ['wait=soon', 'wait=', 'wait=1.5', 'wait=-1'])
      assert.throws(
        () => exchange(prefer).read(),
        (error) => error instanceof AppError && error.param === 'Prefer',
      )
  })

  it('ends when the connection closes before the response is complete', () => {
    const { raw, read } = exchange()
    let left = 0
    read().onGone?.(() => (left += 1))
    raw.emit('close')
    assert.equal(left, 1)
    const done = exchange()
    done.read().onGone?.(() => assert.fail('the response was complete'))
    done.raw.writableFinished = true
    done.raw.emit('close')
  })
})

describe('a key with credit for one call at a time', () => {
  let bed: AppBed
  let key: string
  before(async () => {
    bed = await openAppBed()
    const made = await bed.post('/api/v1/agents', {
      label: 'small',
      ceiling_cents: 1,
      ceiling_period: 'day',
    })
    ;({ key } = made.json<{ data: { key: string } }>().data)
  })

  it('rejects a second call with 409 if it may not wait, over HTTP and MCP, and then finally', async () => {
    const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    bed.vendor.answerWith(async () => {
      asked.resolve()
      await answer.promise
      return { body: FOUND }
    })
    const headers = { authorization: `Bearer ${key}` }
    const first = bed.post(SEARCH, { query: 'x' }, headers)
    await asked.promise
    const second = await bed.post(SEARCH, { query: 'x' }, { ...headers, prefer: 'wait=0' })
    assert.equal(second.statusCode, 409)
    assert.deepEqual(
      [second.headers['retry-after'], second.headers['preference-applied']],
      ['1', 'wait=0'],
    )
    const { error } = second.json<{
      error: { code: string; retryable: boolean; details: Record<string, unknown> }
    }>()
    assert.deepEqual([error.code, error.retryable], ['room_held', true])
    assert.equal(error.details['short_by'], 'held')
    const byTool = await bed.post(
      '/mcp',
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: {
          name: 'run',
          arguments: { service: 'semantic', action: 'search', params: { query: 'x' }, wait_s: 0 },
        },
      },
      { ...headers, accept: 'application/json, text/event-stream' },
    )
    assert.match(byTool.body, /room_held/)
    answer.resolve()
    assert.equal((await first).statusCode, 200)
    const third = await bed.post(SEARCH, { query: 'x' }, headers)
    assert.equal(third.statusCode, 402)
  })
})
