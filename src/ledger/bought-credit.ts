/** Charges that use only bought credit, never grants. */
import type { Query, Transaction } from '../db/database.ts'
import { AppError } from '../errors/app-error.ts'
import { formatDollars, toCentsRoundedDown, toCentsRoundedUp, type Micros } from '../lib/money.ts'
import type { Resolution, ResolutionVerdict } from './hold.ts'
import { resolveWithin } from './within-transaction.ts'

/** Credit from top-ups, refunds and positive adjustments, minus charges beyond the grants. */
export async function boughtCredit(
  { query }: { readonly query: Query },
  walletId: number,
): Promise<Micros> {
  const { rows } = await query<{ bought: bigint | null }>('select ledger_bought($1) as bought', [
    walletId,
  ])
  return rows[0]?.bought ?? 0n
}

/**
 * Resolves a hold with a charge that uses bought credit and no grant. It locks the wallet, so
 * concurrent charges never use the same credit. Throws AppError credits_required when bought credit
 * is short.
 */
export async function resolveFromBought(
  tx: Transaction,
  resolution: Resolution,
  nowMs: number,
): Promise<ResolutionVerdict> {
  const {
    charge,
    hold: { walletId },
  } = resolution
  await tx.query('select ledger_expire_lots($1, $2)', [walletId, nowMs])
  const bought = await boughtCredit(tx, walletId)
  if (bought < charge) throw boughtCreditShort(charge, bought)
  await tx.query('select ledger_use_bought($1, $2)', [walletId, charge])
  return (await resolveWithin(tx, resolution, nowMs)).verdict
}

export function boughtCreditShort(wanted: Micros, bought: Micros): AppError {
  return new AppError(
    'credits_required',
    `This merchant asks ${formatDollars(wanted)}, and ${formatDollars(bought)} of the balance was bought. Granted credit, such as welcome credit, cannot pay merchants that callers choose. Nothing was paid or charged.`,
    {
      fix: 'Buy credit, or ask the operator of this gateway for a top-up (./tollgate credit grant --kind topup).',
      details: {
        required_cents: toCentsRoundedUp(wanted),
        required_micros: Number(wanted),
        bought_cents: toCentsRoundedDown(bought),
        bought_micros: Number(bought),
      },
    },
  )
}
