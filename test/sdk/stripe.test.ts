/** Our requests must be indistinguishable from those of the card company's own library. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Stripe } from 'stripe'
import { chargeCard } from '../../src/upstream/cards/stripe-charges.ts'
import { openCheckout } from '../../src/upstream/cards/stripe-checkouts.ts'
import { readStripeEvent } from '../../src/upstream/cards/stripe-events.ts'
import { KEY, recorded, recorder } from './recorder.ts'

const settings = { key: KEY, webhookSecret: 'whsec_1', url: recorder.url }
const { hostname, port } = new URL(recorder.url)
const library = new Stripe(KEY, { protocol: 'http', host: hostname, port, maxNetworkRetries: 0 })

const account = 'acc_1'
const address = 'https://gate.example/balance'

describe('stripe', () => {
  it('receives a checkout request equal to that of its own library', async () => {
    recorder.answerWith(() => ({
      body: { id: 'cs_1', url: 'https://checkout.stripe.com/c/pay/cs_1' },
    }))
    const ours = await recorded(() =>
      openCheckout(settings, {
        account,
        cents: 500,
        savesCard: true,
        successUrl: address,
        cancelUrl: address,
      }),
    )
    const theirs = await recorded(() =>
      library.checkout.sessions.create({
        mode: 'payment',
        line_items: [
          {
            quantity: 1,
            price_data: {
              currency: 'usd',
              unit_amount: 500,
              product_data: { name: 'Tollgate credit' },
            },
          },
        ],
        client_reference_id: account,
        metadata: { tollgate_account: account },
        payment_intent_data: {
          metadata: { tollgate_account: account },
          setup_future_usage: 'off_session',
        },
        customer_creation: 'always',
        success_url: address,
        cancel_url: address,
      }),
    )
    const fieldsOf = (body: unknown) => Object.fromEntries(new URLSearchParams(String(body)))
    assert.deepEqual(fieldsOf(ours.body), fieldsOf(theirs.body))
    for (const name of ['authorization', 'content-type'] as const)
      assert.equal(ours.headers[name], theirs.headers[name], name)
    assert.deepEqual([ours.method, ours.path], [theirs.method, theirs.path])
  })

  it('receives a charge of a saved card equal to that of its own library', async () => {
    recorder.answerWith(() => ({ body: { id: 'pi_1', status: 'succeeded' } }))
    const topup = 'a1'
    const ours = await recorded(() =>
      chargeCard(settings, { account, cents: 500, customer: 'cus_1', method: 'pm_1', topup }),
    )
    const theirs = await recorded(() =>
      library.paymentIntents.create(
        {
          amount: 500,
          currency: 'usd',
          customer: 'cus_1',
          payment_method: 'pm_1',
          automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
          off_session: true,
          confirm: true,
          description: 'Tollgate credit, automatic top-up',
          metadata: { tollgate_account: account, tollgate_topup: topup },
        },
        { idempotencyKey: 'tollgate-topup-a1' },
      ),
    )
    const fieldsOf = (body: unknown) => Object.fromEntries(new URLSearchParams(String(body)))
    assert.deepEqual(fieldsOf(ours.body), fieldsOf(theirs.body))
    for (const name of ['authorization', 'content-type', 'idempotency-key'] as const)
      assert.equal(ours.headers[name], theirs.headers[name], name)
    assert.deepEqual([ours.method, ours.path], [theirs.method, theirs.path])
  })

  it('is believed by the signature that its own library makes, and by no other', () => {
    const nowMs = Date.UTC(2027, 2, 17, 12)
    const payload = JSON.stringify(
      {
        type: 'checkout.session.completed',
        data: {
          object: {
            id: 'cs_1',
            payment_status: 'paid',
            currency: 'usd',
            amount_total: 500,
            metadata: { tollgate_account: account },
            payment_intent: 'pi_1',
          },
        },
      },
      null,
      2,
    )
    const signed = (secret: string) =>
      library.webhooks.generateTestHeaderString({ payload, secret, timestamp: nowMs / 1000 })
    const read = (text: string, signature: string) =>
      readStripeEvent(settings, Buffer.from(text), signature, nowMs)
    assert.deepEqual(read(payload, signed('whsec_1')), {
      kind: 'paid',
      reference: 'cs_1',
      account,
      cents: 500,
      intent: 'pi_1',
      topup: null,
    })
    assert.throws(() => read(payload, signed('whsec_2')), { code: 'bad_request' })
    assert.throws(() => read(`${payload} `, signed('whsec_1')), { code: 'bad_request' })
  })
})
