import { AppError } from '../errors/app-error.ts'
import { toRfc3339 } from '../lib/clock.ts'
import { formatDollars, toCentsRoundedDown, toCentsRoundedUp, type Micros } from '../lib/money.ts'
import { boundBy, boundByKey, describeBudget } from './capacity/bound-by.ts'
import type { Limit, Stopped } from './capacity/limits.ts'
import { windowResetMs, windowResetsAt } from './windows.ts'

/** The page to add credit, as shown to callers whose credit is short. */
export type TopupPage = { readonly topupUrl: string; readonly sellsCredit?: boolean }

/** The error for a key that opens no holds, by its own state or that of a key above. */
export function keyRefusal(stopped: Stopped): AppError {
  if (stopped.state === 'closed') return new AppError('invalid_token', 'This key was revoked.')
  return new AppError(stopped.state === 'expired' ? 'key_expired' : 'api_key_paused', undefined, {
    details: boundByKey(stopped),
  })
}

/** The error for a call that its limit does not allow, even after every hold has ended. */
export function finalRefusal(
  limit: Limit,
  amount: Micros,
  nowMs: number,
  page: TopupPage,
): AppError {
  if (limit.kind === 'wallet') return creditShort(limit, amount, page)
  if (limit.kind === 'day') return dailyCapReached(limit, amount, nowMs)
  return limitReached(limit, amount, nowMs)
}

function creditShort(
  { ceiling: balance, held, mode }: Extract<Limit, { kind: 'wallet' }>,
  amount: Micros,
  { topupUrl, sellsCredit = false }: TopupPage,
): AppError {
  return new AppError(
    'credits_required',
    `This call may cost ${formatDollars(amount)}; ${formatDollars(balance - held)} of the balance can be spent.`,
    {
      fix:
        sellsCredit && mode === 'live'
          ? `Add credit at ${topupUrl}, or lower the cost of the call.`
          : `Ask the operator of this gateway for credit, or lower the cost of the call. The balance is shown at ${topupUrl}.`,
      details: {
        required_cents: toCentsRoundedUp(amount),
        balance_cents: toCentsRoundedDown(balance),
        held_cents: toCentsRoundedUp(held),
        required_micros: Number(amount),
        balance_micros: Number(balance),
        held_micros: Number(held),
        topup_url: topupUrl,
        bound_by: 'balance',
      },
    },
  )
}

function limitReached(
  limit: Extract<Limit, { kind: 'budget' }>,
  amount: Micros,
  nowMs: number,
): AppError {
  const { ceiling, spent, held, period } = limit
  const resetsAt = windowResetsAt(period, nowMs)
  return new AppError(
    'api_key_limit_exceeded',
    `This call may cost ${formatDollars(amount)}; of ${describeBudget(limit)} ${formatDollars(ceiling)} ${period === 'total' ? 'in total' : `a ${period}`}, ${formatDollars(spent)} is spent and ${formatDollars(held)} is held by calls in progress.`,
    {
      fix:
        amount > ceiling
          ? 'Lower the cost of the call, or raise the ceiling with the primary key (PATCH /api/v1/agents/{id}). Waiting does not help: the call may cost more than the whole ceiling.'
          : `${resetsAt === null ? 'Raise' : `Wait until ${resetsAt}, or raise`} the ceiling with the primary key (PATCH /api/v1/agents/{id}).`,
      details: {
        ceiling_cents: toCentsRoundedDown(ceiling),
        ceiling_period: period,
        spent_cents: toCentsRoundedUp(spent),
        held_cents: toCentsRoundedUp(held),
        spent_micros: Number(spent),
        held_micros: Number(held),
        required_micros: Number(amount),
        resets_at: resetsAt,
        ...boundBy(limit),
      },
    },
  )
}

function dailyCapReached({ ceiling, spent, held }: Limit, amount: Micros, nowMs: number): AppError {
  const resetsAtMs = windowResetMs('day', nowMs)
  const used = spent + held
  return new AppError(
    'inference_daily_cap',
    `This call may cost ${formatDollars(amount)}. The account has used or held ${formatDollars(used)} of its daily ${formatDollars(ceiling)} for language models.`,
    {
      // Waiting does not help if the call alone exceeds the daily cap.
      fix:
        amount > ceiling
          ? 'Lower "max_tokens" or "n", shorten the prompt, or choose a cheaper model: this call alone may cost more than the daily cap.'
          : undefined,
      retryAfterSeconds: Math.ceil((resetsAtMs - nowMs) / 1000),
      details: {
        cap_cents: toCentsRoundedDown(ceiling),
        cap_micros: Number(ceiling),
        used_cents: toCentsRoundedUp(used),
        used_micros: Number(used),
        required_cents: toCentsRoundedUp(amount),
        required_micros: Number(amount),
        resets_at: toRfc3339(resetsAtMs),
      },
    },
  )
}
