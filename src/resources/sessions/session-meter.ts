/** The price of a session's time. */
import { minMicros, type Micros } from '../../lib/money.ts'
import { PROGRAM_MS } from './session-driver.ts'
import { isMeteredByUse, type SessionRow } from './session-row.ts'

/** The time that one hold covers. */
export const STRETCH_MS = 10 * 60_000
const HOUR_MS = 3_600_000n

/** The price of `ms` at an hourly rate, rounded up to a micro-dollar. */
export function priceOfTime(rate: Micros, ms: number): Micros {
  return ms <= 0 ? 0n : (rate * BigInt(Math.ceil(ms)) + HOUR_MS - 1n) / HOUR_MS
}

/** The milliseconds that `amount` pays for. */
export function timeFor(rate: Micros, amount: Micros): number {
  return Number((amount * HOUR_MS) / rate)
}

/**
 * When the current stretch stops being charged: at most at the end of the held time. A session
 * metered by use stays open without a hold.
 */
export function meteredUntil(row: SessionRow, nowMs: number): number {
  return isMeteredByUse(row) ? nowMs : Math.min(nowMs, Number(row.paid_until_ms))
}

/**
 * The charge against the current hold: the time since it opened. Metered by use, the time of
 * programs whose end will not be observed.
 */
export function usedOf(row: SessionRow, nowMs: number): Micros {
  const usedMs = isMeteredByUse(row)
    ? Math.max(0, ...runningMs(row, nowMs))
    : meteredUntil(row, nowMs) - Number(row.metered_from_ms)
  const price = priceOfTime(row.rate_micros, usedMs)
  const used = row.held_micros === null ? price : minMicros(price, row.held_micros)
  return row.most_micros === null ? used : minMicros(used, row.most_micros - row.charged_micros)
}

/** How long each program that has not ended has been running. */
export function runningMs(
  { running }: Pick<SessionRow, 'running'>,
  nowMs: number,
): readonly number[] {
  return running.map((beganMs) => nowMs - beganMs).filter((ms) => ms < PROGRAM_MS)
}
