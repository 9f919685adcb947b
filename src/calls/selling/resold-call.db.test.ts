/** A call that is sold and that the gateway buys from a merchant. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Type } from '../../lib/schema.ts'
import { openCallBed } from '../../../test/harness/beds/calls.ts'
import { startMerchant } from '../../../test/harness/vendors/merchant.ts'
import { call, defineService, params } from '../../catalog/vocabulary/define.ts'
import { done, type Data } from '../../catalog/vocabulary/outcome.ts'
import { bearer, post } from '../../catalog/vocabulary/wire.ts'
import { verifyLedger } from '../../ledger/verify.ts'
import { newId } from '../../lib/ids.ts'
import { cents, dollars } from '../../lib/money.ts'
import { DEV_ASSET, devledger, takeDevledger } from '../../upstream/pay/testing/devledger.ts'
import { acceptMpp } from '../../upstream/sell/accept-mpp.ts'
import type { Headers } from '../../upstream/sell/acceptance.ts'
import { createIntents } from '../payments/intents.ts'
import { listPayments } from '../payments/queue.ts'
import { sellCall, type SaleAnswer } from './sell-call.ts'

const body = { query: 'x' }
const merchant = await startMerchant()
const buy = call({
  summary: 'Sells.',
  input: params({ query: Type.String() }),
  example: body,
  timeoutMs: 60_000,
  price: { kind: 'actual', cap: cents('3') },
  request: () => post('/buy', body),
  reply: Type.Object({}),
  outcome: (reply) => done(reply.body as Data),
  merchant: { at: { baseUrl: merchant.url, method: 'devledger.charge', asset: DEV_ASSET } },
})
const shop = defineService({
  id: 'shop',
  title: 'Shop',
  category: 'x',
  vendor: { baseUrl: 'https://shop.example', auth: bearer(), docsUrl: 'https://shop.example' },
  actions: { buy },
})
const wallet = devledger()
const bed = await openCallBed({
  services: [shop],
  configured: false,
  wallet: (database, now) => ({
    methods: [wallet],
    intents: createIntents({ database, now, dailyCeiling: dollars('50'), openCeiling: cents('5') }),
    now,
  }),
})

let taken = 0
const acceptance = acceptMpp({
  name: 'devledger.charge',
  asset: DEV_ASSET,
  recipient: '0xhouse',
  secretKey: 'a-secret-of-this-gateway-of-32-bytes-or-more',
  take(credential) {
    taken += 1
    return takeDevledger(credential)
  },
})
const sell = (headers: Headers): Promise<SaleAnswer> =>
  sellCall(
    bed.calls,
    { acceptances: [acceptance], publicUrl: 'https://gate.example' },
    {
      id: newId(bed.clock()),
      service: 'shop',
      action: 'buy',
      body,
      headers,
      fingerprint: 'ab'.repeat(32),
    },
  )

async function payment(): Promise<Headers> {
  const asked = await sell({})
  const [offer] = await devledger().offersIn(
    { status: 402, headers: { ...asked.headers }, text: '' },
    {
      origin: 'https://gate.example',
      path: '/api/run/shop/buy',
      method: 'POST',
      headers: {},
      body: null,
    },
  )
  return offer === undefined ? assert.fail('there is an offer') : offer.sign()
}

it('retries for the same payment of its buyer after the merchant failed', async () => {
  const paid = await payment()
  merchant.asks({ paid: () => ({ status: 500, body: {} }) })
  await assert.rejects(sell(paid), { code: 'payment_unknown' })
  merchant.asks({})
  const answer = await sell(paid)
  assert.ok(answer.kind === 'delivered' && !answer.answer.replayed)
  const again = await sell(paid)
  assert.ok(
    again.kind === 'delivered' && again.answer.replayed && again.answer.body === answer.answer.body,
  )
  assert.deepEqual(
    [taken, wallet.signatures.length, (await listPayments(bed.database, 'unknown', 9)).length],
    [1, 2, 1],
  )
})

it('balances the ledger', async () => {
  assert.deepEqual((await verifyLedger(bed.database)).findings, [])
})
