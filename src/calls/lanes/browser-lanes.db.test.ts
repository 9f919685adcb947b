/** A browser session stays with its seller, the merchant or the operator's key, even after the settings change. */
import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { Agent } from 'undici'
import {
  createBrowserVendor,
  type BrowserVendor,
} from '../../../test/harness/vendors/browser-vendor.ts'
import { openCallBed } from '../../../test/harness/beds/calls.ts'
import { cleanUp } from '../../../test/harness/clean-up.ts'
import { startMerchant } from '../../../test/harness/vendors/merchant.ts'
import { spendDownTo } from '../../../test/harness/beds/session-bed.ts'
import { service as browser } from '../../vendors/browser/record.ts'
import { cents, dollars } from '../../lib/money.ts'
import { endBrowsers } from '../../resources/browsers/end-browsers.ts'
import { DEV_ASSET, devledger, receiptHeader } from '../../upstream/pay/testing/devledger.ts'
import { createLanes } from './lanes.ts'
import { createIntents } from '../payments/intents.ts'
import type { Calls } from '../call.ts'
import { runCall } from '../run.ts'

const merchant = await startMerchant()
const at = { baseUrl: merchant.url, method: 'devledger.charge', asset: DEV_ASSET }
const actions = Object.fromEntries(
  Object.entries(browser.actions).map(([name, action]) => {
    assert.ok(action.kind === 'call' && action.merchant !== undefined)
    return [name, { ...action, merchant: { ...action.merchant, at } }]
  }),
)
const method = devledger()
const bed = await openCallBed({
  services: [{ ...browser, actions }],
  wallet: (database, now) => ({
    methods: [method],
    intents: createIntents({
      database,
      now,
      dailyCeiling: dollars('50'),
      openCeiling: cents('50'),
    }),
    now,
  }),
})
const dispatcher = new Agent()
cleanUp(() => dispatcher.close())

const withKey = bed.calls
const lanesWith = (
  payments: readonly (typeof method)[],
  upstreams: Parameters<typeof createLanes>[0]['upstreams'],
) =>
  createLanes({
    catalog: bed.calls.catalog,
    upstreams,
    guardedDispatcher: dispatcher,
    operatorDispatcher: dispatcher,
    inHouse: new Set(),
    simulatorUrl: bed.vendor.url,
    userAgent: 'Tollgate-Test/1.0',
    payments,
  })
const withWallet: Calls = { ...bed.calls, lanes: lanesWith([method], new Map()) }
const withNothing: Calls = { ...bed.calls, lanes: lanesWith([], new Map()) }
let vendor: BrowserVendor

async function answerOf(
  calls: Calls,
  action: string,
  input: object,
): Promise<Record<string, unknown>> {
  const { body, charged } = await runCall(calls, bed.request('browser', action, input))
  return { ...(JSON.parse(body) as { data: Record<string, unknown> }).data, charged }
}

beforeEach(() => {
  vendor = createBrowserVendor(bed.clock)
  bed.vendor.answerWith(vendor.answer)
  bed.vendor.requests.length = 0
  merchant.requests.length = 0
})

describe('a browser session', () => {
  it('bought from the merchant stays there after the operator adds a key', async () => {
    merchant.asks({
      amount: '10000',
      paid: () => ({
        headers: { 'payment-receipt': receiptHeader('ref-1') },
        body: {
          sessionId: 'bought',
          connectUrl: 'wss://connect.merchant.example/1',
          paidMinutes: 5,
        },
      }),
    })
    assert.equal(
      (await answerOf(withWallet, 'create_session', { estimatedMinutes: 5 }))['sessionId'],
      'bought',
    )
    merchant.asks({
      amount: '4000',
      paid: () => ({
        headers: { 'payment-receipt': receiptHeader('ref-2') },
        body: { sessionId: 'bought', paidMinutes: 7 },
      }),
    })
    assert.deepEqual(
      await answerOf(withKey, 'extend_session', { session_id: 'bought', estimatedMinutes: 2 }),
      { sessionId: 'bought', paidMinutes: 7, charged: 4_000n },
    )
    merchant.answerWith(({ path }) =>
      path === '/browser/session/bought/status'
        ? { body: { sessionId: 'bought', status: 'active', usage: { minutesRemaining: 6 } } }
        : { status: 410 },
    )
    const { alive, paidMinutes } = await answerOf(withKey, 'session_status', {
      session_id: 'bought',
    })
    assert.deepEqual([alive, paidMinutes], [true, 6])
    assert.equal(
      (await answerOf(withKey, 'release_session', { session_id: 'bought' }))['released'],
      true,
    )
    assert.deepEqual([merchant.requests.at(-1)?.method, bed.vendor.requests], ['DELETE', []])
  })

  it('opened with a key never moves to the merchant after the key is removed', async () => {
    const { sessionId: session_id } = await answerOf(withKey, 'create_session', {
      estimatedMinutes: 30,
    })
    await spendDownTo(bed, 0n)
    const before = await bed.balance()
    for (const calls of [withWallet, withNothing]) {
      await assert.rejects(answerOf(calls, 'session_status', { session_id }), {
        code: 'upstream_not_configured',
      })
      await assert.rejects(answerOf(calls, 'extend_session', { session_id, estimatedMinutes: 5 }), {
        code: 'upstream_not_configured',
      })
    }
    assert.deepEqual([await bed.balance(), merchant.requests], [before, []])
    assert.deepEqual(await answerOf(withWallet, 'release_session', { session_id }), {
      sessionId: session_id,
      released: true,
      unused_minutes: 30,
      charged: 0n,
    })
    assert.deepEqual(vendor.living(), [session_id])
    await endBrowsers({
      database: bed.database,
      now: bed.clock,
      target: withKey.lanes.targetOf('browser'),
    })
    assert.deepEqual(vendor.living(), [])
    assert.equal((await answerOf(withNothing, 'session_status', { session_id }))['alive'], false)
  })
})
