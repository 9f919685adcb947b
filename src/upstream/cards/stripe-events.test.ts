import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, it } from 'node:test'
import { startVendor } from '../../../test/harness/vendors/vendor.ts'
import { chargeCard, findCharge } from './stripe-charges.ts'
import { openCheckout, readCheckout } from './stripe-checkouts.ts'
import { readStripeEvent } from './stripe-events.ts'
import type { StripeSettings } from './stripe-request.ts'

const NOW_MS = Date.UTC(2027, 2, 17, 12)
const stripe = await startVendor()
const settings: StripeSettings = { key: 'sk_test_1', webhookSecret: 'whsec_1', url: stripe.url }
const wish = {
  account: 'acc_1',
  cents: 500,
  savesCard: false,
  successUrl: 'https://gate.example/credit/return?session_id={CHECKOUT_SESSION_ID}',
  cancelUrl: 'https://gate.example/credit/cancelled',
}

const paid = {
  type: 'checkout.session.completed',
  data: {
    object: {
      id: 'cs_1',
      payment_status: 'paid',
      currency: 'usd',
      amount_total: 500,
      metadata: { tollgate_account: 'acc_1' },
    },
  },
}
const sign = (text: string, atMs = NOW_MS, secret = 'whsec_1'): string => {
  const time = Math.trunc(atMs / 1000)
  return `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${text}`).digest('hex')},v0=00`
}
const read = (event: unknown, signature?: string) => {
  const text = JSON.stringify(event)
  return readStripeEvent(settings, Buffer.from(text), signature ?? sign(text), NOW_MS)
}

describe('a checkout', () => {
  it('is requested from Stripe for one amount in dollars and one account', async () => {
    stripe.answerWith(() => ({
      body: { id: 'cs_1', url: 'https://checkout.stripe.com/c/pay/cs_1' },
    }))
    assert.deepEqual(await openCheckout(settings, wish), {
      session: 'cs_1',
      url: 'https://checkout.stripe.com/c/pay/cs_1',
    })
    const { method, path, headers, body } = stripe.requests.at(-1) ?? assert.fail('not asked')
    assert.deepEqual(
      [method, path, headers.authorization, headers['content-type']],
      ['POST', '/v1/checkout/sessions', 'Bearer sk_test_1', 'application/x-www-form-urlencoded'],
    )
    assert.deepEqual(Object.fromEntries(new URLSearchParams(body as string)), {
      mode: 'payment',
      'line_items[0][quantity]': '1',
      'line_items[0][price_data][currency]': 'usd',
      'line_items[0][price_data][unit_amount]': '500',
      'line_items[0][price_data][product_data][name]': 'Tollgate credit',
      client_reference_id: 'acc_1',
      'metadata[tollgate_account]': 'acc_1',
      'payment_intent_data[metadata][tollgate_account]': 'acc_1',
      success_url: wish.successUrl,
      cancel_url: wish.cancelUrl,
    })
  })

  it('reports a rejection, a broken or no response as an error without the secret', async () => {
    for (const reply of [
      { status: 401, body: { error: { message: 'Invalid API Key: sk_test_1' } } },
      { body: {} },
      { body: 'no json' },
      { status: 302, headers: { location: 'https://elsewhere.example/' } },
      'reset',
    ] as const) {
      stripe.answerWith(() => reply)
      await assert.rejects(
        openCheckout(settings, wish),
        (error: Error & { code?: string; details?: unknown }) =>
          error.code === 'upstream_error' &&
          !`${error.message}${JSON.stringify(error.details)}`.includes('sk_test_1'),
      )
    }
  })
})

describe('a saved card', () => {
  const request = { account: 'acc_1', cents: 500, customer: 'cus_1', method: 'pm_1', topup: 'a1' }
  const intent = {
    id: 'pi_1',
    status: 'succeeded',
    currency: 'usd',
    amount_received: 500,
    metadata: { tollgate_account: 'acc_1', tollgate_topup: 'a1' },
  }
  const payment = {
    kind: 'paid',
    reference: 'pi_1',
    account: 'acc_1',
    cents: 500,
    intent: 'pi_1',
    topup: 'a1',
  }

  it('is saved by a checkout only with the consent of its holder', async () => {
    stripe.answerWith(() => ({ body: { id: 'cs_1', url: 'https://checkout.stripe.com/' } }))
    await openCheckout(settings, { ...wish, savesCard: true })
    const form = new URLSearchParams(stripe.requests.at(-1)?.body as string)
    assert.deepEqual(
      ['customer_creation', 'payment_intent_data[setup_future_usage]'].map((name) =>
        form.get(name),
      ),
      ['always', 'off_session'],
    )
    const session = {
      ...paid.data.object,
      status: 'complete',
      customer: 'cus_1',
      payment_intent: {
        id: 'pi_1',
        setup_future_usage: 'off_session',
        payment_method: { id: 'pm_1', card: { brand: 'visa', last4: '4242' } },
      },
    }
    stripe.answerWith(() => ({ body: session }))
    const card = { brand: 'visa', last4: '4242' }
    assert.deepEqual(await readCheckout(settings, 'cs_1'), {
      status: 'complete',
      payment: {
        kind: 'paid',
        reference: 'cs_1',
        account: 'acc_1',
        cents: 500,
        intent: 'pi_1',
        topup: null,
      },
      card,
      saved: { ...card, customer: 'cus_1', method: 'pm_1' },
    })
    stripe.answerWith(() => ({
      body: { ...session, payment_intent: { ...session.payment_intent, setup_future_usage: null } },
    }))
    assert.equal((await readCheckout(settings, 'cs_1')).saved, null)
  })

  it('is charged with the top-up as idempotency key, and an unclear outcome is an error', async () => {
    stripe.answerWith(() => ({ body: intent }))
    assert.deepEqual(await chargeCard(settings, request), { kind: 'paid', payment })
    const { headers, body } = stripe.requests.at(-1) ?? assert.fail('not asked')
    const form = new URLSearchParams(body as string)
    assert.deepEqual(
      [
        headers['idempotency-key'],
        form.get('off_session'),
        form.get('confirm'),
        form.get('amount'),
      ],
      ['tollgate-topup-a1', 'true', 'true', '500'],
    )
    for (const status of [401, 403, 409, 429, 500, 503]) {
      stripe.answerWith(() => ({ status, body: {} }))
      await assert.rejects(chargeCard(settings, request), { code: 'upstream_error' })
    }
    stripe.answerWith(() => 'reset')
    await assert.rejects(chargeCard(settings, request), { code: 'upstream_error' })
    for (const [status, error, reason] of [
      [402, { type: 'card_error', code: 'card_declined' }, 'declined'],
      [402, { type: 'card_error', code: 'authentication_required' }, 'authentication_required'],
      [400, { type: 'invalid_request_error' }, 'rejected'],
    ] as const) {
      stripe.answerWith(() => ({ status, body: { error } }))
      assert.deepEqual(await chargeCard(settings, request), { kind: 'failed', reason })
    }
  })

  it('has at most one charge of a top-up, which its id finds', async () => {
    stripe.answerWith(() => ({
      body: { data: [{ ...intent, id: 'pi_0', metadata: { tollgate_topup: 'a0' } }, intent] },
    }))
    assert.deepEqual(await findCharge(settings, request), { kind: 'paid', payment })
    assert.equal(await findCharge(settings, { ...request, topup: 'a2' }), null)
    assert.deepEqual(read({ type: 'payment_intent.succeeded', data: { object: intent } }), payment)
    for (const [other, kind] of [
      [{ status: 'processing' }, 'unread'],
      [{ currency: 'eur' }, 'unread'],
      [{ metadata: {} }, undefined],
    ] as const)
      assert.equal(
        read({ type: 'payment_intent.succeeded', data: { object: { ...intent, ...other } } })?.kind,
        kind,
      )
  })
})

describe('an event', () => {
  it('returns the reference, account and amount of a payment', () => {
    const event = {
      kind: 'paid',
      reference: 'cs_1',
      account: 'acc_1',
      cents: 500,
      intent: null,
      topup: null,
    }
    assert.deepEqual(read(paid), event)
    assert.deepEqual(read({ ...paid, type: 'checkout.session.async_payment_succeeded' }), event)
    assert.deepEqual(
      read({ ...paid, data: { object: { ...paid.data.object, payment_intent: 'pi_1' } } }),
      { ...event, intent: 'pi_1' },
    )
  })

  it('returns the total reversed amount of a refunded or disputed payment', () => {
    const of = (type: string, object: object) =>
      read({ type, data: { object: { payment_intent: 'pi_1', currency: 'usd', ...object } } })
    const event = {
      kind: 'reversed',
      intent: 'pi_1',
      isFinal: false,
      isOurs: false,
      reason: 'dispute',
      atSeconds: 0,
    }
    assert.deepEqual(
      of('charge.refunded', {
        id: 'ch_1',
        amount: 500,
        amount_refunded: 200,
        metadata: { tollgate_account: 'acc_1' },
      }),
      { ...event, reference: 'ch_1', cents: 200, isOurs: true, reason: 'refund' },
    )
    assert.deepEqual(
      of('charge.dispute.funds_withdrawn', { id: 'dp_1', amount: 500, metadata: {} }),
      { ...event, reference: 'dp_1', cents: 500 },
    )
    assert.deepEqual(
      of('charge.dispute.funds_withdrawn', { id: 'dp_1', amount: 460, currency: 'eur' }),
      { ...event, reference: 'dp_1', cents: 99_999_999 },
    )
    assert.deepEqual(of('charge.dispute.funds_reinstated', { id: 'dp_1', amount: 500 }), {
      ...event,
      reference: 'dp_1',
      cents: 0,
      isFinal: true,
    })
    for (const [type, object] of [
      ['charge.refunded', { id: 'ch_1', amount_refunded: 5, payment_intent: null }],
      ['charge.dispute.created', { id: 'dp_1', amount: 5 }],
    ] as const)
      assert.equal(of(type, object), null, type)
    for (const object of [
      { amount_refunded: 5 },
      { id: 'ch_1', amount_refunded: -5 },
      { id: 'ch_1', amount_refunded: 5, currency: 'eur' },
    ])
      assert.equal(of('charge.refunded', object)?.kind, 'unread')
  })

  it('is rejected without a valid, recent signature', () => {
    const text = JSON.stringify(paid)
    for (const signature of [
      '',
      'nonsense',
      't=1',
      `t=${NOW_MS / 1000},v1=`,
      sign(text, NOW_MS, 'whsec_2'),
      sign(`${text} `),
      sign(text, NOW_MS - 301_000),
      sign(text, NOW_MS + 301_000),
      sign(text).replace('v1', 'v0'),
    ]) {
      assert.throws(() => read(paid, signature), { code: 'bad_request' }, signature)
    }
    assert.throws(() => readStripeEvent(settings, Buffer.from(text), undefined, NOW_MS), {
      code: 'bad_request',
    })
    const [time = '', right = ''] = sign(text).split(',')
    assert.ok(
      read(paid, `${time},v1=${'0'.repeat(64)},${right}`) !== null,
      'while a secret is exchanged there are two signatures',
    )
  })

  it('of the other mode than the key is rejected', () => {
    for (const [key, livemode, isRead] of [
      ['sk_live_1', true, true],
      ['rk_live_1', true, true],
      ['sk_test_1', false, true],
      ['sk_live_1', false, false],
      ['rk_live_1', false, false],
      ['sk_test_1', true, false],
      ['rk_test_1', true, false],
    ] as const) {
      const text = JSON.stringify({ ...paid, livemode })
      const readIt = () =>
        readStripeEvent({ ...settings, key }, Buffer.from(text), sign(text), NOW_MS)
      if (isRead) assert.equal(readIt()?.kind, 'paid')
      else assert.throws(readIt, { code: 'bad_request' })
    }
  })

  it('is booked only as a completed payment in dollars for an account', () => {
    const { object } = paid.data
    for (const [other, kind] of [
      [{ payment_status: 'unpaid' }, undefined],
      [{ amount_total: 0 }, undefined],
      [{ currency: 'eur' }, 'unread'],
      [{ amount_total: 1.5 }, 'unread'],
      [{ amount_total: '500' }, 'unread'],
      [{ amount_total: 1e12 }, 'unread'],
      [{ metadata: null }, 'unread'],
      [{ id: null }, 'unread'],
    ] as const)
      assert.equal(
        read({ ...paid, data: { object: { ...object, ...other } } })?.kind,
        kind,
        JSON.stringify(other),
      )
    for (const event of [{}, { type: paid.type }, { ...paid, data: { object: null } }, null, 5])
      assert.equal(read(event), null)
    assert.equal(readStripeEvent(settings, Buffer.from('no JSON'), sign('no JSON'), NOW_MS), null)
  })
})
