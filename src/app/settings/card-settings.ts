import { StartError } from '../../errors/start-error.ts'
import {
  LEAST_PAYMENT_CENTS,
  MOST_PAYMENT_CENTS,
  type StripeSettings,
} from '../../upstream/cards/stripe.ts'
import type { SettingsReader } from './settings-reader.ts'

/** How credit is sold by card. Secrets are never shown, logged or repeated in a message. */
export type CardSettings = StripeSettings & { readonly packs: readonly number[] }

const STRIPE_URL = 'https://api.stripe.com'
const PACKS = '500,2000,10000'

/** STRIPE_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_URL and CREDIT_PACKS. Null when cards are off. Throws StartError. */
export function readCardSettings(read: SettingsReader): CardSettings | null {
  const [key, webhookSecret] = [read.text('STRIPE_KEY', ''), read.text('STRIPE_WEBHOOK_SECRET', '')]
  if (key === '' && webhookSecret === '') return null
  if (key === '' || webhookSecret === '')
    throw new StartError(
      `${key === '' ? 'STRIPE_KEY' : 'STRIPE_WEBHOOK_SECRET'} must be set too: card payments need both secrets.`,
    )
  return {
    key,
    webhookSecret,
    url: read.url('STRIPE_URL', STRIPE_URL),
    packs: readPacks(read.text('CREDIT_PACKS', PACKS)),
  }
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
