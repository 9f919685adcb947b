import type { Database } from '../db/database.ts'
import { AppError } from '../errors/app-error.ts'
import { toRfc3339, type Clock } from '../lib/clock.ts'
import type { Mode } from '../lib/mode.ts'
import { formatDollars, toCentsRoundedDown, toCentsRoundedUp, type Micros } from '../lib/money.ts'
import type { HoldRequest, HoldVerdict } from './hold.ts'
import { windowResetMs, type Period } from './windows.ts'

type Sources = {
  readonly database: Database
  readonly now: Clock
  readonly topupUrl: string
  readonly sellsCredit?: boolean
}

/** The caller's error for a refused hold, with current figures. */
export async function refusalOf(
  verdict: HoldVerdict,
  request: HoldRequest,
  sources: Sources,
): Promise<AppError> {
  if (verdict === 'closed') return new AppError('invalid_token', 'This key was revoked.')
  if (verdict === 'paused') return new AppError('api_key_paused')
  if (verdict === 'limit_reached' && request.budgetId !== null)
    return limitReached(request.budgetId, request.amount, sources)
  return creditShort(request, sources)
}

/** For calls that only open holds prevent. */
const WAIT_FOR_CALLS =
  'Try again when calls, jobs or sessions in progress have ended: they release the credit that they do not use. Otherwise: '

async function creditShort(
  request: HoldRequest,
  { database, topupUrl, sellsCredit = false }: Sources,
): Promise<AppError> {
  const { rows } = await database.query<{
    balance_micros: bigint
    held_micros: bigint
    mode: Mode
  }>('select balance_micros, held_micros, mode from wallets where id = $1', [request.walletId])
  const { balance_micros: balance = 0n, held_micros: held = 0n, mode = 'live' } = rows[0] ?? {}
  return new AppError(
    'credits_required',
    `This call may cost ${formatDollars(request.amount)}; ${formatDollars(balance - held)} of the balance can be spent.`,
    {
      fix:
        (request.amount <= balance ? WAIT_FOR_CALLS : '') +
        (sellsCredit && mode === 'live'
          ? `Add credit at ${topupUrl}, or lower the cost of the call.`
          : `Ask the operator of this gateway for credit, or lower the cost of the call. The balance is shown at ${topupUrl}.`),
      details: {
        required_cents: toCentsRoundedUp(request.amount),
        balance_cents: toCentsRoundedDown(balance),
        held_cents: toCentsRoundedUp(held),
        required_micros: Number(request.amount),
        balance_micros: Number(balance),
        held_micros: Number(held),
        topup_url: topupUrl,
      },
    },
  )
}

async function limitReached(
  budgetId: string,
  amount: Micros,
  { database, now }: Sources,
): Promise<AppError> {
  const { rows } = await database.query<{
    ceiling_micros: bigint | null
    period: Period
    spent: bigint
    held: bigint
  }>(
    `select ceiling_micros, period,
       case period when 'day' then day_spent when 'week' then week_spent else month_spent end as spent,
       case period when 'day' then day_held when 'week' then week_held else month_held end as held
     from budgets where id = $1`,
    [budgetId],
  )
  const { ceiling_micros: ceiling, period = 'month', spent = 0n, held = 0n } = rows[0] ?? {}
  const nowMs = now()
  const resetsAtMs = windowResetMs(period, nowMs)
  return new AppError(
    'api_key_limit_exceeded',
    `This call may cost ${formatDollars(amount)}; of the key's ${formatDollars(ceiling ?? 0n)} a ${period}, ${formatDollars(spent)} is spent and ${formatDollars(held)} is held by calls in progress.`,
    {
      fix:
        amount > (ceiling ?? 0n)
          ? 'Lower the cost of the call, or raise the ceiling with the primary key (PATCH /api/v1/agents/{id}). Waiting does not help: the call may cost more than the whole ceiling.'
          : `${spent + amount <= (ceiling ?? 0n) ? WAIT_FOR_CALLS : ''}Wait until ${toRfc3339(resetsAtMs)}, or raise the ceiling with the primary key (PATCH /api/v1/agents/{id}).`,
      details: {
        ceiling_cents: toCentsRoundedDown(ceiling ?? 0n),
        ceiling_period: period,
        spent_cents: toCentsRoundedUp(spent),
        held_cents: toCentsRoundedUp(held),
        spent_micros: Number(spent),
        held_micros: Number(held),
        required_micros: Number(amount),
        resets_at: toRfc3339(resetsAtMs),
      },
    },
  )
}
