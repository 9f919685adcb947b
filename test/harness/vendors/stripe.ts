/** Stripe as a local HTTP server: checkouts, saved cards, idempotent charges and signed events. */
import { createHmac, randomUUID } from 'node:crypto'
import type { CardDesk } from '../../../src/accounts/card-desk.ts'
import { openCardDesk } from '../../../src/app/wiring/cards.ts'
import { startVendor, type TestVendor, type VendorReply, type VendorRequest } from './vendor.ts'

export const STRIPE_KEY = 'sk_1'
export const STRIPE_SECRET = 'whsec_1'

/** The outcome of the next charge of a saved card. `lost`: it charges the card and never answers. */
export type ChargeMode =
  | 'paid'
  | 'processing'
  | 'declined'
  | 'authentication_required'
  | 'lost'
  | 'away'
  | 'rejected'

export type StandInSession = {
  readonly id: string
  readonly account: string
  readonly cents: number
  readonly savesCard: boolean
  readonly successUrl: string
  readonly cancelUrl: string
  status: 'open' | 'complete' | 'expired'
  intent: string | null
}

type Intent = {
  readonly id: string
  readonly customer: string
  readonly metadata: Record<string, string>
  readonly amount: number
  status: string
}

export type StripeStandIn = {
  readonly vendor: TestVendor
  readonly sessions: readonly StandInSession[]
  /** Charges of saved cards, each with its own id. */
  readonly intents: readonly Intent[]
  /** The outcome of the next charges. */
  charges: ChargeMode
  /** Pays a checkout and returns its event. */
  pay(session: string): object
  expire(session: string): void
  /** Completes a checkout whose bank transfer has not arrived. */
  awaitTransfer(session: string): void
  /** Answers again after the test replaced the answers of its server. */
  restart(): void
  /** The event of a charge that Stripe completed. */
  chargeEvent(intent: Intent): object
  /** The headers and payload of an event for the webhook. */
  signed(event: object, nowMs: number, secret?: string): SignedEvent
  readonly desk: CardDesk
  /** The logged warnings about payments for closed accounts. */
  readonly closed: readonly ClosedPayment[]
  /** The logged errors about events that are not booked. */
  readonly unread: readonly UnreadEvent[]
}

type ClosedPayment = { readonly account: string; readonly reference: string }
type UnreadEvent = { readonly event: string; readonly type: string }

export type SignedEvent = {
  readonly payload: string
  readonly headers: { readonly 'content-type': string; readonly 'stripe-signature': string }
}

export async function startStripe(): Promise<StripeStandIn> {
  const vendor = await startVendor()
  const sessions: StandInSession[] = []
  const intents: Intent[] = []
  /** The first reply to each idempotency key. */
  const replies = new Map<string, VendorReply>()
  const closed: ClosedPayment[] = []
  const unread: UnreadEvent[] = []
  const desk = openCardDesk(
    {
      publicUrl: 'https://gate.example',
      cards: {
        key: STRIPE_KEY,
        webhookSecret: STRIPE_SECRET,
        url: vendor.url,
        packs: [500, 2_000],
        range: [500, 50_000],
        seller: 'Northwind Labs',
      },
    },
    {
      warn: (payment: unknown) => void closed.push(payment as ClosedPayment),
      error: (event: unknown) => void unread.push(event as UnreadEvent),
    },
  )
  if (desk === null) throw new RangeError('The settings of the stand-in sell no credit')

  function openSession(form: URLSearchParams): VendorReply {
    const session: StandInSession = {
      id: `cs_${randomUUID().replaceAll('-', '')}`,
      account: form.get('client_reference_id') ?? '',
      cents: Number(form.get('line_items[0][price_data][unit_amount]')),
      savesCard: form.get('payment_intent_data[setup_future_usage]') === 'off_session',
      successUrl: form.get('success_url') ?? '',
      cancelUrl: form.get('cancel_url') ?? '',
      status: 'open',
      intent: null,
    }
    sessions.push(session)
    return { body: { id: session.id, url: `${vendor.url}/checkout/${session.id}` } }
  }

  function sessionBody(session: StandInSession): object {
    return {
      id: session.id,
      status: session.status,
      payment_status: session.intent === null ? 'unpaid' : 'paid',
      currency: 'usd',
      amount_total: session.cents,
      metadata: { tollgate_account: session.account },
      customer: session.savesCard ? 'cus_1' : null,
      payment_intent: session.intent,
    }
  }

  function charge(form: URLSearchParams): VendorReply {
    const mode = stripe.charges
    if (mode === 'away') return { status: 500, body: {} }
    if (mode === 'rejected')
      return { status: 400, body: { error: { type: 'invalid_request_error' } } }
    const error = { type: 'card_error', code: mode === 'declined' ? 'card_declined' : mode }
    if (mode === 'declined' || mode === 'authentication_required')
      return { status: 402, body: { error } }
    const intent: Intent = {
      id: `pi_${randomUUID().replaceAll('-', '')}`,
      customer: form.get('customer') ?? '',
      metadata: {
        tollgate_account: form.get('metadata[tollgate_account]') ?? '',
        tollgate_topup: form.get('metadata[tollgate_topup]') ?? '',
      },
      amount: Number(form.get('amount')),
      status: mode === 'processing' ? 'processing' : 'succeeded',
    }
    intents.push(intent)
    return { body: intentBody(intent) }
  }

  function reply({ method, path, headers, body }: VendorRequest): VendorReply {
    if (headers.authorization !== `Bearer ${STRIPE_KEY}`) return { status: 401, body: {} }
    const url = new URL(path, vendor.url)
    const form = new URLSearchParams(typeof body === 'string' ? body : '')
    if (method === 'POST' && url.pathname === '/v1/checkout/sessions') return openSession(form)
    if (method === 'POST' && url.pathname === '/v1/payment_intents') {
      const key = String(headers['idempotency-key'])
      const first = replies.get(key) ?? charge(form)
      // Stripe forgets replies to requests that it could not process.
      if (stripe.charges !== 'away') replies.set(key, first)
      return stripe.charges === 'lost' ? 'reset' : first
    }
    if (url.pathname === '/v1/payment_intents')
      return {
        body: {
          data: intents
            .filter(({ customer }) => customer === url.searchParams.get('customer'))
            .map(intentBody),
        },
      }
    const session = sessions.find(({ id }) => url.pathname === `/v1/checkout/sessions/${id}`)
    if (session === undefined) return { status: 404, body: { error: {} } }
    return {
      body: {
        ...sessionBody(session),
        payment_intent: session.intent === null ? null : expandedIntent(session),
      },
    }
  }

  const stripe: StripeStandIn = {
    vendor,
    sessions,
    intents,
    charges: 'paid',
    desk,
    closed,
    unread,
    pay(id) {
      const session = sessions.find((one) => one.id === id)
      if (session === undefined) throw new RangeError(`No checkout ${id}`)
      session.status = 'complete'
      session.intent = `pi_of_${id}`
      return { type: 'checkout.session.completed', data: { object: sessionBody(session) } }
    },
    expire(id) {
      for (const session of sessions) if (session.id === id) session.status = 'expired'
    },
    awaitTransfer(id) {
      for (const session of sessions) if (session.id === id) session.status = 'complete'
    },
    restart: () => vendor.answerWith(reply),
    chargeEvent: (intent) => ({
      type: 'payment_intent.succeeded',
      data: { object: intentBody(intent) },
    }),
    signed(event, nowMs, secret = STRIPE_SECRET) {
      const payload = JSON.stringify(event)
      const time = Math.trunc(nowMs / 1000)
      const signature = createHmac('sha256', secret).update(`${time}.${payload}`).digest('hex')
      return {
        payload,
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'stripe-signature': `t=${time},v1=${signature}`,
        },
      }
    },
  }
  vendor.answerWith(reply)
  return stripe
}

function expandedIntent({ intent, savesCard }: StandInSession): object {
  return {
    id: intent,
    setup_future_usage: savesCard ? 'off_session' : null,
    payment_method: { id: 'pm_1', card: { brand: 'visa', last4: '4242' } },
  }
}

function intentBody({ id, customer, metadata, amount, status }: Intent): object {
  return {
    id,
    customer,
    metadata,
    currency: 'usd',
    status,
    amount,
    amount_received: status === 'succeeded' ? amount : 0,
  }
}
