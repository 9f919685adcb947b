import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Type } from '../../lib/schema.ts'
import { openCallBed } from '../../../test/harness/beds/calls.ts'
import { cleanUp } from '../../../test/harness/clean-up.ts'
import { startMerchant } from '../../../test/harness/vendors/merchant.ts'
import { createCatalog } from '../../catalog/index.ts'
import { priceServices } from '../../catalog/prices/price-rules.ts'
import { call, defineService, params } from '../../catalog/vocabulary/define.ts'
import type { Merchant } from '../../catalog/vocabulary/merchant.ts'
import { done, empty, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import { bearer, post, type Reply } from '../../catalog/vocabulary/wire.ts'
import { AppError } from '../../errors/app-error.ts'
import { verifyLedger } from '../../ledger/verify.ts'
import { Deadline } from '../../lib/deadline.ts'
import { newId } from '../../lib/ids.ts'
import { cents, dollars } from '../../lib/money.ts'
import type { Incoming, Outgoing } from '../../upstream/exchange.ts'
import {
  challengeHeader,
  DEV_ASSET,
  devledger,
  receiptHeader,
} from '../../upstream/pay/testing/devledger.ts'
import { createIntents } from '../payments/intents.ts'
import { listPayments } from '../payments/queue.ts'
import { openPaymentSession, type PaymentSession } from '../payments/payment-session.ts'
import type { CallAnswer } from '../call.ts'
import { runCall } from '../run.ts'
import { quoteSale } from '../selling/quote-sale.ts'

const merchant = await startMerchant()
const at: Merchant = { baseUrl: `${merchant.url}/v1`, method: 'devledger.charge', asset: DEV_ASSET }
const reply = Type.Object({ results: Type.Array(Type.Unknown()) })
const outcome = ({ body }: Reply): Outcome =>
  (body as { results: unknown[] }).results.length > 0
    ? done(body as Record<string, unknown>)
    : empty(body as Record<string, unknown>)
const record = {
  summary: 'Sells.',
  input: params({ query: Type.String() }),
  example: { query: 'x' },
  timeoutMs: 60_000,
  request: (input: { query: string }) => post('/search', input),
  reply,
  outcome,
  merchant: { at },
}
const listPrice = {
  kind: 'unit',
  rate: cents('1'),
  unit: 'word',
  atMost: ({ query }: { query: string }) => query.length,
  counted: { by: 'list' },
} as const
const shop = defineService({
  id: 'shop',
  title: 'Shop',
  category: 'x',
  vendor: { baseUrl: 'https://shop.example', auth: bearer(), docsUrl: 'https://shop.example' },
  actions: {
    actual: call({
      ...record,
      price: { kind: 'actual', cap: cents('3'), atMost: () => cents('0.5') },
    }),
    flat: call({ ...record, price: { kind: 'flat', amount: cents('2.5') } }),
    backed: call({ ...record, price: { kind: 'actual', cap: cents('3') }, inHouse: 'shop.own' }),
    listed: call({ ...record, price: listPrice }),
    'listed-backed': call({ ...record, price: listPrice, inHouse: 'shop.own' }),
  },
})
const method = devledger()
const bed = await openCallBed({
  services: [shop],
  configured: false,
  inHouse: new Map([['shop.own', async () => ({ results: ['made here'] })]]),
  wallet: (database, now) => ({
    methods: [method],
    intents: createIntents({ database, now, dailyCeiling: dollars('50'), openCeiling: cents('5') }),
    now,
  }),
})

async function charged(action: string, body: object = {}): Promise<CallAnswer> {
  return runCall(bed.calls, bed.request('shop', action, { query: 'rules', ...body }))
}

async function refused(action: string, body: object, code: string): Promise<AppError> {
  const before = await bed.balance()
  const error = await charged(action, body).then(
    () => assert.fail('it was answered'),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof AppError)
  assert.equal(error.code, code)
  assert.deepEqual(await bed.balance(), before)
  return error
}

const search: Outgoing = {
  origin: merchant.url,
  path: '/v1/search',
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: '{"query":"rules"}',
}
const limits = { deadline: new Deadline(60_000), maxBytes: 100_000 }
cleanUp(() => limits.deadline.end())

/** A session that may pay `most`, at the merchant with `change` in its record. */
function sessionFor(
  most: bigint,
  change: Partial<Merchant> = {},
): Pick<PaymentSession, 'refusal' | 'receipts'> & { buy(): Promise<Incoming> } {
  const lane = bed.calls.lanes.laneFor(bed.calls.catalog.findAction('shop', 'actual'), 'live', {
    query: 'rules',
  })
  assert.ok(lane?.kind === 'wallet' && bed.calls.wallet !== undefined)
  const buyer = {
    callId: newId(bed.clock()),
    accountId: bed.caller.accountId,
    service: 'shop',
    action: 'actual',
  }
  const {
    target: { exchange },
    refusal,
    receipts,
  } = openPaymentSession({
    wallet: bed.calls.wallet,
    lane: { ...lane, source: { ...lane.source, at: { ...at, ...change } } },
    buyer,
    most,
    timeoutMs: 30_000,
  })
  assert.ok(exchange !== undefined)
  return { refusal, receipts, buy: () => exchange(search, limits) }
}

describe('an action of a merchant', () => {
  it('is charged the price of the merchant, and its transaction has the receipt', async () => {
    merchant.asks({ amount: '12345' })
    for (const action of ['actual', 'flat']) assert.equal((await charged(action)).charged, 12_345n)
    const hops = (await bed.transactions()).at(-1)?.hops as {
      receipt: Record<string, unknown>
      charged_micros: number
    }[]
    assert.equal(hops[0]?.charged_micros, 12_345)
    const paid = (await listPayments(bed.database, 'paid', 1))[0]
    assert.deepEqual(hops[0]?.receipt, {
      merchant: merchant.host,
      method: 'devledger.charge',
      reference: paid?.reference,
      challenge_id: paid?.challenge_id,
      amount_micros: 12_345,
    })
  })

  it('is paid only by the method and to the recipient in its record', async () => {
    merchant.asks({})
    for (const change of [{ method: 'tempo.charge' }, { recipient: '0xsomebody' }]) {
      const [signed, { buy, refusal }] = [method.signatures.length, sessionFor(cents('3'), change)]
      await assert.rejects(buy(), { code: 'upstream_payment' })
      assert.deepEqual([refusal()?.kind, method.signatures.length], ['unacceptable', signed])
    }
    const { buy, receipts } = sessionFor(cents('3'), { recipient: '0xMerchant' })
    await buy()
    assert.deepEqual(
      receipts().map(({ amount_micros: micros }) => micros),
      [20_000],
    )
  })

  it('never pays more for several requests than the call may cost', async () => {
    merchant.asks({})
    const { buy, receipts, refusal } = sessionFor(cents('3'))
    await buy()
    const signed = method.signatures.length
    await assert.rejects(buy(), { code: 'upstream_payment' })
    assert.deepEqual(
      [refusal()?.kind, receipts().length, method.signatures.length],
      ['over_cap', 1, signed],
    )
  })

  it('is published as live through the wallet', () => {
    assert.deepEqual(bed.calls.lanes.statusOf('shop', 'actual'), {
      live: 'wallet',
      lanes: ['vendor', 'wallet'],
    })
  })

  it('is rejected uncharged and unsigned if its price is above max_cost_cents', async () => {
    merchant.asks({ amount: '20001' })
    const signed = method.signatures.length
    const error = await refused('actual', { max_cost_cents: 2 }, 'max_cost_exceeded')
    assert.equal(error.details?.['price_cents'], 3)
    assert.equal(method.signatures.length, signed)
  })

  it('with a margin is refused at the price of the caller, not of the merchant', async () => {
    const rules = { rules: [], otherwise: { margin_percent: '50' } }
    const calls = { ...bed.calls, catalog: createCatalog(priceServices([shop], rules, 0)) }
    const buy = (amount: string) => {
      merchant.asks({ amount })
      return runCall(calls, bed.request('shop', 'actual', { query: 'rules', max_cost_cents: 3 }))
    }
    await assert.rejects(buy('20001'), ({ details }: AppError) => {
      assert.deepEqual([details?.['price_cents'], details?.['max_cost_cents']], [4, 3])
      return true
    })
    assert.equal((await buy('20000')).charged, 30_000n)
  })

  it('is bought within max_cost_cents even if the list price is higher', async () => {
    merchant.asks({ amount: '15000' })
    assert.equal((await charged('listed', { max_cost_cents: 2 })).charged, 15_000n)
    const signed = method.signatures.length
    await refused('listed', { max_cost_cents: 1 }, 'max_cost_exceeded')
    assert.equal(method.signatures.length, signed)
  })

  it('is not sold without a key below its list price, which the merchant would reject', () => {
    for (const action of ['listed', 'listed-backed']) {
      assert.throws(
        () =>
          quoteSale(bed.calls, {
            service: 'shop',
            action,
            body: { query: 'rules', max_cost_cents: 4 },
            mode: 'live',
          }),
        { code: 'max_cost_exceeded' },
      )
      assert.equal(
        quoteSale(bed.calls, {
          service: 'shop',
          action,
          body: { query: 'rules', max_cost_cents: 5 },
          mode: 'live',
        }).amount,
        50_000n,
      )
    }
    assert.equal(
      quoteSale(bed.calls, {
        service: 'shop',
        action: 'actual',
        body: { query: 'rules', max_cost_cents: 2 },
        mode: 'live',
      }).amount,
      20_000n,
      'where the listed price is a cap, the merchant may want less',
    )
  })

  it('runs in-house if the merchant asks more than the cap', async () => {
    merchant.asks({ amount: '30001' })
    const signed = method.signatures.length
    assert.match((await charged('backed')).body, /made here/)
    assert.equal(method.signatures.length, signed)
  })

  it('does not run in-house for a limit that only the merchant could accept', async () => {
    merchant.asks({ amount: '30001' })
    const error = await refused('listed-backed', { max_cost_cents: 2 }, 'max_cost_exceeded')
    assert.equal(error.details?.['price_cents'], 4)
    merchant.asks({ amount: '50001' })
    assert.equal((await charged('listed-backed', { max_cost_cents: 5 })).charged, 50_000n)
  })

  it('is free if the merchant took the money and found nothing; the operator pays', async () => {
    merchant.asks({})
    const before = await bed.balance()
    merchant.answerWith(emptyHanded())
    const answer = await charged('actual')
    assert.equal(answer.charged, 0n)
    assert.deepEqual(await bed.balance(), before)
  })

  it('is free and not paid again if the merchant fails after the payment', async () => {
    merchant.asks({ paid: () => ({ status: 500, body: {} }) })
    const [signed, queued] = [
      method.signatures.length,
      (await listPayments(bed.database, 'unknown', 100)).length,
    ]
    await refused('actual', {}, 'payment_unknown')
    await refused('backed', {}, 'payment_unknown')
    assert.equal(method.signatures.length, signed + 2)
    assert.equal((await listPayments(bed.database, 'unknown', 100)).length, queued + 2)
  })

  it('fails again for the same idempotency key without another payment', async () => {
    merchant.asks({ paid: () => ({ status: 500, body: {} }) })
    const signed = method.signatures.length
    const idempotency = { key: 'lost', fingerprint: 'a'.repeat(64) }
    const ask = (): Promise<CallAnswer> =>
      runCall(bed.calls, { ...bed.request('shop', 'actual', { query: 'rules' }), idempotency })
    await assert.rejects(ask(), { code: 'payment_unknown' })
    await assert.rejects(ask(), { code: 'payment_unknown', message: /500 without a receipt/ })
    assert.equal(method.signatures.length, signed + 1)
  })

  it('never signs a payment for a test key', async () => {
    const signed = method.signatures.length
    bed.vendor.answerWith(() => ({ body: { results: ['simulated'] } }))
    const answer = await runCall(bed.calls, {
      ...bed.request('shop', 'actual', { query: 'rules' }),
      caller: bed.testCaller,
    })
    assert.match(answer.body, /simulated/)
    assert.equal(method.signatures.length, signed)
  })

  it('balances the ledger, with a receipt for each charge', async () => {
    assert.ok((await verifyLedger(bed.database)).ok)
    const { rows } = await bed.database.query<{ charged: bigint; amount: bigint | null }>(
      "select -transactions.amount_micros as charged, payments.amount_micros as amount from transactions left join payments on call_id = transactions.id and payments.status = 'paid' where kind = 'call' and transactions.amount_micros < 0",
    )
    // Three at the merchant's price, and one with a margin. Two ran in-house, one with a test key, at the price of the action.
    assert.deepEqual(
      rows
        .map(({ charged: own, amount }) => [own, amount])
        .toSorted((a, b) => String(a).localeCompare(String(b))),
      [
        [12_345n, 12_345n],
        [12_345n, 12_345n],
        [15_000n, 15_000n],
        [30_000n, null],
        [30_000n, 20_000n],
        [5_000n, null],
        [50_000n, null],
      ],
    )
  })
})

/** Takes the payment, returns a receipt and finds nothing. */
function emptyHanded(): Parameters<typeof merchant.answerWith>[0] {
  let next = 0
  return ({ headers }) => {
    next += 1
    if (headers.authorization === undefined)
      return {
        status: 402,
        headers: { 'www-authenticate': challengeHeader({ amount: '10000', realm: merchant.host }) },
      }
    return { headers: { 'payment-receipt': receiptHeader(`ref-${next}`) }, body: { results: [] } }
  }
}
