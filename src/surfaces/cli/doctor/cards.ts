import { owedReversals } from '../../../accounts/card-reversals.ts'
import { toCentsRoundedUp } from '../../../lib/money.ts'
import type { Tools } from '../command.ts'
import { missing, ok, type Check } from './check.ts'

/** Whether credit is sold by card, and what accounts owe of payments that were taken back. */
export async function checkCards(tools: Pick<Tools, 'config' | 'database'>): Promise<Check> {
  const name = 'credit by card'
  const { cards, publicUrl } = tools.config()
  if (cards === null)
    return missing(
      name,
      'not set up: the operator alone adds credit',
      'Set STRIPE_KEY and STRIPE_WEBHOOK_SECRET (docs/payments.md).',
    )
  const sold = `packs of ${cards.packs.join(', ')} cents; payments are told to ${publicUrl}/balance/card-events`
  // What is wrong with the database is a finding of its own.
  const { payments, owed } = await tools
    .database()
    .then(owedReversals)
    .catch(() => ({ payments: 0, owed: 0n }))
  return ok(
    name,
    payments === 0
      ? sold
      : `${sold}; ${toCentsRoundedUp(owed)} cents are owed of ${payments} payments that were taken back`,
  )
}
