import { owedReversals } from '../../../accounts/card-reversals.ts'
import { toCentsRoundedUp } from '../../../lib/money.ts'
import type { Tools } from '../command.ts'
import { missing, ok, type Check } from './check.ts'

/** Reports whether credit is sold by card, and the debt of accounts from reversed payments. */
export async function checkCards(tools: Pick<Tools, 'config' | 'database'>): Promise<Check> {
  const name = 'credit by card'
  const { cards, publicUrl } = tools.config()
  if (cards === null)
    return missing(
      name,
      'not set up: only the operator adds credit',
      'Set STRIPE_KEY and STRIPE_WEBHOOK_SECRET (docs/payments.md).',
    )
  const sold = `packs of ${cards.packs.join(', ')} cents; webhook address: ${publicUrl}/balance/card-events`
  // `checkDatabase` reports a broken database.
  const { payments, owed } = await tools
    .database()
    .then(owedReversals)
    .catch(() => ({ payments: 0, owed: 0n }))
  return ok(
    name,
    payments === 0
      ? sold
      : `${sold}; accounts owe ${toCentsRoundedUp(owed)} cents for ${payments} reversed payments`,
  )
}
