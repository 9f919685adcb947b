import { createHmac, timingSafeEqual } from 'node:crypto'
import { AppError } from '../../errors/app-error.ts'
import { fieldsOf, parseFields } from '../../lib/json-fields.ts'
import { readNotice, type StripeEvent } from './stripe-notices.ts'
import type { StripeSettings } from './stripe-request.ts'

// Stripe's recommended tolerance: an older message may be a replay.
const TOLERANCE_SECONDS = 300

/**
 * Returns null for events that change no money of this gateway. Throws AppError `bad_request` if the
 * signature is invalid or old, or the event is of the other mode than the key.
 */
export function readStripeEvent(
  { key, webhookSecret }: StripeSettings,
  payload: Buffer,
  signature: string | undefined,
  nowMs: number,
): StripeEvent | null {
  if (!isSigned(webhookSecret, payload, signature ?? '', nowMs))
    throw new AppError('bad_request', "The signature is not the card processor's.", {
      fix: 'Set STRIPE_WEBHOOK_SECRET to the signing secret of this endpoint, and check the clock of this machine.',
    })
  const event = fieldsOf(parseFields(payload.toString('utf8')))
  requireMode(key, event['livemode'])
  return readNotice(event)
}

/** Payments of Stripe's test mode are play money. */
function requireMode(key: string, isLive: unknown): void {
  const mode = /^[a-z]+_(live|test)_/.exec(key)?.[1]
  if (mode === undefined || typeof isLive !== 'boolean' || isLive === (mode === 'live')) return
  throw new AppError(
    'bad_request',
    `The event is of Stripe's ${isLive ? 'live' : 'test'} mode, and STRIPE_KEY is of the other.`,
    { fix: `Set STRIPE_WEBHOOK_SECRET to the signing secret of the ${mode} endpoint.` },
  )
}

/** `t=<seconds>,v1=<hex>,v1=<hex>`: there are two signatures while the secret is rotated. */
function isSigned(secret: string, payload: Buffer, signature: string, nowMs: number): boolean {
  const parts = signature.split(',').map((part) => part.trim().split('=', 2))
  const time = parts.find(([name]) => name === 't')?.[1] ?? ''
  if (!/^\d{1,12}$/.test(time) || Math.abs(nowMs / 1000 - Number(time)) > TOLERANCE_SECONDS)
    return false
  const expected = createHmac('sha256', secret).update(`${time}.`).update(payload).digest()
  return parts.some(([name, value = '']) => {
    const actual = name === 'v1' ? Buffer.from(value, 'hex') : Buffer.alloc(0)
    return actual.length === expected.length && timingSafeEqual(actual, expected)
  })
}
