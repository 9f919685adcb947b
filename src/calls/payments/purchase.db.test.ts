import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { cleanUp } from '../../../test/harness/clean-up.ts'
import { manualClock } from '../../../test/harness/manual-clock.ts'
import { senderTo, startMerchant } from '../../../test/harness/vendors/merchant.ts'
import { cloneDatabase } from '../../../test/harness/postgres.ts'
import { connectDatabase, type Database } from '../../db/database.ts'
import { AppError } from '../../errors/app-error.ts'
import { newId } from '../../lib/ids.ts'
import { cents, dollars, type Micros } from '../../lib/money.ts'
import type { Expectation } from '../../upstream/pay/check-offer.ts'
import type { Intents } from '../../upstream/pay/intents.ts'
import { purchase, type Wallet } from '../../upstream/pay/purchase.ts'
import { challengeHeader, devledger, receiptHeader } from '../../upstream/pay/testing/devledger.ts'
import { createIntents } from './intents.ts'
import { listPayments, readOutflow, resolvePayment, sweepPayments } from './queue.ts'

const { database, target } = await cloneDatabase()
/** Another process, with its own connections. */
const other = connectDatabase(target)
cleanUp(() => other.close())
const clock = manualClock(Date.UTC(2026, 9, 14, 12))
const merchant = await startMerchant()
const wire = senderTo(merchant.url)
const method = devledger()
const wallet = (
  dailyCeiling: Micros = dollars('100'),
  change: Partial<Intents> = {},
  at: Database = database,
): Wallet => ({
  methods: [method],
  intents: {
    ...createIntents({ database: at, now: clock, dailyCeiling, openCeiling: cents('5') }),
    ...change,
  },
  now: clock,
})
const expected = (change: Partial<Expectation> = {}): Expectation => ({
  cap: cents('3'),
  realm: merchant.host,
  ...change,
})
const buyer = () => ({
  callId: newId(clock()),
  accountId: newId(clock()),
  service: 'shop',
  action: 'thing',
})

async function buy(change: Partial<Expectation> = {}, body?: string, from: Wallet = wallet()) {
  return purchase(from, {
    ...buyer(),
    request: wire.request(body),
    send: wire.send,
    expected: expected(change),
    timeoutMs: 30_000,
  })
}

/** Asserts that nothing was signed and nothing stays reserved. */
async function refusedUnsigned(change: Partial<Expectation> = {}, because = 'unacceptable') {
  const [signed, outflow] = [method.signatures.length, (await readOutflow(database, clock())).today]
  const bought = await buy(change)
  assert.equal(bought.kind, 'refused')
  assert.equal(bought.kind === 'refused' && bought.because, because)
  assert.equal(method.signatures.length, signed)
  assert.equal((await readOutflow(database, clock())).today, outflow)
}

const queued = async () => (await listPayments(database, 'unknown', 100)).length

describe('a purchase', () => {
  it('at a fixed price is paid once, and its receipt is stored', async () => {
    merchant.asks({})
    const bought = await buy({}, '{"query":"rules"}')
    assert.ok(bought.kind === 'paid')
    assert.equal(bought.payment.amount, 20_000n)
    assert.deepEqual(JSON.parse(bought.answer.text), {
      results: ['bought'],
      sent: { query: 'rules' },
    })
    const kept = (await listPayments(database, 'paid', 1))[0]
    assert.deepEqual(
      [kept?.reference, kept?.amount_micros, kept?.merchant, kept?.status],
      [bought.payment.reference, 20_000, merchant.host, 'paid'],
    )
  })

  it('at a price of the merchant costs that price, up to exactly the cap', async () => {
    for (const amount of ['1', '12345', '30000']) {
      merchant.asks({ amount })
      const bought = await buy()
      assert.equal(bought.kind === 'paid' && bought.payment.amount, BigInt(amount))
    }
  })

  it('above the cap or a lower limit of the caller is rejected unsigned', async () => {
    merchant.asks({ amount: '30001' })
    await refusedUnsigned({}, 'over_cap')
    merchant.asks({ amount: '20000' })
    await refusedUnsigned({ cap: cents('1') }, 'over_cap')
  })

  it('for another host, currency, chain or recipient is rejected unsigned', async () => {
    merchant.asks({ realm: 'elsewhere.example' })
    await refusedUnsigned()
    merchant.asks({ request: { currency: '0xother' } })
    await refusedUnsigned()
    merchant.asks({ request: { methodDetails: { chainId: 1 } } })
    await refusedUnsigned()
    merchant.asks({})
    await refusedUnsigned({ recipient: '0xsomebody' })
    merchant.asks({ request: { recipient: '0x\0' } })
    await refusedUnsigned()
    merchant.asks({})
    await refusedUnsigned({ methods: ['tempo.charge'] })
  })

  it('that expired, has no amount or is for another body is rejected unsigned', async () => {
    merchant.asks({ expires: new Date(clock() + 4_000).toISOString() })
    await refusedUnsigned()
    merchant.asks({ request: { amount: '-5' } })
    await refusedUnsigned()
    merchant.asks({
      digest: `sha-256=:${createHash('sha256').update('another body').digest('base64')}:`,
    })
    await refusedUnsigned()
  })

  it('of a body with the digest of the merchant succeeds', async () => {
    merchant.asks({
      digest: `sha-256=:${createHash('sha256').update('{"a":1}').digest('base64')}:`,
    })
    assert.equal((await buy({}, '{"a":1}')).kind, 'paid')
  })

  it('with several offers uses the cheapest one that the wallet can pay', async () => {
    merchant.asks({
      more: 'Payment id="x", realm="r", method="lightning", intent="charge", request="e30"',
    })
    assert.equal((await buy()).kind, 'paid')
    merchant.asks({
      amount: '25000',
      more: challengeHeader({ amount: '15000', realm: merchant.host }),
    })
    const bought = await buy()
    assert.equal(bought.kind === 'paid' && bought.payment.amount, 15_000n)
  })

  it('is rejected if its name is too long to be stored', async () => {
    merchant.asks({
      more: challengeHeader({ amount: '1', realm: merchant.host }).replace(
        /id="[^"]*"/,
        `id="${randomBytes(6_000).toString('base64url')}"`,
      ),
    })
    const bought = await buy()
    assert.equal(bought.kind === 'paid' && bought.payment.amount, 20_000n)
  })

  it('of a free answer costs nothing', async () => {
    merchant.answerWith(() => ({ body: { free: true } }))
    assert.equal((await buy()).kind, 'free')
  })

  for (const [name, paid] of [
    [
      'refuses the payment',
      () => ({
        status: 402,
        headers: { 'www-authenticate': challengeHeader({ amount: '1', realm: merchant.host }) },
      }),
    ],
    [
      'breaks down after it',
      () => ({
        status: 500,
        body: { type: 'https://paymentauth.org/problems/internal-payment-error' },
      }),
    ],
    [
      'fails after the payment and returns a receipt',
      () => ({ status: 500, headers: { 'payment-receipt': receiptHeader('ref') } }),
    ],
    ['returns no receipt', () => ({ status: 200, body: { results: [] } })],
    ['closes the connection after the payment', () => 'reset' as const],
    [
      'returns a receipt that cannot be stored',
      () => ({
        headers: { 'payment-receipt': receiptHeader('ref\0') },
        body: { results: ['bought'] },
      }),
    ],
  ] as const) {
    it(`is queued and not retried if the merchant ${name}`, async () => {
      merchant.asks({ paid })
      const [before, signed] = [await queued(), method.signatures.length]
      const bought = await buy()
      assert.equal(bought.kind, 'unknown')
      assert.equal(await queued(), before + 1)
      assert.equal(method.signatures.length, signed + 1)
    })
  }

  it('of a challenge that was paid before is rejected', async () => {
    const challenge = challengeHeader({ amount: '10000', realm: merchant.host })
    merchant.answerWith(() => ({ status: 402, headers: { 'www-authenticate': challenge } }))
    assert.equal((await buy()).kind, 'unknown')
    await refusedUnsigned()
  })

  it('that cannot be signed returns its reserved amount', async () => {
    merchant.asks({})
    const failing = {
      ...method,
      offersIn: async (...asked: Parameters<typeof method.offersIn>) =>
        (await method.offersIn(...asked)).map((offer) => ({
          ...offer,
          sign: () => Promise.reject(new RangeError('no')),
        })),
    }
    const before = await readOutflow(database, clock())
    assert.equal((await buy({}, undefined, { ...wallet(), methods: [failing] })).kind, 'refused')
    assert.deepEqual(await readOutflow(database, clock()), before)
  })
})

describe('the daily limit of the wallets', () => {
  it('applies to the first purchase of a day', async () => {
    clock.advance(86_400_000)
    merchant.asks({ amount: '20000' })
    const signed = method.signatures.length
    const bought = await buy({}, undefined, wallet(19_999n))
    assert.equal(bought.kind === 'refused' && bought.because, 'over_ceiling')
    assert.deepEqual(
      [method.signatures.length, (await readOutflow(database, clock())).today],
      [signed, 0n],
    )
  })

  it('applies to concurrent purchases of two processes', async () => {
    clock.advance(86_400_000)
    merchant.asks({ amount: '20000' })
    const signed = method.signatures.length
    const bought = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        buy({}, undefined, wallet(150_000n, {}, index % 2 === 0 ? database : other)),
      ),
    )
    assert.equal(bought.filter(({ kind }) => kind === 'paid').length, 7)
    assert.ok(
      bought.every(
        (one) => one.kind === 'paid' || (one.kind === 'refused' && one.because === 'over_ceiling'),
      ),
    )
    assert.equal(method.signatures.length, signed + 7)
    assert.equal((await readOutflow(database, clock())).today, 140_000n)
  })

  it('counts an unknown payment until the operator decides that it was not paid', async () => {
    clock.advance(86_400_000)
    merchant.asks({ paid: () => 'reset' })
    const bought = await buy({}, undefined, wallet(20_000n))
    assert.ok(bought.kind === 'unknown')
    merchant.asks({})
    assert.equal((await buy({}, undefined, wallet(20_000n))).kind, 'refused')
    assert.equal(
      (await resolvePayment(database, bought.paymentId, 'unpaid', 'not on the chain', clock()))
        .resolution,
      'unpaid',
    )
    assert.equal((await buy({}, undefined, wallet(20_000n))).kind, 'paid')
    await assert.rejects(
      resolvePayment(database, bought.paymentId, 'paid', '', clock()),
      (error) => error instanceof AppError && error.code === 'not_found',
    )
  })

  it('still counts a payment that the operator decided was paid', async () => {
    clock.advance(86_400_000)
    merchant.asks({ paid: () => 'reset' })
    const bought = await buy({}, undefined, wallet(20_000n))
    assert.ok(bought.kind === 'unknown')
    await resolvePayment(database, bought.paymentId, 'paid', 'it is on the chain', clock())
    assert.equal((await readOutflow(database, clock())).today, 20_000n)
    merchant.asks({})
    assert.equal((await buy({}, undefined, wallet(20_000n))).kind, 'refused')
  })
})

const gone = () => Promise.reject(new AppError('overloaded'))

describe('a sent payment', () => {
  for (const [what, change, paid] of [
    ['its receipt', { paid: gone }, undefined],
    ['that it is missing', { unknown: gone }, () => 'reset' as const],
  ] as const) {
    it(`is unknown if the database does not store ${what}, so that a retry does not pay again`, async () => {
      merchant.asks(paid === undefined ? {} : { paid })
      assert.equal((await buy({}, undefined, wallet(dollars('100'), change))).kind, 'unknown')
      clock.advance(91_000)
      await sweepPayments(database, clock())
    })
  }
})

describe('a late receipt', () => {
  it('removes its payment from the queue', async () => {
    merchant.asks({})
    const before = await queued()
    const late = wallet(dollars('100'), {
      async paid(id, receipt) {
        clock.advance(91_000)
        assert.equal(await sweepPayments(database, clock()), 1)
        await wallet().intents.paid(id, receipt)
      },
    })
    assert.equal((await buy({}, undefined, late)).kind, 'paid')
    assert.equal(await queued(), before)
  })
})

describe('a process that dies while it pays', () => {
  for (const [moment, change] of [
    ['between intent and signature', { signed: gone }],
    ['before the receipt is stored', { paid: gone, unknown: gone }],
    ['before the failure is stored', { unknown: gone }],
  ] as const) {
    it(`${moment} leaves a payment that the sweep queues after its deadline`, async () => {
      merchant.asks(moment === 'before the failure is stored' ? { paid: () => 'reset' } : {})
      const before = await queued()
      await buy({}, undefined, wallet(dollars('100'), change)).catch(() => null)
      assert.equal(await sweepPayments(database, clock()), 0)
      clock.advance(91_000)
      assert.equal(await sweepPayments(database, clock()), 1)
      assert.equal(await queued(), before + 1)
    })
  }

  it('leaves every signed payment with a receipt or in the queue', async () => {
    const { rows } = await database.query<{ signed: bigint }>(
      "select count(*) as signed from payments where status in ('paid', 'unknown', 'resolved')",
    )
    assert.equal(Number(rows[0]?.signed), method.signatures.length)
  })
})
