import { StartError } from '../../errors/start-error.ts'
import { LEAST_PAYMENT_CENTS, MOST_PAYMENT_CENTS } from '../../upstream/cards/stripe-objects.ts'
import type { StripeSettings } from '../../upstream/cards/stripe-request.ts'
import type { SettingsReader } from './settings-reader.ts'

/** How credit is sold by card. Secrets are never shown, logged or repeated in a message. */
export type CardSettings = StripeSettings & {
  readonly packs: readonly number[]
  /** The least and the most cents of other amounts. */
  readonly range: readonly [number, number]
  /** The name of the operator on receipts; empty for the host of the gateway. */
  readonly seller: string
}

const STRIPE_URL = 'https://api.stripe.com'
const PACKS = '500,2000,10000'
const [LEAST_CENTS, MOST_CENTS] = [500, 200_000]

/** STRIPE_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_URL, CREDIT_PACKS and the other settings of credit. Null when cards are off. Throws StartError. */
export function readCardSettings(read: SettingsReader): CardSettings | null {
  const [key, webhookSecret] = [read.text('STRIPE_KEY', ''), read.text('STRIPE_WEBHOOK_SECRET', '')]
  const packs = read.text('CREDIT_PACKS', PACKS)
  const url = read.url('STRIPE_URL', STRIPE_URL)
  const least = read.integer(
    'CREDIT_FROM_CENTS',
    LEAST_CENTS,
    LEAST_PAYMENT_CENTS,
    MOST_PAYMENT_CENTS,
  )
  const most = read.integer(
    'CREDIT_UP_TO_CENTS',
    MOST_CENTS,
    LEAST_PAYMENT_CENTS,
    MOST_PAYMENT_CENTS,
  )
  const seller = read.text('OPERATOR_NAME', '')
  if (key === '' && webhookSecret === '') return null
  if (key === '' || webhookSecret === '')
    throw new StartError(
      `${key === '' ? 'STRIPE_KEY' : 'STRIPE_WEBHOOK_SECRET'} must be set too: card payments need both secrets.`,
    )
  return {
    key,
    webhookSecret,
    url,
    packs: readPacks(packs),
    range: readRange(least, most),
    seller,
  }
}

function readRange(least: number, most: number): [number, number] {
  if (least > most)
    throw new StartError(
      `CREDIT_FROM_CENTS=${least} is above CREDIT_UP_TO_CENTS=${most}. Lower it, or raise the maximum.`,
    )
  return [least, most]
}

function readPacks(text: string): number[] {
  const packs = text.split(',').map((part) => part.trim())
  const isPack = (part: string): boolean =>
    /^\d{2,8}$/.test(part) &&
    Number(part) >= LEAST_PAYMENT_CENTS &&
    Number(part) <= MOST_PAYMENT_CENTS
  if (!packs.every(isPack))
    throw new StartError(
      `CREDIT_PACKS="${text}" is invalid: it must be amounts in cents from ${LEAST_PAYMENT_CENTS} to ${MOST_PAYMENT_CENTS}, such as ${PACKS}.`,
    )
  return packs.map(Number)
}
