/** Card events in any order, of the other mode, in other currencies and of failed refunds. */
import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { openAppBed } from '../../../../../test/harness/beds/app.ts'
import { startStripe } from '../../../../../test/harness/vendors/stripe.ts'
import { collectReversals } from '../../../../accounts/card-reversals.ts'
import {
  dismissKeptEvent,
  forgetKeptEvents,
  listKeptEvents,
} from '../../../../accounts/cards/kept-events.ts'
import { verifyLedger } from '../../../../ledger/verify.ts'
import { DAY_MS } from '../../../../lib/clock.ts'
import { publicId, type Id } from '../../../../lib/ids.ts'

const stripe = await startStripe()
const bed = await openAppBed({ cards: stripe.desk })
const {
  rows: [owner],
} = await bed.database.query<{ id: Id }>(
  "select id from accounts where email = 'mine@gate.example.com'",
)
const account = publicId('account', owner?.id ?? assert.fail('the account exists'))
const metadata = { tollgate_account: account }

let events = 0
async function notify(
  type: string,
  object: object,
  facts: object = {},
): Promise<LightMyRequestResponse> {
  events += 1
  const event = { id: `evt_${events}`, type, created: 1_000, ...facts, data: { object } }
  const { payload, headers } = stripe.signed(event, bed.clock())
  return bed.app.inject({ method: 'POST', url: '/balance/card-events', headers, payload })
}
const balance = async (): Promise<number> =>
  (await bed.get('/api/v1/balance')).json<{ data: { balance_cents: number } }>().data.balance_cents

let name: string
let before: number
beforeEach(async () => {
  name = String(events)
  before = await balance()
})
const intentOf = (): object => ({ payment_intent: `pi_${name}` })
const pay = () =>
  notify('checkout.session.completed', {
    id: `cs_${name}`,
    payment_status: 'paid',
    currency: 'usd',
    amount_total: 500,
    metadata,
    ...intentOf(),
  })
const refund = (cents: number, facts: object = {}, object: object = { metadata }) =>
  notify(
    'charge.refunded',
    { id: `ch_${name}`, currency: 'usd', amount_refunded: cents, ...intentOf(), ...object },
    facts,
  )
const dispute = (happened: 'withdrawn' | 'reinstated') =>
  notify(`charge.dispute.funds_${happened}`, {
    id: `dp_${name}`,
    currency: 'usd',
    amount: 500,
    ...intentOf(),
  })
const refundFails = (type: string, cents: number, facts: object = {}, id = `re_${name}`) =>
  notify(
    type,
    { id, status: 'failed', charge: `ch_${name}`, currency: 'usd', amount: cents, ...intentOf() },
    facts,
  )
const gained = async (): Promise<number> => (await balance()) - before

describe('a reversal that precedes its payment', () => {
  it('is applied with the payment', async () => {
    for (const [reverse, status, left] of [
      [() => dispute('withdrawn'), 200, 0],
      [() => refund(200), 404, 300],
      [() => refund(200, {}, {}), 200, 300],
      [() => dispute('reinstated'), 200, 500],
      [() => refundFails('refund.failed', 200), 200, 500],
    ] as const) {
      name = `${name}x`
      const start = await balance()
      assert.equal((await reverse()).statusCode, status)
      await pay()
      assert.equal((await balance()) - start, left)
      await reverse()
      assert.equal((await balance()) - start, left)
    }
  })

  it('is applied once, in any order of a dispute that was won', async () => {
    await dispute('reinstated')
    await dispute('withdrawn')
    await pay()
    assert.equal(await gained(), 500)
  })

  it('is applied when both arrive together', async () => {
    await Promise.all([dispute('withdrawn'), pay(), dispute('withdrawn')])
    await collectReversals({ database: bed.database, now: bed.clock })
    assert.equal(await gained(), 0)
  })

  it('waits a week for a payment, and then belongs to another business', async () => {
    await dispute('withdrawn')
    await forgetKeptEvents(bed.database, bed.clock() + 6 * DAY_MS)
    await pay()
    assert.equal(await gained(), 0)
    name = `${name}x`
    await dispute('withdrawn')
    await forgetKeptEvents(bed.database, bed.clock() + 8 * DAY_MS)
    assert.equal((await bed.database.query('select from kept_card_events')).count, 0)
  })
})

describe('a refund that fails at the bank', () => {
  it('returns the credit once, for any number and kind of reports', async () => {
    await pay()
    await refund(500)
    assert.equal(await gained(), 0)
    await Promise.all([
      refundFails('charge.refund.updated', 500),
      refundFails('refund.failed', 500),
      refundFails('refund.updated', 500),
      refundFails('refund.failed', 500),
    ])
    assert.equal(await gained(), 500)
    await refund(0)
    await refund(500)
    assert.equal(await gained(), 500)
  })

  it('leaves another refund of the same payment', async () => {
    await pay()
    await refund(200)
    await refund(500, { created: 1_100 })
    await refundFails('refund.failed', 300, { created: 1_200 })
    assert.equal(await gained(), 300)
    // The reports arrive again, out of order.
    await refund(500, { created: 1_100 })
    await refund(200)
    assert.equal(await gained(), 300)
    await refund(400, { created: 1_300 })
    assert.equal(await gained(), 100)
    await refundFails('refund.failed', 200, { created: 1_400 }, `re_${name}_2`)
    assert.equal(await gained(), 300)
  })

  it('changes nothing while it is pending or has succeeded', async () => {
    await pay()
    await refund(500)
    for (const status of ['pending', 'succeeded', 'requires_action'])
      await notify('charge.refund.updated', {
        id: 're_1',
        status,
        currency: 'usd',
        amount: 500,
        ...intentOf(),
      })
    assert.equal(await gained(), 0)
  })
})

describe('an event about money of this gateway that it cannot book', () => {
  it('is stored for the operator and logged once', async () => {
    await pay()
    const known = stripe.unread.length
    const paid = { id: 'cs_yen', payment_status: 'paid', metadata }
    const unread: readonly (readonly [string, object])[] = [
      ['checkout.session.completed', { ...paid, currency: 'jpy', amount_total: 5_000 }],
      ['checkout.session.async_payment_succeeded', { ...paid, currency: 'eur', amount_total: 500 }],
      ['checkout.session.completed', { ...paid, currency: 'usd', amount_total: 0.5 }],
      ['charge.refunded', { id: 'ch_eur', currency: 'eur', amount_refunded: 5, ...intentOf() }],
      ['refund.failed', { id: 're_eur', currency: 'eur', amount: 5, ...intentOf() }],
      ['charge.of_tomorrow', { id: 'ch_2', amount: 5, ...intentOf() }],
      ['payment_intent.of_tomorrow', { id: `pi_${name}` }],
      [
        'payment_intent.succeeded',
        {
          id: 'pi_eur',
          status: 'succeeded',
          currency: 'eur',
          amount_received: 5,
          metadata: { ...metadata, tollgate_topup: 'a1' },
        },
      ],
    ]
    for (const [type, object] of unread) {
      const first = await notify(type, object)
      events -= 1
      const again = await notify(type, object)
      assert.deepEqual([first.statusCode, again.statusCode], [200, 200], type)
    }
    assert.deepEqual(
      stripe.unread.slice(known).map(({ type }) => type),
      unread.map(([type]) => type),
    )
    const kept = await listKeptEvents(bed.database)
    assert.equal(kept.length, unread.length)
    const yen = kept.find(({ currency }) => currency === 'jpy') ?? assert.fail('it is stored')
    assert.deepEqual([yen.account, yen.amount], [account, 5_000])
    assert.equal(await gained(), 500)
    for (const { id } of kept) await dismissKeptEvent(bed.database, id)
    assert.deepEqual(await listKeptEvents(bed.database), [])
    await assert.rejects(dismissKeptEvent(bed.database, yen.id), { code: 'not_found' })
  })

  it('is ignored if another business or another event reports the money', async () => {
    await pay()
    const known = stripe.unread.length
    for (const [type, object] of [
      ['checkout.session.completed', { id: 'cs_other', payment_status: 'paid', currency: 'eur' }],
      [
        'charge.refunded',
        { id: 'ch_o', currency: 'eur', amount_refunded: 5, payment_intent: 'pi_o' },
      ],
      ['checkout.session.completed', { id: 'cs_late', payment_status: 'unpaid', metadata }],
      ['payment_intent.succeeded', { id: `pi_${name}`, currency: 'usd', metadata }],
      ['charge.succeeded', { id: `ch_${name}`, metadata, ...intentOf() }],
      ['charge.dispute.created', { id: `dp_${name}`, ...intentOf() }],
      ['customer.created', { id: 'cus_1' }],
    ] as const)
      assert.equal((await notify(type, object)).statusCode, 200)
    assert.deepEqual(
      [stripe.unread.length, await listKeptEvents(bed.database), await gained()],
      [known, [], 500],
    )
  })
})

it('keeps the ledger consistent', async () => {
  assert.deepEqual((await verifyLedger(bed.database)).findings, [])
})
