/** Clients of both revisions that close the response of a paid call, over a real socket. */
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { JobBed } from '../../../test/harness/beds/jobs.ts'
import type { Envelope } from '../../../test/harness/clients/mcp.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { META, MODERN_VERSION } from './modern/modern-request.ts'
import { openSocketBed } from './testing/socket-bed.ts'

type Fields = Readonly<Record<string, unknown>>
type Revision = '2025-11-25' | '2026-07-28'

const FOUND = { requestId: 'r', results: [{ id: 'https://a.example/', url: 'https://a.example/' }] }
const PRICE = 10_000n

/** The steps of the call in progress, which a test observes and delays. */
const NO_STEPS = {
  opened: async () => {},
  asked: async () => {},
  resolved: () => {},
  closed: () => {},
}
let steps: typeof NO_STEPS = NO_STEPS
let bed: JobBed
let url: string
before(async () => {
  ;({ bed, url } = await openSocketBed({
    replace: ({ ledger }) => ({ ledger: watch(ledger) }),
    onClosed: () => steps.closed(),
  }))
  bed.vendor.answerWith(async () => {
    await steps.asked()
    return { body: FOUND }
  })
})

function watch(ledger: Ledger): Ledger {
  return {
    ...ledger,
    async hold(...args) {
      const hold = await ledger.hold(...args)
      await steps.opened()
      return hold
    },
    async resolve(...args) {
      const settlement = await ledger.resolve(...args)
      steps.resolved()
      return settlement
    },
  }
}

const run = (more: Fields = {}): Fields => ({
  name: 'run',
  arguments: { service: 'semantic', action: 'search', params: { query: 'ledgers' }, ...more },
})

function send(
  revision: Revision,
  method: string,
  params: Fields,
  signal?: AbortSignal,
): Promise<Response> {
  const isModern = revision === MODERN_VERSION
  const meta = { [META.version]: MODERN_VERSION, [META.capabilities]: {} }
  const { name } = params
  return fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': revision,
      ...(isModern ? { 'mcp-method': method } : {}),
      ...(isModern && typeof name === 'string' ? { 'mcp-name': name } : {}),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      ...(method.startsWith('notifications/') ? {} : { id: 1 }),
      method,
      params: isModern ? { _meta: meta, ...params } : params,
    }),
    ...(signal === undefined ? {} : { signal }),
  })
}

/**
 * Starts a call, and closes its response at a step: once its hold is open, or once the vendor has
 * the request. Returns the outcome of its hold.
 */
async function leave(revision: Revision, params: Fields, at: 'opened' | 'asked') {
  const reached = Promise.withResolvers<void>()
  const closed = Promise.withResolvers<void>()
  const resolved = Promise.withResolvers<void>()
  steps = {
    ...NO_STEPS,
    resolved: () => resolved.resolve(),
    [at]() {
      reached.resolve()
      return closed.promise
    },
  }
  const controller = new AbortController()
  const response = send(revision, 'tools/call', params, controller.signal)
  const early = response.then(
    (reply) => reply.text(),
    () => 'closed',
  )
  assert.equal(await Promise.race([reached.promise, early]), undefined)
  const { held } = await bed.balance()
  const notified = await send(revision, 'notifications/cancelled', { requestId: 1 })
  assert.deepEqual([notified.status, await notified.text()], [202, ''])
  assert.equal((await bed.balance()).held, held, 'a notification cancels no call')
  steps.closed = () => closed.resolve()
  controller.abort()
  await assert.rejects(response, { name: 'AbortError' })
  await resolved.promise
  steps = NO_STEPS
  const transaction = (await bed.transactions()).at(-1)
  return { held, status: transaction?.status, code: transaction?.error_code }
}

const RELEASED = { held: PRICE, status: 'released', code: 'call_cancelled' }
const SETTLED = { held: PRICE, status: 'settled', code: null }

describe('a client of 2026-07-28 that closes the response', { timeout: 20_000 }, () => {
  it('is not charged for a call that reached no vendor, and no vendor is called', async () => {
    const [before, calls] = [await bed.balance(), bed.vendor.requests.length]
    assert.deepEqual(await leave('2026-07-28', run(), 'opened'), RELEASED)
    assert.deepEqual(await bed.balance(), before)
    assert.equal(bed.vendor.requests.length, calls)
  })

  it('is charged once the vendor has the request', async () => {
    const before = await bed.balance()
    assert.deepEqual(await leave('2026-07-28', run(), 'asked'), SETTLED)
    assert.deepEqual(await bed.balance(), { ...before, balance: before.balance - PRICE })
  })

  it('is charged for a call with an idempotency key, whose answer waits', async () => {
    const [before, calls] = [await bed.balance(), bed.vendor.requests.length]
    const call = run({ idempotency_key: 'closed' })
    assert.deepEqual(await leave('2026-07-28', call, 'opened'), SETTLED)
    assert.deepEqual(await bed.balance(), { ...before, balance: before.balance - PRICE })
    const { result } = (await (await send('2026-07-28', 'tools/call', call)).json()) as {
      result: { content: readonly { text: string }[]; _meta?: Fields }
    }
    assert.equal((JSON.parse(result.content[0]?.text ?? '') as Envelope).ok, true)
    assert.equal(result._meta?.['idempotencyReplayed'], true)
    assert.equal(bed.vendor.requests.length, calls + 1)
  })
})

describe('a client of 2025-11-25 that closes the response', { timeout: 20_000 }, () => {
  it('is charged for the call, because a lost connection is no cancellation there', async () => {
    const [before, calls] = [await bed.balance(), bed.vendor.requests.length]
    assert.deepEqual(await leave('2025-11-25', run(), 'opened'), SETTLED)
    assert.deepEqual(await bed.balance(), { ...before, balance: before.balance - PRICE })
    assert.equal(bed.vendor.requests.length, calls + 1)
  })
})
