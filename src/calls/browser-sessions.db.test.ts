/** Browser sessions that are opened with a key of the operator's own, whose vendor is then asked in another way than its merchant. */
import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { anotherCaller, openCallBed } from '../../test/harness/calls.ts'
import type { VendorReply, VendorRequest } from '../../test/harness/vendor.ts'
import { cents } from '../lib/money.ts'
import { runCall } from './run.ts'

const bed = await openCallBed()
const otherCaller = await anotherCaller(bed)

const OPENED = '2026-10-14T12:00:00.000Z'
const session = { id: 'session-1', createdAt: OPENED, startedAt: OPENED, updatedAt: OPENED, expiresAt: '2026-10-14T12:30:00.000Z', status: 'RUNNING', keepAlive: false, projectId: 'project-of-the-operator', proxyBytes: 0, region: 'us-west-2' }
const opened = { ...session, connectUrl: 'wss://connect.vendor.example/?signingKey=s1', seleniumRemoteUrl: 'https://connect.vendor.example/webdriver', signingKey: 's1' }
const afterMinutes = (minutes: number): Record<string, string> => ({ date: new Date(Date.parse(OPENED) + minutes * 60_000).toUTCString() })

/** The vendor's own API: it opens, tells of and ends sessions, and knows nothing else. */
function vendorWith(state: object, minutes: number): (request: VendorRequest) => VendorReply {
  return ({ method, path }) => {
    if (method === 'POST' && path === '/v1/sessions') return { status: 201, body: opened }
    if (path !== '/v1/sessions/session-1') return { status: 404, body: { statusCode: 404, error: 'Not Found', message: 'Not Found' } }
    return { headers: afterMinutes(minutes), body: { ...session, ...state } }
  }
}

async function answerOf(action: string, input: object, caller = bed.caller): Promise<Record<string, unknown>> {
  const { body, charged } = await runCall(bed.calls, bed.request('browser', action, input, { caller }))
  return { ...(JSON.parse(body) as { data: Record<string, unknown> }).data, charged }
}

describe('a browser session opened with the operator’s key', () => {
  beforeEach(() => {
    bed.vendor.requests.length = 0
    bed.vendor.answerWith(vendorWith({}, 0))
  })

  it('is asked of the vendor’s own API with that key, for the minutes that are paid, and is charged by them', async () => {
    const told = await answerOf('create_session', { estimatedMinutes: 30, proxies: 'us' })
    assert.deepEqual(told, { sessionId: 'session-1', connectUrl: opened.connectUrl, paidMinutes: 30, expiresAt: opened.expiresAt, charged: cents('6') })
    const [asked] = bed.vendor.requests
    assert.deepEqual([asked?.method, asked?.path, asked?.headers['x-bb-api-key'], asked?.headers.authorization], ['POST', '/v1/sessions', 'vendor-secret-key', undefined])
    assert.deepEqual(asked?.body, { timeout: 1_800, proxies: [{ type: 'browserbase', geolocation: { country: 'US' } }] })
  })

  it('tells how many paid minutes are left by the vendor’s clock, until it has ended', async () => {
    await answerOf('create_session', { estimatedMinutes: 30 })
    bed.vendor.answerWith(vendorWith({}, 12))
    assert.deepEqual(await answerOf('session_status', { session_id: 'session-1' }), { sessionId: 'session-1', status: 'RUNNING', alive: true, paidMinutes: 18, expiresAt: session.expiresAt, charged: 0n })
    for (const status of ['COMPLETED', 'TIMED_OUT', 'ERROR']) {
      bed.vendor.answerWith(vendorWith({ status }, 12))
      const { alive, paidMinutes } = await answerOf('session_status', { session_id: 'session-1' })
      assert.deepEqual([alive, paidMinutes], [false, 0])
    }
  })

  it('is ended at the vendor when it is released, as often as it is', async () => {
    await answerOf('create_session', { estimatedMinutes: 30 })
    bed.vendor.answerWith(vendorWith({ status: 'COMPLETED', endedAt: '2026-10-14T12:10:00.000Z' }, 25))
    for (let times = 0; times < 2; times += 1) assert.deepEqual(await answerOf('release_session', { session_id: 'session-1' }), { sessionId: 'session-1', released: true, unused_minutes: 20, charged: 0n })
    const { method, path, body } = bed.vendor.requests.at(-1) ?? {}
    assert.deepEqual([method, path, body], ['POST', '/v1/sessions/session-1', { status: 'REQUEST_RELEASE' }])
    bed.vendor.answerWith(() => ({ status: 404, body: { statusCode: 404, message: 'Not Found' } }))
    assert.equal((await answerOf('release_session', { session_id: 'session-1' }))['unused_minutes'], 0)
  })

  it('is nobody else’s, though all accounts share the key: the vendor is not even asked', async () => {
    await answerOf('create_session', { estimatedMinutes: 30 })
    bed.vendor.requests.length = 0
    for (const action of ['session_status', 'release_session']) await assert.rejects(answerOf(action, { session_id: 'session-1' }, otherCaller), { code: 'unknown_session' })
    assert.deepEqual(bed.vendor.requests, [])
  })

  it('is not extended, which the vendor does for no key: that is told, free, and shown as not live', async () => {
    await answerOf('create_session', { estimatedMinutes: 30 })
    bed.vendor.requests.length = 0
    const before = await bed.balance()
    await assert.rejects(answerOf('extend_session', { session_id: 'session-1', estimatedMinutes: 5 }), { code: 'upstream_not_configured' })
    assert.deepEqual([bed.vendor.requests, await bed.balance()], [[], before])
    assert.deepEqual(bed.calls.lanes.statusOf('browser', 'extend_session'), { live: null, lanes: ['wallet'] })
    assert.deepEqual(bed.calls.lanes.statusOf('browser', 'create_session'), { live: 'vendor', lanes: ['vendor', 'wallet'] })
  })

  it('that the vendor refuses is free', async () => {
    const before = await bed.balance()
    for (const [status, code] of [[400, 'upstream_rejected'], [401, 'upstream_not_configured'], [402, 'upstream_payment'], [429, 'upstream_busy']] as const) {
      bed.vendor.answerWith(() => ({ status, body: { statusCode: status, error: 'Refused', message: 'No.' } }))
      await assert.rejects(answerOf('create_session', { estimatedMinutes: 30 }), { code })
    }
    assert.deepEqual(await bed.balance(), before)
  })
})
