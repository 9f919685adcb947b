import type { Logger } from 'pino'
import type { CardDesk } from '../../accounts/card-desk.ts'
import { chargeCard, findCharge } from '../../upstream/cards/stripe-charges.ts'
import { openCheckout, readCheckout } from '../../upstream/cards/stripe-checkouts.ts'
import { readStripeEvent } from '../../upstream/cards/stripe-events.ts'
import type { Config } from '../settings/config.ts'

/** Sells credit through Stripe; null when cards are off. */
export function openCardDesk(
  { cards, publicUrl }: Pick<Config, 'cards' | 'publicUrl'>,
  logger: Pick<Logger, 'warn' | 'error'>,
): CardDesk | null {
  if (cards === null) return null
  return {
    packs: cards.packs,
    range: cards.range,
    seller: cards.seller === '' ? new URL(publicUrl).host : cards.seller,
    open: (request) => openCheckout(cards, request),
    find: (session) => readCheckout(cards, session),
    charge: (request) => chargeCard(cards, request),
    findCharge: (request) => findCharge(cards, request),
    read: (payload, signature, nowMs) => readStripeEvent(cards, payload, signature, nowMs),
    reportClosed: ({ account, reference }) =>
      logger.warn(
        { account, reference },
        'card payment for a closed account: refund it at the payment provider',
      ),
    reportUnread: ({ id, type, account, intent, amount, currency }) =>
      logger.error(
        { event: id, type, account, intent, amount, currency },
        'a card event about this gateway is not booked: see ./tollgate payments card-events',
      ),
  }
}
