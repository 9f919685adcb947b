/** Payments of calls whose price changed before a retry. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Type } from '../../lib/schema.ts'
import { openCallBed } from '../../../test/harness/beds/calls.ts'
import { call, defineService, params, type Service } from '../../catalog/vocabulary/define.ts'
import { createCatalog } from '../../catalog/index.ts'
import { USDC_ON_BASE } from '../../catalog/vocabulary/merchant.ts'
import { done, type Data } from '../../catalog/vocabulary/outcome.ts'
import { flat } from '../../catalog/vocabulary/tariff.ts'
import { bearer, post } from '../../catalog/vocabulary/wire.ts'
import { verifyLedger } from '../../ledger/verify.ts'
import { HOUR_MS } from '../../lib/clock.ts'
import { newId } from '../../lib/ids.ts'
import { cents, type Micros } from '../../lib/money.ts'
import { DEV_ASSET, devledger, takeDevledger } from '../../upstream/pay/testing/devledger.ts'
import { acceptMpp } from '../../upstream/sell/accept-mpp.ts'
import { acceptX402 } from '../../upstream/sell/accept-x402.ts'
import type { Headers } from '../../upstream/sell/acceptance.ts'
import type { Calls } from '../call.ts'
import { sellCall, type SaleAnswer } from './sell-call.ts'

const PAY_TO = '0x2222222222222222222222222222222222222222'
const body = { query: 'x' }
const fingerprint = 'ab'.repeat(32)

function shopAt(price: Micros): Service {
  const record = {
    summary: 'Sells.',
    input: params({ query: Type.String() }),
    example: body,
    timeoutMs: 60_000,
    price: flat(price),
    request: () => post('/buy', body),
    reply: Type.Object({}),
  }
  return defineService({
    id: 'shop',
    title: 'Shop',
    category: 'x',
    vendor: { baseUrl: 'https://shop.example', auth: bearer(), docsUrl: 'https://shop.example' },
    actions: {
      buy: call({ ...record, outcome: (reply) => done(reply.body as Data) }),
      rent: call({ ...record, outcome: (reply) => done(reply.body as Data) }),
    },
  })
}

const bed = await openCallBed({ services: [shopAt(cents('2'))] })
const at = (price: string): Calls => ({
  ...bed.calls,
  catalog: createCatalog([shopAt(cents(price))]),
})
const mpp = acceptMpp({
  name: 'devledger.charge',
  asset: DEV_ASSET,
  recipient: '0xhouse',
  secretKey: 'a-secret-of-this-gateway-of-32-bytes-or-more',
  take: takeDevledger,
})
let whileTaken = (): void => {}
const x402 = acceptX402({
  asset: USDC_ON_BASE,
  recipient: PAY_TO,
  token: { name: 'USD Coin', version: '2' },
  take: async ({ payload }) => {
    whileTaken()
    return { reference: payload.authorization.nonce, receipt: {} }
  },
})
const sell = (
  calls: Calls,
  headers: Headers,
  other: { readonly action?: string; readonly fingerprint?: string } = {},
): Promise<SaleAnswer> =>
  sellCall(
    calls,
    { acceptances: [mpp, x402], publicUrl: 'https://gate.example' },
    {
      id: newId(bed.clock()),
      service: 'shop',
      action: 'buy',
      body,
      headers,
      fingerprint,
      ...other,
    },
  )

let nonces = 0
/** A new payment of two cents, with either protocol. */
const payments: Readonly<Record<string, () => Promise<Headers>>> = {
  async mpp() {
    const asked = await sell(at('2'), {})
    const request = {
      origin: 'https://gate.example',
      path: '/api/run/shop/buy',
      method: 'POST',
      headers: {},
      body: null,
    } as const
    const [offer] = await devledger().offersIn(
      { status: 402, headers: { ...asked.headers }, text: '' },
      request,
    )
    return offer === undefined ? assert.fail('there is an offer') : offer.sign()
  },
  async x402() {
    nonces += 1
    const amount = String(cents('2'))
    const accepted = {
      scheme: 'exact',
      network: `eip155:${USDC_ON_BASE.chainId}`,
      amount,
      asset: USDC_ON_BASE.currency,
      payTo: PAY_TO,
    }
    const payload = {
      signature: '0x1',
      authorization: {
        from: PAY_TO,
        to: PAY_TO,
        value: amount,
        nonce: `0x${String(nonces).padStart(64, '0')}`,
      },
    }
    return {
      'payment-signature': Buffer.from(
        JSON.stringify({ x402Version: 2, accepted, payload }),
      ).toString('base64'),
    }
  },
}

async function failing(headers: Headers): Promise<void> {
  bed.vendor.answerWith(() => ({ status: 500 }))
  await assert.rejects(sell(at('2'), headers), { code: 'upstream_error' })
  bed.vendor.answerWith(() => ({ body: { title: 'it' } }))
}

for (const [protocol, pay] of Object.entries(payments)) {
  describe(`a call paid by ${protocol} whose price changed`, () => {
    it('replays its answer', async () => {
      bed.vendor.answerWith(() => ({ body: { title: 'it' } }))
      const payment = await pay()
      const first = await sell(at('2'), payment)
      for (const price of ['3', '1']) {
        const again = await sell(at(price), payment)
        assert.ok(first.kind === 'delivered' && again.kind === 'delivered' && again.answer.replayed)
        assert.deepEqual([again.answer.body, again.headers], [first.answer.body, first.headers])
      }
    })

    it('replays its answer while it is stored, and never runs a second time', async () => {
      const payment = await pay()
      assert.equal((await sell(at('2'), payment)).kind, 'delivered')
      const asked = bed.vendor.requests.length
      bed.clock.advance(23 * HOUR_MS)
      const again = await sell(at('2'), payment)
      assert.ok(again.kind === 'delivered' && again.answer.replayed)
      bed.clock.advance(HOUR_MS)
      await assert.rejects(sell(at('2'), payment), { code: 'idempotency_key_reused' })
      assert.equal(bed.vendor.requests.length, asked)
    })

    it('that failed runs at a lower price, and needs a new payment at a higher one', async () => {
      const payment = await pay()
      await failing(payment)
      const asked = await sell(at('3'), payment)
      assert.ok(asked.kind === 'asked' && asked.price === cents('3'))
      assert.match(asked.message, /risen since this payment was taken/)
      const answered = await sell(at('1'), payment)
      assert.ok(answered.kind === 'delivered' && answered.answer.charged === cents('1'))
    })

    it('that failed runs for no other action and no other body', async () => {
      const payment = await pay()
      await failing(payment)
      const asked = bed.vendor.requests.length
      for (const other of [{ action: 'rent' }, { fingerprint: 'cd'.repeat(32) }]) {
        const kind = await sell(at('2'), payment, other).then(
          (answer) => answer.kind,
          (error: unknown) => (error as { code?: string }).code,
        )
        assert.ok(kind === 'asked' || kind === 'idempotency_key_reused', kind)
      }
      assert.equal(bed.vendor.requests.length, asked)
      assert.equal((await sell(at('2'), payment)).kind, 'delivered')
    })

    it('does not run for an untaken payment of another price', async () => {
      const payment = await pay()
      const asked = bed.vendor.requests.length
      for (const price of ['3', '1']) assert.equal((await sell(at(price), payment)).kind, 'asked')
      assert.equal(bed.vendor.requests.length, asked)
      assert.equal((await sell(at('2'), payment)).kind, 'delivered')
    })
  })
}

it('asks for a new payment if the price rises while the payment is taken', async () => {
  let price = '2'
  const calls: Calls = {
    ...bed.calls,
    catalog: {
      ...bed.calls.catalog,
      findAction: (service, action) => at(price).catalog.findAction(service, action),
    },
  }
  const payment = await payments['x402']?.()
  assert.ok(payment !== undefined)
  whileTaken = () => {
    price = '3'
  }
  const requests = bed.vendor.requests.length
  const asked = await sell(calls, payment)
  assert.ok(asked.kind === 'asked' && asked.price === cents('3'))
  assert.equal(bed.vendor.requests.length, requests)
  price = '2'
  whileTaken = () => {}
  const answered = await sell(calls, payment)
  assert.ok(answered.kind === 'delivered' && answered.answer.charged === cents('2'))
})

it('balances the ledger, with every payment credited once', async () => {
  assert.deepEqual((await verifyLedger(bed.database)).findings, [])
  const { rows } = await bed.database.query(
    "select count(*) as sales, (select count(*) from transactions where kind = 'topup') as topups from sales where status = 'settled'",
  )
  assert.deepEqual(rows, [{ sales: 11n, topups: 11n }])
})
