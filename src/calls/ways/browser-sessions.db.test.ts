/** Browser sessions opened with the operator's vendor key. The gateway sells their minutes, extends them and ends them. */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import {
  createBrowserVendor,
  type BrowserVendor,
} from '../../../test/harness/vendors/browser-vendor.ts'
import { anotherCaller, openCallBed, type CallBed } from '../../../test/harness/beds/calls.ts'
import type { VendorRequest } from '../../../test/harness/vendors/vendor.ts'
import { AppError } from '../../errors/app-error.ts'
import { verifyLedger } from '../../ledger/verify.ts'
import { toRfc3339 } from '../../lib/clock.ts'
import { cents } from '../../lib/money.ts'
import type { BrowserDeps } from '../../resources/browsers/browser-deps.ts'
import { endBrowsers, forgetBrowsers } from '../../resources/browsers/end-browsers.ts'
import type { CallRequest, Calls } from '../call.ts'
import { runCall } from '../run.ts'
import { assertFits } from '../../catalog/testing/assert-fits.ts'

const MINUTE_MS = 60_000
let bed: CallBed
let parts: BrowserDeps
let vendor: BrowserVendor

const inMinutes = (minutes: number): string => toRfc3339(bed.clock() + minutes * MINUTE_MS)

async function answerOf(
  action: string,
  input: object,
  extra: Partial<CallRequest> = {},
  calls: Calls = bed.calls,
): Promise<Record<string, unknown>> {
  const { body, charged } = await runCall(calls, bed.request('browser', action, input, extra))
  const { data } = JSON.parse(body) as { data: Record<string, unknown> }
  assertFits(`browser/${action}`, data)
  return { ...data, charged }
}

const open = async (estimatedMinutes = 30): Promise<string> =>
  String((await answerOf('create_session', { estimatedMinutes }))['sessionId'])
const extend = (session_id: string, estimatedMinutes: number, extra?: Partial<CallRequest>) =>
  answerOf('extend_session', { session_id, estimatedMinutes }, extra)
const status = (session_id: string) => answerOf('session_status', { session_id })
const release = (session_id: string) => answerOf('release_session', { session_id })

/** Rejected with `code`, with nothing charged or held. */
async function refused(
  work: () => Promise<unknown>,
  code: string,
  more: object = {},
): Promise<void> {
  const before = await bed.balance()
  await assert.rejects(work, { code, ...more })
  assert.deepEqual(await bed.balance(), before)
}

/** The vendor returns this once for such a request, before or after it executes it. */
function once(method: string, path: RegExp, reply: object | 'reset', isDone = true): void {
  let isLeft = true
  bed.vendor.answerWith((request: VendorRequest) => {
    const isMeant = isLeft && request.method === method && path.test(request.path)
    if (isMeant) isLeft = false
    const answer = isMeant && !isDone ? {} : vendor.answer(request)
    return isMeant ? reply : answer
  })
}

async function pass(minutes: number): Promise<void> {
  bed.clock.advance(minutes * MINUTE_MS)
  await endBrowsers(parts)
}

beforeEach(async () => {
  bed = await openCallBed()
  parts = { database: bed.database, now: bed.clock, target: bed.calls.lanes.targetOf('browser') }
  vendor = createBrowserVendor(bed.clock)
  bed.vendor.answerWith(vendor.answer)
})
afterEach(async () => assert.deepEqual((await verifyLedger(bed.database)).findings, []))

describe('a browser session opened with the operator’s key', () => {
  it('is ordered from the vendor for its longest time, and charged by paid minutes', async () => {
    const told = await answerOf('create_session', { estimatedMinutes: 30, proxies: 'us' })
    assert.deepEqual(told, {
      sessionId: 'session-1',
      connectUrl: 'wss://connect.vendor.example/?signingKey=session-1',
      paidMinutes: 30,
      expiresAt: inMinutes(30),
      charged: cents('6'),
    })
    const [asked] = bed.vendor.requests
    assert.deepEqual(
      [asked?.method, asked?.path, asked?.headers['x-bb-api-key'], asked?.headers.authorization],
      ['POST', '/v1/sessions', 'vendor-secret-key', undefined],
    )
    const { userMetadata, ...order } = asked?.body as Record<string, unknown>
    assert.deepEqual(order, {
      timeout: 21_600,
      proxies: [{ type: 'browserbase', geolocation: { country: 'US' } }],
    })
    assert.match(JSON.stringify(userMetadata), /^\{"tollgate_session":"ses_[0-9a-z]+"\}$/i)
  })

  it('is not recorded, and rejects the parameter free', async () => {
    await refused(() => answerOf('create_session', { record: true }), 'invalid_params', {
      param: 'record',
    })
    assert.deepEqual(vendor.living(), [])
  })

  it('is ended at the vendor after its paid minutes, and not before', async () => {
    const id = await open(30)
    await pass(29.9)
    assert.deepEqual(vendor.living(), [id])
    await pass(0.1)
    assert.deepEqual(vendor.living(), [])
    assert.deepEqual(await status(id), {
      sessionId: id,
      status: 'ended',
      alive: false,
      paidMinutes: 0,
      expiresAt: inMinutes(0),
      charged: 0n,
    })
  })

  it('continues for added minutes, which cost the same', async () => {
    const id = await open(30)
    bed.clock.advance(20 * MINUTE_MS)
    assert.deepEqual(await extend(id, 15), {
      sessionId: id,
      paidMinutes: 45,
      expiresAt: inMinutes(25),
      charged: cents('3'),
    })
    assert.equal((await status(id))['paidMinutes'], 25)
    await pass(24)
    assert.deepEqual(vendor.living(), [id])
    await pass(1)
    assert.deepEqual(vendor.living(), [])
  })

  it('is extended by each concurrent call, which is charged for its minutes', async () => {
    const id = await open(30)
    const { balance } = await bed.balance()
    await Promise.all([1, 2, 3, 4, 5].map((minutes) => extend(id, minutes)))
    assert.equal((await status(id))['expiresAt'], inMinutes(45))
    assert.deepEqual(await bed.balance(), { balance: balance - cents('3'), held: 0n })
  })

  it('is extended once per idempotency key, also for a repeat after its end', async () => {
    const id = await open(30)
    const idempotency = { key: 'more', fingerprint: 'aa' }
    const told = await extend(id, 15, { idempotency })
    assert.equal((await status(id))['expiresAt'], inMinutes(45))
    const before = await bed.balance()
    for (const minutes of [0, 60]) {
      await pass(minutes)
      assert.deepEqual(await extend(id, 15, { idempotency }), { ...told, charged: 0n })
    }
    assert.deepEqual(await bed.balance(), before)
  })

  it('is not extended beyond the vendor’s limit, and returns the remaining minutes, free', async () => {
    const id = await open(30)
    await refused(() => extend(id, 331), 'invalid_params', {
      param: 'estimatedMinutes',
      details: { most_minutes: 330 },
    })
    await extend(id, 330)
    await refused(() => extend(id, 1), 'invalid_params', { details: { most_minutes: 0 } })
  })

  it('is not extended after its end by time, owner or vendor, free', async () => {
    const ended = { message: /^This session has ended/ }
    const over = await open(1)
    bed.clock.advance(MINUTE_MS)
    await refused(() => extend(over, 5), 'unknown_session', ended)
    const released = await open()
    await release(released)
    await refused(() => extend(released, 5), 'unknown_session', ended)
    const left = await open()
    for (const session of vendor.sessions) session.status = 'COMPLETED'
    await refused(() => extend(left, 5), 'unknown_session', ended)
    const gone = await open()
    vendor.sessions.length = 0
    await refused(() => extend(gone, 5), 'unknown_session', ended)
    await refused(() => extend('session-of-nobody', 5), 'unknown_session', {
      message: 'Unknown session.',
    })
  })

  it('that ends during its extension is not extended, free', async () => {
    for (const end of [release, (_id: string) => pass(30)]) {
      const id = await open(30)
      bed.vendor.answerWith(async (request) => {
        if (request.method === 'GET') await end(id)
        return vendor.answer(request)
      })
      const before = await bed.balance()
      await assert.rejects(extend(id, 5), { code: 'unknown_session' })
      assert.deepEqual(await bed.balance(), before)
      assert.deepEqual(vendor.living(), [])
      bed.vendor.answerWith(vendor.answer)
    }
  })

  it('does not change if the vendor does not reply to an extension', async () => {
    const id = await open(30)
    for (const reply of ['reset', { status: 500 }, { status: 429 }] as const) {
      once('GET', /session-1/, reply)
      const before = await bed.balance()
      await assert.rejects(extend(id, 5))
      assert.deepEqual(
        [await bed.balance(), (await status(id))['expiresAt']],
        [before, inMinutes(30)],
      )
    }
  })

  it('returns its remaining paid minutes by the clock of the gateway until it ended', async () => {
    for (const skewMs of [0, -3 * 3_600_000, 3 * 3_600_000]) {
      vendor.skewMs = skewMs
      const id = await open(30)
      await pass(12)
      assert.deepEqual(await status(id), {
        sessionId: id,
        status: 'RUNNING',
        alive: true,
        paidMinutes: 18,
        expiresAt: inMinutes(18),
        charged: 0n,
      })
      await refused(() => extend(id, 331), 'invalid_params', { details: { most_minutes: 330 } })
      for (const state of ['COMPLETED', 'TIMED_OUT', 'ERROR']) {
        for (const session of vendor.sessions) session.status = state
        const { alive, paidMinutes } = await status(id)
        assert.deepEqual([alive, paidMinutes], [false, 0])
      }
    }
  })

  it('is ended at the vendor by each release, which returns the unused minutes', async () => {
    const id = await open(30)
    bed.clock.advance(10 * MINUTE_MS)
    for (let times = 0; times < 2; times += 1)
      assert.deepEqual(await release(id), {
        sessionId: id,
        released: true,
        unused_minutes: 20,
        charged: 0n,
      })
    assert.deepEqual(vendor.living(), [])
    const told = bed.vendor.requests.filter(
      ({ method, path }) => method === 'POST' && path === '/v1/sessions/session-1',
    )
    assert.deepEqual(
      told.map(({ body }) => body),
      [{ status: 'REQUEST_RELEASE' }],
    )
    bed.clock.advance(30 * MINUTE_MS)
    assert.equal((await release(id))['unused_minutes'], 20)
    const over = await open(1)
    await pass(5)
    assert.equal((await release(over))['unused_minutes'], 0)
  })

  it('is ended at the vendor again until the request succeeds', async () => {
    for (const reply of ['reset', { status: 500 }, { status: 429 }] as const) {
      const id = await open(30)
      once('POST', /\/v1\/sessions\/session/, reply, false)
      assert.equal((await release(id))['released'], true)
      assert.deepEqual(vendor.living(), [id])
      await pass(0.5)
      assert.deepEqual(vendor.living(), [])
    }
    const asked = bed.vendor.requests.length
    await pass(60)
    assert.equal(bed.vendor.requests.length, asked)
  })

  it('gets no more requests if it has ended and the vendor rejects another end', async () => {
    const id = await open(30)
    for (const session of vendor.sessions) session.status = 'COMPLETED'
    bed.vendor.answerWith((request) =>
      request.method === 'POST'
        ? {
            status: 400,
            body: { statusCode: 400, error: 'Bad Request', message: 'Session is not running' },
          }
        : vendor.answer(request),
    )
    assert.equal((await release(id))['released'], true)
    bed.vendor.requests.length = 0
    await pass(1)
    assert.deepEqual(bed.vendor.requests, [])
  })

  it('is ended by one process at a time', async () => {
    for (let count = 0; count < 45; count += 1) await open(1)
    bed.vendor.requests.length = 0
    bed.clock.advance(MINUTE_MS)
    await Promise.all([endBrowsers(parts), endBrowsers(parts)])
    assert.deepEqual([vendor.living(), bed.vendor.requests.length], [[], 45])
  })

  it('is ended in small batches while the vendor is away, and with all others afterwards', async () => {
    for (let count = 0; count < 45; count += 1) await open(1)
    bed.clock.advance(MINUTE_MS)
    bed.vendor.requests.length = 0
    bed.vendor.answerWith(() => 'reset')
    await endBrowsers(parts)
    assert.equal(bed.vendor.requests.filter(({ method }) => method === 'POST').length, 20)
    bed.vendor.answerWith(vendor.answer)
    await pass(1)
    assert.deepEqual(vendor.living(), [])
  })

  it('returns the remaining credit with each charged answer', async () => {
    const opened = await runCall(
      bed.calls,
      bed.request('browser', 'create_session', { estimatedMinutes: 30 }),
    )
    assert.deepEqual(opened.wallet, await bed.balance())
    const extended = await runCall(
      bed.calls,
      bed.request('browser', 'extend_session', { session_id: 'session-1', estimatedMinutes: 15 }),
    )
    assert.deepEqual(extended.wallet, await bed.balance())
  })

  it('is left by a process without the key to one that has it', async () => {
    const id = await open(1)
    bed.clock.advance(MINUTE_MS)
    await endBrowsers({ ...parts, target: null })
    assert.deepEqual(vendor.living(), [id])
    await endBrowsers(parts)
    assert.deepEqual(vendor.living(), [])
  })

  it('that was opened without a reply is free, and is found and ended', async () => {
    for (const reply of ['reset', { status: 504 }, { status: 201, body: {} }] as const) {
      const before = await bed.balance()
      once('POST', /\/v1\/sessions$/, reply)
      await assert.rejects(open())
      assert.deepEqual([await bed.balance(), vendor.living().length], [before, 1])
      await pass(0)
      assert.deepEqual(vendor.living(), [])
    }
  })

  it('that appears after its call failed is found and ended for ten minutes', async () => {
    let late: VendorRequest | undefined
    bed.vendor.answerWith((request) => {
      if (request.method !== 'POST' || request.path !== '/v1/sessions')
        return vendor.answer(request)
      late = request
      return { status: 504 }
    })
    await assert.rejects(open(), { code: 'upstream_timeout' })
    await pass(1)
    assert.ok(late !== undefined)
    vendor.answer(late)
    assert.equal(vendor.living().length, 1)
    await pass(1)
    assert.deepEqual(vendor.living(), [])
    await pass(10)
    bed.vendor.requests.length = 0
    await pass(10)
    assert.deepEqual(bed.vendor.requests, [])
  })

  it('gets no requests after the vendor’s own end if the vendor is unreachable', async () => {
    const id = await open(1)
    bed.vendor.answerWith(() => 'reset')
    await release(id)
    await pass(6 * 60 - 1)
    bed.vendor.requests.length = 0
    await pass(1)
    assert.ok(bed.vendor.requests.length > 0)
    bed.vendor.requests.length = 0
    await pass(1)
    assert.deepEqual(bed.vendor.requests, [])
  })

  it('is opened for the minutes that max_cost_cents pays for, and returns them', async () => {
    const { body, charged } = await runCall(
      bed.calls,
      bed.request('browser', 'create_session', { estimatedMinutes: 30, max_cost_cents: 2 }),
    )
    const { data, lowered } = JSON.parse(body) as {
      data: Record<string, unknown>
      lowered: unknown
    }
    assert.deepEqual(
      [data['paidMinutes'], lowered, charged],
      [10, { estimatedMinutes: 10 }, cents('2')],
    )
    await pass(10)
    assert.deepEqual(vendor.living(), [])
  })

  it('that appears after its call was given up is free, and is ended', async () => {
    for (const giveUp of [() => bed.calls.ledger.sweep(), () => endBrowsers(parts)]) {
      const before = await bed.balance()
      bed.vendor.answerWith(async (request) => {
        if (request.method === 'POST' && request.path === '/v1/sessions') {
          bed.clock.advance(10 * MINUTE_MS)
          await giveUp()
        }
        return vendor.answer(request)
      })
      await assert.rejects(open(), { code: 'upstream_timeout' })
      assert.deepEqual([await bed.balance(), vendor.living()], [before, []])
    }
  })

  it('sold or extended in a commit with a lost response is returned and charged once', async () => {
    const { database } = bed.calls
    const lossy: Calls = {
      ...bed.calls,
      database: {
        ...database,
        async transaction(work) {
          await database.transaction(work)
          throw new AppError('overloaded')
        },
      },
    }
    const { balance } = await bed.balance()
    const { sessionId: id, charged } = await answerOf(
      'create_session',
      { estimatedMinutes: 30 },
      {},
      lossy,
    )
    assert.deepEqual(
      [charged, await bed.balance(), vendor.living()],
      [cents('6'), { balance: balance - cents('6'), held: 0n }, [id]],
    )
    assert.equal(
      (await answerOf('extend_session', { session_id: id, estimatedMinutes: 15 }, {}, lossy))[
        'charged'
      ],
      cents('3'),
    )
    await pass(44)
    assert.deepEqual(
      [vendor.living(), await bed.balance()],
      [[id], { balance: balance - cents('9'), held: 0n }],
    )
  })

  it('that the vendor rejects is free, and not searched for', async () => {
    for (const [code, at] of [
      [400, 'upstream_rejected'],
      [401, 'upstream_not_configured'],
      [402, 'upstream_payment'],
      [429, 'upstream_busy'],
    ] as const) {
      bed.vendor.answerWith(() => ({
        status: code,
        body: { statusCode: code, error: 'Refused', message: 'No.' },
      }))
      await refused(() => open(), at)
    }
    bed.vendor.requests.length = 0
    await pass(5)
    assert.deepEqual(bed.vendor.requests, [])
  })

  it('is ordered for the paid minutes if the vendor’s plan has no longer ones', async () => {
    vendor.longestSeconds = 900
    const id = await open(10)
    assert.deepEqual(
      bed.vendor.requests.map(({ body }) => (body as { timeout: number }).timeout),
      [21_600, 600],
    )
    await refused(() => extend(id, 1), 'invalid_params', { details: { most_minutes: 0 } })
    await refused(() => open(16), 'upstream_rejected')
  })

  it('is charged for at most the minutes that the vendor allows', async () => {
    vendor.longestSeconds = 900
    vendor.isCut = true
    const { paidMinutes, charged } = await answerOf('create_session', { estimatedMinutes: 30 })
    assert.deepEqual([paidMinutes, charged], [15, cents('3')])
  })

  it('is unknown to other accounts, without a vendor request', async () => {
    const id = await open()
    const otherCaller = await anotherCaller(bed)
    bed.vendor.requests.length = 0
    for (const action of ['session_status', 'release_session', 'extend_session'])
      await assert.rejects(
        answerOf(
          action,
          { session_id: id, ...(action === 'extend_session' ? { estimatedMinutes: 1 } : {}) },
          { caller: otherCaller },
        ),
        { code: 'unknown_session', message: 'Unknown session.' },
      )
    assert.deepEqual(bed.vendor.requests, [])
    assert.deepEqual(vendor.living(), [id])
  })

  it('is published as live with that key, for each of its actions', () => {
    for (const action of ['create_session', 'extend_session', 'session_status', 'release_session'])
      assert.deepEqual(bed.calls.lanes.statusOf('browser', action), {
        live: 'vendor',
        lanes: ['vendor', 'wallet', 'in-house'],
      })
  })

  it('is found for three months after its end', async () => {
    const id = await open(1)
    await pass(1)
    await pass(89 * 24 * 60)
    assert.equal(await forgetBrowsers(parts), 0)
    assert.equal((await status(id))['alive'], false)
    await pass(2 * 24 * 60)
    assert.equal(await forgetBrowsers(parts), 1)
    await refused(() => status(id), 'unknown_session')
  })
})
