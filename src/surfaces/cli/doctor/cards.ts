import type { Config } from '../../../start/config.ts'
import { missing, ok, type Check } from './check.ts'

/** Whether credit is sold by card. */
export function checkCards({ cards, publicUrl }: Pick<Config, 'cards' | 'publicUrl'>): Check {
  const name = 'credit by card'
  if (cards === null) return missing(name, 'not set up: the operator alone adds credit', 'Set STRIPE_KEY and STRIPE_WEBHOOK_SECRET (docs/payments.md).')
  return ok(name, `packs of ${cards.packs.join(', ')} cents; payments are told to ${publicUrl}/balance/card-events`)
}
