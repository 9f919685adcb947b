import { isRepeated } from '../../calls/idempotency/answers.ts'
import type { Database } from '../../db/database.ts'
import { AppError } from '../../errors/app-error.ts'
import type { HoldRequest } from '../../ledger/hold.ts'
import { windowResetMs, windowStarts } from '../../ledger/windows.ts'
import { toRfc3339, type Clock } from '../../lib/clock.ts'
import {
  formatDollars,
  toCentsRoundedDown,
  toCentsRoundedUp,
  type Micros,
} from '../../lib/money.ts'

/** An account's daily (UTC) limit for language models. */
export type DailyCap = {
  /**
   * Checks the hold of an account that reached its cap today; null for other accounts. Throws
   * AppError `inference_daily_cap`.
   */
  check(hold: HoldRequest): Promise<void> | null
  /**
   * The error for a hold that the ledger rejected: `inference_daily_cap` if the cap was the reason,
   * else `error`.
   */
  explain(error: unknown, hold: HoldRequest): Promise<unknown>
}

// Raised by the trigger that sums the day (src/ledger/sql/inference_hold.sql).
const CAP_REACHED = 'TG429'
const MOST_CAPPED_WALLETS = 10_000

type Day = { readonly used: Micros; readonly cap: Micros }

/**
 * The database decides in the commit of the hold. A rejection makes the ledger repeat its batch one
 * by one, so `check` rejects further calls of a capped account before they reach the ledger.
 */
export function createDailyCap({
  database,
  now,
}: {
  readonly database: Database
  readonly now: Clock
}): DailyCap {
  const cappedUntilMs = new Map<number, number>()

  function check(hold: HoldRequest): Promise<void> | null {
    return (cappedUntilMs.get(hold.walletId) ?? 0) > now() ? requireCapacity(hold) : null
  }

  async function requireCapacity({ walletId, amount, claim }: HoldRequest): Promise<void> {
    const day = await readDay(walletId)
    if (day.used + amount <= day.cap) return
    // The ledger answers a repeated request without a hold.
    if (claim === null || !(await isRepeated(database, claim))) throw rejection(day, amount)
  }

  async function explain(error: unknown, { walletId, amount }: HoldRequest): Promise<unknown> {
    if (!isCapReached(error)) return error
    if (cappedUntilMs.size >= MOST_CAPPED_WALLETS) cappedUntilMs.clear()
    cappedUntilMs.set(walletId, windowResetMs('day', now()))
    return rejection(await readDay(walletId), amount)
  }

  async function readDay(walletId: number): Promise<Day> {
    const { rows } = await database.query<{ day: number; used_micros: bigint; cap_micros: bigint }>(
      'select day, used_micros, cap_micros from inference_days where wallet_id = $1',
      [walletId],
      'inference_day',
    )
    const row = rows[0]
    return {
      used: row !== undefined && row.day >= windowStarts(now()).today ? row.used_micros : 0n,
      cap: row?.cap_micros ?? DEFAULT_CAP,
    }
  }

  function rejection({ used, cap }: Day, amount: Micros): AppError {
    const resetsAtMs = windowResetMs('day', now())
    return new AppError(
      'inference_daily_cap',
      `This call may cost ${formatDollars(amount)}. The account has used or held ${formatDollars(used)} of its daily ${formatDollars(cap)} for language models.`,
      {
        // Waiting does not help if the call alone exceeds the daily cap.
        fix:
          amount > cap
            ? 'Lower "max_tokens" or "n", shorten the prompt, or choose a cheaper model: this call alone may cost more than the daily cap.'
            : undefined,
        retryAfterSeconds: Math.ceil((resetsAtMs - now()) / 1000),
        details: {
          cap_cents: toCentsRoundedDown(cap),
          cap_micros: Number(cap),
          used_cents: toCentsRoundedUp(used),
          used_micros: Number(used),
          required_cents: toCentsRoundedUp(amount),
          required_micros: Number(amount),
          resets_at: toRfc3339(resetsAtMs),
        },
      },
    )
  }

  return { check, explain }
}

const DEFAULT_CAP: Micros = 10_000_000n

function isCapReached(error: unknown): boolean {
  return (
    error instanceof AppError &&
    error.cause instanceof Error &&
    'code' in error.cause &&
    error.cause.code === CAP_REACHED
  )
}
