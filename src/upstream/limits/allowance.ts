import type { VendorLimits } from '../../catalog/vocabulary/wire.ts'

/** A vendor's limits as they are counted. Null: not limited so. */
export type Allowance = {
  /** Requests in any stretch of `windowMs`. */
  readonly rate: number | null
  readonly windowMs: number
  readonly concurrent: number | null
  readonly perDay: number | null
  /** Permits that a process may take ahead while the vendor is far from its limits, good for `spareValidMs`. */
  readonly spare: number
  readonly spareValidMs: number
  /** Without spare ones, a permit must be used so soon after it was asked for. */
  readonly validMs: number
}

const SPARE_PART = 16
const SPARE_PART_OF_DAY = 1_000
const LONG_VALID_MS = 1_000
const DAY_SPARE_VALID_MS = 60_000
const LEAST_VALID_MS = 50

/** Null for a vendor that asks for nothing. */
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
    // One who takes places ahead would keep others from them.
    spare: concurrent === undefined ? Math.min(...spares) : 0,
    spareValidMs: rate === null ? DAY_SPARE_VALID_MS : LONG_VALID_MS,
    validMs: rate === null ? LONG_VALID_MS : Math.max(LEAST_VALID_MS, windowMs / 20),
  }
}

function rateOf(perSecond: number | undefined): Pick<Allowance, 'rate' | 'windowMs'> {
  if (perSecond === undefined) return { rate: null, windowMs: 0 }
  const rate = Math.max(1, Math.floor(perSecond))
  // A fraction is one request every so many seconds; 1.5 a second is one every 667 ms.
  return { rate, windowMs: Math.ceil((rate / perSecond) * 1000 - 1e-6) }
}
