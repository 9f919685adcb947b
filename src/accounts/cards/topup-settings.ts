/** The settings of automatic top-ups. Only the primary key and the holder of an account see and change them. */
import type { Database } from '../../db/database.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Actor } from '../../keys/caller.ts'
import { windowStarts } from '../../ledger/windows.ts'
import type { Id } from '../../lib/ids.ts'
import { toCentsRoundedDown, wholeCents } from '../../lib/money.ts'
import type { Card } from '../card-desk.ts'
import { FIRST_TOPUP_SETTINGS } from './saved-card.ts'

/** In cents. */
export type TopupAmounts = {
  /** A balance below this amount starts a payment. */
  readonly threshold: number
  readonly amount: number
  /** The most that is paid in a month (UTC). */
  readonly monthly: number
}

export type TopupSettings = TopupAmounts & {
  readonly isOn: boolean
  readonly card: Card | null
  readonly offBecause: string | null
  /** Paid or in progress in this month, in cents. */
  readonly usedThisMonth: number
  readonly isPaying: boolean
}

type Row = {
  is_on: boolean
  threshold: bigint
  amount: bigint
  monthly: bigint
  brand: string | null
  last4: string | null
  off_because: string | null
  used: bigint
  paying: boolean
}

/** The settings, or those that the form offers first. */
export async function readTopupSettings(
  database: Database,
  accountId: Id,
  nowMs: number,
): Promise<TopupSettings> {
  const { rows } = await database.query<Row>(
    `select is_on, threshold_micros as threshold, amount_micros as amount, monthly_micros as monthly, brand, last4, off_because,
       (select coalesce(sum(amount_micros), 0)::bigint from topups where account_id = $1 and status in ('open', 'paid') and topups.month_start = greatest(auto_topups.month_start, $2)) as used,
       exists (select from topups where account_id = $1 and status = 'open') as paying
     from auto_topups where account_id = $1`,
    [accountId, windowStarts(nowMs).thisMonth],
  )
  const [row] = rows
  const {
    threshold = FIRST_TOPUP_SETTINGS.threshold,
    amount = FIRST_TOPUP_SETTINGS.amount,
    monthly = FIRST_TOPUP_SETTINGS.monthly,
  } = row ?? {}
  return {
    isOn: row?.is_on ?? false,
    threshold: toCentsRoundedDown(threshold),
    amount: toCentsRoundedDown(amount),
    monthly: toCentsRoundedDown(monthly),
    card:
      row === undefined || row.brand === null || row.last4 === null
        ? null
        : { brand: row.brand, last4: row.last4 },
    offBecause: row?.off_because ?? null,
    usedThisMonth: toCentsRoundedDown(row?.used ?? 0n),
    isPaying: row?.paying ?? false,
  }
}

const MOST_THRESHOLD_CENTS = 1_000_000

/**
 * Changes the amounts, and turns automatic top-ups on or off. Without a saved card they start with the
 * next payment that saves one. `range`: the least and the most cents of a payment. Throws AppError
 * invalid_params, and key_cannot_mint_keys for keys that do not manage the account.
 */
export async function setTopupSettings(
  database: Database,
  actor: Actor,
  { isOn, ...amounts }: TopupAmounts & { readonly isOn: boolean },
  range: readonly [number, number],
): Promise<void> {
  requireTopupSettings(actor, amounts, range)
  await database.transaction((tx) =>
    tx.query(
      `insert into auto_topups (account_id, is_on, threshold_micros, amount_micros, monthly_micros) values ($1, $2, $3, $4, $5)
     on conflict (account_id) do update set is_on = excluded.is_on, threshold_micros = excluded.threshold_micros,
       amount_micros = excluded.amount_micros, monthly_micros = excluded.monthly_micros, failures = 0, off_because = null, next_ms = 0`,
      [
        actor.accountId,
        isOn,
        wholeCents(amounts.threshold),
        wholeCents(amounts.amount),
        wholeCents(amounts.monthly),
      ],
    ),
  )
}

/** Throws as `setTopupSettings`. */
export function requireTopupSettings(
  actor: Actor,
  amounts: TopupAmounts,
  range: readonly [number, number],
): void {
  requireManager(actor)
  requireAmounts(amounts, range)
}

/** Forgets the saved card and turns automatic top-ups off. A payment that the processor has is still credited. Throws AppError key_cannot_mint_keys. */
export async function removeCard(database: Database, actor: Actor): Promise<void> {
  requireManager(actor)
  await database.transaction((tx) =>
    tx.query(
      'update auto_topups set is_on = false, customer = null, method = null, brand = null, last4 = null, failures = 0, off_because = null where account_id = $1',
      [actor.accountId],
    ),
  )
}

export function requireManager({ primary, mode }: Actor): void {
  if (!primary) throw new AppError('key_cannot_mint_keys')
  if (mode === 'test')
    throw new AppError('bad_request', 'Test credit cannot be bought.', {
      fix: 'Sign in with a live key.',
    })
}

function requireAmounts(
  { threshold, amount, monthly }: TopupAmounts,
  [least, most]: readonly [number, number],
): void {
  requireBetween(threshold, 'threshold', [1, MOST_THRESHOLD_CENTS])
  requireBetween(amount, 'topup_amount', [least, most])
  if (amount < threshold)
    throw new AppError(
      'invalid_params',
      'One top-up would leave the balance below the threshold, and the card would be charged again.',
      {
        param: 'topup_amount',
        fix: `Enter at least $${(threshold / 100).toFixed(2)}, the threshold, or lower the threshold.`,
      },
    )
  requireBetween(monthly, 'monthly', [amount, Number.MAX_SAFE_INTEGER])
}

function requireBetween(
  cents: number,
  param: string,
  [least, most]: readonly [number, number],
): void {
  if (Number.isSafeInteger(cents) && cents >= least && cents <= most) return
  const from = `$${(least / 100).toFixed(2)}`
  throw new AppError('invalid_params', 'This amount is not allowed.', {
    param,
    fix:
      most === Number.MAX_SAFE_INTEGER
        ? `Enter at least ${from}, the amount of one top-up.`
        : `Enter an amount from ${from} to $${(most / 100).toFixed(2)}.`,
  })
}
