import type { VendorLimits } from '../../catalog/vocabulary/wire.ts'

/** A vendor's limits in the form that the limiter uses. Null: no limit of this kind. */
export type Allowance = {
  /** Requests in any interval of `windowMs`. */
  readonly rate: number | null
  readonly windowMs: number
  readonly concurrent: number | null
  readonly perDay: number | null
  /**
   * Permits that a process may take ahead while the vendor is far from its limits; valid for
   * `spareValidMs`.
   */
  readonly spare: number
  readonly spareValidMs: number
  /** Other permits must be used within this time after they were requested. */
  readonly validMs: number
}

const SPARE_PART = 16
const SPARE_PART_OF_DAY = 1_000
const LONG_VALID_MS = 1_000
const DAY_SPARE_VALID_MS = 60_000
const LEAST_VALID_MS = 50

/** Null for a vendor without limits. */
export function allowanceOf({
  perSecond,
  perMinute,
  concurrent,
  perDay,
}: VendorLimits = {}): Allowance | null {
  if (
    perSecond === undefined &&
    perMinute === undefined &&
    concurrent === undefined &&
    perDay === undefined
  )
    return null
  const { rate, windowMs } =
    perMinute === undefined ? rateOf(perSecond) : { rate: perMinute, windowMs: 60_000 }
  const spares = [
    ...(rate === null ? [] : [Math.floor(rate / SPARE_PART)]),
    ...(perDay === undefined ? [] : [Math.floor(perDay / SPARE_PART_OF_DAY)]),
  ]
  return {
    rate,
    windowMs,
    concurrent: concurrent ?? null,
    perDay: perDay ?? null,
    // With a limit on concurrent requests, permits taken ahead would block other processes.
    spare: concurrent === undefined ? Math.min(...spares) : 0,
    spareValidMs: rate === null ? DAY_SPARE_VALID_MS : LONG_VALID_MS,
    validMs: rate === null ? LONG_VALID_MS : Math.max(LEAST_VALID_MS, windowMs / 20),
  }
}

function rateOf(perSecond: number | undefined): Pick<Allowance, 'rate' | 'windowMs'> {
  if (perSecond === undefined) return { rate: null, windowMs: 0 }
  const rate = Math.max(1, Math.floor(perSecond))
  // A fractional rate becomes one request per longer window: 1.5 a second is one every 667 ms.
  return { rate, windowMs: Math.ceil((rate / perSecond) * 1000 - 1e-6) }
}
