import { isRepeated } from '../../calls/idempotency/answers.ts'
import type { Database } from '../../db/database.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Hold, HoldRequest } from '../../ledger/hold.ts'
import type { Ledger, Repeated } from '../../ledger/ledger.ts'
import { windowResetMs, windowStarts } from '../../ledger/windows.ts'
import { toRfc3339, type Clock } from '../../lib/clock.ts'
import {
  formatDollars,
  toCentsRoundedDown,
  toCentsRoundedUp,
  type Micros,
} from '../../lib/money.ts'

export type DailyCap = {
  /** A hold of kind `llm`. Throws AppError inference_daily_cap when it does not fit into the account's day. */
  hold(request: HoldRequest): Promise<Hold | Repeated>
}

// Raised by the trigger that keeps the day's sum (src/ledger/sql/inference_hold.sql).
const CAP_REACHED = 'TG429'
const MOST_REMEMBERED = 10_000

type Day = { readonly used: Micros; readonly cap: Micros }

/**
 * The database decides, in the commit of the hold. A refusal costs the ledger a batch repeated one by one, so accounts
 * that met their cap today are asked for their figures first: a loop of refused calls slows nobody else down.
 */
export function createDailyCap({
  ledger,
  database,
  now,
}: {
  readonly ledger: Ledger
  readonly database: Database
  readonly now: Clock
}): DailyCap {
  const cappedUntilMs = new Map<number, number>()

  async function hold(request: HoldRequest): Promise<Hold | Repeated> {
    const nowMs = now()
    if ((cappedUntilMs.get(request.walletId) ?? 0) > nowMs) {
      const day = await readDay(request.walletId)
      if (day.used + request.amount > day.cap) {
        // What was answered before costs nothing of this day.
        if (request.claim !== null && (await isRepeated(database, request.claim)))
          return { opened: false }
        throw refusal(day, request.amount)
      }
    }
    try {
      return await ledger.hold(request)
    } catch (error) {
      if (!isCapReached(error)) throw error
      if (cappedUntilMs.size >= MOST_REMEMBERED) cappedUntilMs.clear()
      cappedUntilMs.set(request.walletId, windowResetMs('day', nowMs))
      throw refusal(await readDay(request.walletId), request.amount)
    }
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

  function refusal({ used, cap }: Day, amount: Micros): AppError {
    const resetsAtMs = windowResetMs('day', now())
    return new AppError(
      'inference_daily_cap',
      `This call may cost ${formatDollars(amount)}; of the account's ${formatDollars(cap)} a day for language models, ${formatDollars(used)} is spent or held by calls in progress.`,
      {
        // Waiting alone does not help one that is above a whole day's.
        fix:
          amount > cap
            ? 'Lower "max_tokens" or "n", shorten the prompt, or choose a cheaper model: this call alone may cost more than a whole day allows.'
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

  return { hold }
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
