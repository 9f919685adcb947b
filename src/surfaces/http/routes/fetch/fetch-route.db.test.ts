import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openAppBed } from '../../../../../test/harness/beds/app.ts'
import { startMerchant } from '../../../../../test/harness/vendors/merchant.ts'
import { createIntents } from '../../../../calls/payments/intents.ts'
import { listPayments, resolvePayment } from '../../../../calls/payments/queue.ts'
import { postCredit } from '../../../../ledger/credit.ts'
import { verifyLedger } from '../../../../ledger/verify.ts'
import { newId } from '../../../../lib/ids.ts'
import { cents, dollars } from '../../../../lib/money.ts'
import {
  challengeHeader,
  devledger,
  paidChallenge,
  receiptHeader,
} from '../../../../upstream/pay/testing/devledger.ts'

const merchant = await startMerchant()
const method = devledger()
const bed = await openAppBed({
  wallet: (database, now) => ({
    methods: [method],
    intents: createIntents({ database, now, dailyCeiling: dollars('50'), openCeiling: cents('5') }),
    now,
  }),
})
const url = `${merchant.url}/v1/thing?q=1`
// In addition to the welcome credit, which cannot pay merchants that callers choose.
for (const email of ['mine@gate.example.com', 'stranger@gate.example.com']) {
  const { rows } = await bed.database.query<{ id: bigint }>(
    "select wallets.id from wallets join accounts on accounts.id = account_id where email = $1 and mode = 'live'",
    [email],
  )
  await postCredit(bed.database, {
    id: newId(bed.clock()),
    walletId: Number(rows[0]?.id),
    kind: 'topup',
    amount: dollars('1'),
    nowMs: bed.clock(),
  })
}

type Answer = {
  ok: boolean
  data: {
    price_micros: number
    receipt: { reference: string } | null
    content_trust: string
    response: { status: number; encoding: string; body: string; headers: Record<string, string> }
  }
  charged_micros: number
  test?: boolean
  error: {
    code: string
    message: string
    param: string | null
    fix: string
    details: Record<string, unknown>
  }
}
async function fetched(
  body: object,
  headers: Record<string, string> = {},
): Promise<{ status: number; answer: Answer; headers: Record<string, unknown> }> {
  const response = await bed.post('/api/fetch', body, headers)
  return { status: response.statusCode, answer: response.json(), headers: response.headers }
}
async function balance(key = bed.liveKey): Promise<number> {
  return (await bed.get('/api/v1/balance', { authorization: `Bearer ${key}` })).json<{
    data: { balance_micros: number; held_micros: number }
  }>().data.balance_micros
}

describe('POST /api/fetch', () => {
  it('returns a free response without a charge, with or without max_cost_cents', async () => {
    merchant.answerWith(({ method: verb, body, headers }) => ({
      headers: { 'x-shop': 'open' },
      body: { verb, body, agent: headers['user-agent'], own: headers['x-own'] },
    }))
    const before = await balance()
    for (const max_cost_cents of [0, 5]) {
      const { status, answer } = await fetched({
        url,
        method: 'POST',
        headers: { 'X-Own': 'yes' },
        body: { a: 1 },
        max_cost_cents,
      })
      assert.equal(status, 200)
      assert.deepEqual(JSON.parse(answer.data.response.body), {
        verb: 'POST',
        body: { a: 1 },
        agent: 'Tollgate-Test/1.0',
        own: 'yes',
      })
      assert.deepEqual(
        [
          answer.data.price_micros,
          answer.data.receipt,
          answer.charged_micros,
          answer.data.content_trust,
          answer.data.response.headers['x-shop'],
        ],
        [0, null, 0, 'untrusted', 'open'],
      )
    }
    assert.equal(await balance(), before)
  })

  it('returns errors of the address as results, and binary bodies as base64', async () => {
    merchant.answerWith(() => ({
      status: 404,
      headers: { 'content-type': 'image/png', 'set-cookie': 'visitor=1' },
      body: 'abc',
    }))
    const { answer } = await fetched({ url })
    assert.deepEqual(
      [answer.data.response.status, answer.data.response.encoding, answer.data.response.body],
      [404, 'base64', 'YWJj'],
    )
    assert.ok(
      !('set-cookie' in answer.data.response.headers),
      'nothing is set up with whoever reads them',
    )
  })

  it('leaves capacity to other accounts while one waits for slow addresses', async () => {
    const released = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    let waiting = 0
    merchant.answerWith(async () => {
      waiting += 1
      if (waiting === 32) begun.resolve()
      await released.promise
      return { body: {} }
    })
    const slow = Array.from({ length: 32 }, () => fetched({ url }))
    await begun.promise
    const { status, answer, headers } = await fetched({ url })
    assert.deepEqual(
      [status, answer.error.code, headers['retry-after']],
      [429, 'rate_limited', '1'],
    )
    merchant.answerWith(() => ({ body: {} }))
    assert.equal(
      (await fetched({ url }, { authorization: `Bearer ${bed.strangerKey}` })).status,
      200,
    )
    released.resolve()
    for (const one of await Promise.all(slow)) assert.equal(one.status, 200)
    assert.equal((await fetched({ url })).status, 200)
  })

  it('pays the requested amount within max_cost_cents and charges exactly that', async () => {
    merchant.asks({ amount: '12345' })
    const before = await balance()
    const { status, answer, headers } = await fetched({ url, max_cost_cents: 2 })
    assert.equal(status, 200)
    assert.deepEqual(
      [answer.charged_micros, answer.data.price_micros, headers['x-charged-micros']],
      [12_345, 12_345, '12345'],
    )
    assert.equal(
      answer.data.receipt?.reference,
      (await listPayments(bed.database, 'paid', 1))[0]?.reference,
    )
    assert.equal(await balance(), before - 12_345)
  })

  it('pays once for an idempotency key', async () => {
    merchant.asks({})
    const taken = merchant.taken.length
    const before = await balance()
    const answers = [
      await fetched({ url, max_cost_cents: 2 }, { 'idempotency-key': 'once' }),
      await fetched({ url, max_cost_cents: 2 }, { 'idempotency-key': 'once' }),
    ]
    assert.deepEqual(answers[0]?.answer, answers[1]?.answer)
    assert.equal(answers[1]?.headers['idempotency-replayed'], 'true')
    assert.equal(merchant.taken.length, taken + 1)
    assert.equal(await balance(), before - 20_000)
  })

  it('retries a rejected request with the same idempotency key after the price dropped', async () => {
    const [once, before] = [{ 'idempotency-key': 'dear' }, await balance()]
    merchant.asks({ amount: '20001' })
    assert.equal(
      (await fetched({ url, max_cost_cents: 2 }, once)).answer.error.code,
      'max_cost_exceeded',
    )
    merchant.asks({ amount: '20000' })
    assert.equal((await fetched({ url, max_cost_cents: 2 }, once)).answer.charged_micros, 20_000)
    assert.equal(await balance(), before - 20_000)
  })

  it('returns the price and signs nothing above max_cost_cents', async () => {
    merchant.asks({ amount: '20001' })
    const signed = method.signatures.length
    for (const max_cost_cents of [0, 2]) {
      const { status, answer } = await fetched({ url, max_cost_cents })
      assert.deepEqual(
        [
          status,
          answer.error.code,
          answer.error.param,
          answer.error.details['price_cents'],
          answer.error.details['max_cost_cents'],
          answer.charged_micros,
        ],
        [402, 'max_cost_exceeded', 'max_cost_cents', 3, max_cost_cents, 0],
      )
    }
    assert.equal(method.signatures.length, signed)
  })

  for (const [failure, paid] of [
    ['hangs up', () => 'reset' as const],
    ['gives no receipt', () => ({ status: 200, body: { thanks: true } })],
    ['breaks down', () => ({ status: 500 })],
  ] as const) {
    it(`charges the signed amount once if the merchant ${failure}, and refunds it once`, async () => {
      merchant.asks({ paid })
      const [before, signed, key] = [
        await balance(),
        method.signatures.length,
        { 'idempotency-key': `lost: ${failure}` },
      ]
      for (let turn = 0; turn < 2; turn += 1) {
        const { status, answer, headers } = await fetched({ url, max_cost_cents: 5 }, key)
        assert.deepEqual(
          [status, answer.error.code, answer.charged_micros, headers['x-charged-micros']],
          [502, 'payment_unknown', 20_000, '20000'],
        )
        assert.match(answer.error.message, /\$0\.02 was charged/)
      }
      assert.equal(method.signatures.length, signed + 1)
      assert.equal(await balance(), before - 20_000)
      const [payment] = await listPayments(bed.database, 'unknown', 9)
      assert.deepEqual([payment?.charged_micros, payment?.amount_micros], [20_000, 20_000])
      const resolve = () =>
        resolvePayment(bed.database, payment?.id ?? '', 'unpaid', 'not on the chain', bed.clock())
      const settled = await Promise.allSettled([resolve(), resolve(), resolve()])
      assert.equal(settled.filter(({ status }) => status === 'fulfilled').length, 1)
      assert.equal(await balance(), before)
      await assert.rejects(resolve(), { code: 'not_found' })
    })
  }

  it('keeps the charge of a payment that the operator confirms', async () => {
    merchant.asks({ paid: () => 'reset' })
    const before = await balance()
    await fetched({ url, max_cost_cents: 2 })
    const [payment] = await listPayments(bed.database, 'unknown', 9)
    await resolvePayment(bed.database, payment?.id ?? '', 'paid', 'it is on the chain', bed.clock())
    assert.equal(await balance(), before - 20_000)
  })

  it('answers a repeated request with 409 while the first is in progress', async () => {
    const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    merchant.asks({})
    merchant.answerWith(async ({ headers }) => {
      const challenge = paidChallenge(headers.authorization)
      if (challenge === null)
        return {
          status: 402,
          headers: {
            'www-authenticate': challengeHeader({ amount: '20000', realm: merchant.host }),
          },
        }
      begun.resolve()
      await released.promise
      return { headers: { 'payment-receipt': receiptHeader('slow') }, body: { slow: true } }
    })
    const key = { 'idempotency-key': 'slow' }
    const first = fetched({ url, max_cost_cents: 2 }, key)
    await begun.promise
    const second = await fetched({ url, max_cost_cents: 2 }, key)
    assert.deepEqual(
      [
        second.status,
        second.answer.error.code,
        second.headers['retry-after'],
        second.answer.charged_micros,
      ],
      [409, 'idempotency_in_progress', '1', 0],
    )
    released.resolve()
    assert.equal((await first).answer.charged_micros, 20_000)
    const third = await fetched({ url, max_cost_cents: 2 }, key)
    assert.deepEqual(
      [third.status, third.headers['idempotency-replayed'], third.answer.data.receipt?.reference],
      [200, 'true', 'slow'],
    )
  })

  it('stores the receipt in the history of the account', async () => {
    merchant.asks({})
    const { answer } = await fetched({ url, max_cost_cents: 2 })
    const { data } = (await bed.get('/api/v1/transactions?limit=1')).json<{
      data: { status: string; charged_micros: number; hops: { ok: boolean; receipt: unknown }[] }[]
    }>()
    const [transaction] = data
    assert.deepEqual(
      [
        transaction?.status,
        transaction?.charged_micros,
        transaction?.hops[0]?.ok,
        transaction?.hops[0]?.receipt,
      ],
      ['settled', 20_000, true, answer.data.receipt],
    )
  })

  it('limits concurrent payments to a merchant without receipts to the open ceiling', async () => {
    merchant.asks({ paid: () => ({ status: 500 }) })
    const waiting = (await listPayments(bed.database, 'unknown', 9)).length
    const codes = (
      await Promise.all(Array.from({ length: 6 }, () => fetched({ url, max_cost_cents: 2 })))
    ).map(({ answer }) => answer.error.code)
    assert.deepEqual(codes.toSorted(), [
      'payment_unknown',
      'payment_unknown',
      ...Array.from({ length: 4 }, () => 'upstream_payment'),
    ])
    assert.equal((await listPayments(bed.database, 'unknown', 9)).length, waiting + 2)
    // The same amount from another account.
    merchant.asks({ amount: '50000' })
    assert.equal(
      (await fetched({ url, max_cost_cents: 5 }, { authorization: `Bearer ${bed.strangerKey}` }))
        .answer.charged_micros,
      50_000,
    )
    for (const { id } of await listPayments(bed.database, 'unknown', 9))
      await resolvePayment(bed.database, id, 'unpaid', 'of the test', bed.clock())
  })

  it('names the setting if a single payment exceeds the open ceiling', async () => {
    merchant.asks({ amount: '60000' })
    const signed = method.signatures.length
    const { answer } = await fetched({ url, max_cost_cents: 10 })
    assert.deepEqual(
      [answer.error.code, answer.error.details['price_cents'], method.signatures.length],
      ['upstream_payment', 6, signed],
    )
    assert.match(answer.error.message, /PAY_OPEN_CENTS/)
  })

  it('stays within the limits of key and account', async () => {
    merchant.asks({})
    const made = (await bed.post('/api/v1/agents', { label: 'small', ceiling_cents: 3 })).json<{
      data: { key: string }
    }>()
    const authorization = `Bearer ${made.data.key}`
    assert.equal((await fetched({ url, max_cost_cents: 2 }, { authorization })).status, 200)
    assert.equal(
      (await fetched({ url, max_cost_cents: 2 }, { authorization })).answer.error.code,
      'api_key_limit_exceeded',
    )
    assert.equal(
      (await fetched({ url, max_cost_cents: 9_999 })).answer.error.code,
      'credits_required',
    )
  })

  it('neither charges nor returns a result whose hold expired', async () => {
    merchant.answerWith(async () => {
      bed.clock.advance(121_000)
      await bed.calls.ledger.sweep()
      return { body: { late: true } }
    })
    const before = await balance()
    const { status, answer } = await fetched({ url, max_cost_cents: 2 })
    assert.deepEqual(
      [status, answer.error.code, answer.charged_micros, await balance()],
      [504, 'upstream_timeout', 0, before],
    )
  })

  it('rejects private addresses, invalid headers and unknown fields before a hold', async () => {
    for (const body of [
      { url: 'http://10.0.0.1/' },
      { url: 'ftp://example.com/' },
      { url, headers: { host: 'other.example' } },
      { url, headers: { authorization: 'Payment abc' } },
      { url, headers: { 'x-a': 'a\r\nb: c' } },
      { url, body: 'x' },
      { url, max_cost_cents: -1 },
      { url, follow: true },
      {},
    ]) {
      assert.equal(
        (await fetched({ max_cost_cents: 1, ...body })).status,
        400,
        JSON.stringify(body),
      )
    }
    const { error } = (await fetched({ url: 'http://10.0.0.1/' })).answer
    assert.deepEqual(
      [error.code, error.param, /ALLOW_PRIVATE_NETWORKS/.test(error.fix)],
      ['bad_url', 'url', true],
    )
    assert.equal(
      (await bed.post('/api/fetch', { url }, { authorization: 'Bearer nobody' })).statusCode,
      401,
    )
  })

  it('sends and signs nothing for a test key', async () => {
    const [asked, signed, before] = [
      merchant.requests.length,
      method.signatures.length,
      await balance(),
    ]
    const { answer } = await fetched(
      { url, max_cost_cents: 2 },
      { authorization: `Bearer ${bed.testKey}` },
    )
    assert.deepEqual([answer.test, answer.charged_micros], [true, 10_000])
    const unpaid = await fetched(
      { url, max_cost_cents: 0 },
      { authorization: `Bearer ${bed.testKey}` },
    )
    assert.deepEqual(
      [
        unpaid.answer.charged_micros,
        unpaid.answer.data.price_micros,
        unpaid.answer.data.receipt,
        unpaid.headers['x-charged-micros'],
      ],
      [0, 0, null, '0'],
    )
    assert.deepEqual(
      [merchant.requests.length, method.signatures.length, await balance()],
      [asked, signed, before],
    )
  })

  it('keeps the ledger consistent', async () => {
    assert.deepEqual((await verifyLedger(bed.database)).findings, [])
  })
})
