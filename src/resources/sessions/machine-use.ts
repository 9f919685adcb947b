/** Usage reported by a machine, and its price. */
import type { UseRates } from '../../catalog/vocabulary/action.ts'
import type { Micros } from '../../lib/money.ts'
import { PROGRAM_MS } from './session-driver.ts'

/** A machine's counters at one time. They only rise until the machine restarts. */
export type MachineCount = {
  readonly boot: string
  readonly upMicroseconds: number
  readonly cpuMicroseconds: number
}

/** An interval of a machine's time, by its counters at both ends. */
export type Stretch = { readonly from: MachineCount; readonly to: MachineCount }

/** The machine's counters before and after a program, and the mean memory in use. */
export type MachineUse = Stretch & { readonly memoryBytes: number }

const HOUR_MICROSECONDS = 3_600_000_000n
const GIGABYTE = 2n ** 30n
/** One micro-dollar in the unit of exact prices. */
export const PARTS = HOUR_MICROSECONDS * GIGABYTE

/** No program runs longer. */
const LONGEST_MICROSECONDS = PROGRAM_MS * 1000
/**
 * Bounds the row. Time in dropped intervals is charged again, so that running many programs
 * concurrently is never free.
 */
const MOST_STRETCHES = 500

/**
 * The price of `use` without the time already charged: concurrent programs pay for the machine's
 * time once, in any order of their ends. Rounded up to a micro-dollar.
 */
export function priceOfUse(use: MachineUse, rates: UseRates, charged: readonly Stretch[]): Micros {
  return (exactPriceOfUse(use, rates, charged) + PARTS - 1n) / PARTS
}

/** As `priceOfUse`, in parts of a micro-dollar without rounding. */
export function exactPriceOfUse(
  use: MachineUse,
  { cpuHour, gigabyteHour }: UseRates,
  charged: readonly Stretch[],
): bigint {
  const shared = charged.flatMap((one) => overlapOf(one, use))
  const cpu = uncharged(use, shared, 'cpuMicroseconds')
  const up = uncharged(use, shared, 'upMicroseconds')
  return cpuHour * cpu * GIGABYTE + gigabyteHour * BigInt(use.memoryBytes) * up
}

/**
 * The charged intervals including `use`, as far back as a running program may have started. They do
 * not overlap.
 */
export function chargedWith(
  { from, to }: Stretch,
  charged: readonly Stretch[],
): readonly Stretch[] {
  let whole: Stretch = { from, to }
  const others: Stretch[] = []
  for (const one of charged) {
    if (
      one.to.boot !== to.boot ||
      one.to.upMicroseconds <= to.upMicroseconds - LONGEST_MICROSECONDS
    )
      continue
    if (overlapOf(one, { from, to }).length === 0) others.push(one)
    else whole = { from: earlier(one.from, whole.from), to: later(one.to, whole.to) }
  }
  return [...others, whole].slice(-MOST_STRETCHES)
}

function overlapOf(one: Stretch, other: Stretch): readonly Stretch[] {
  if (one.to.boot !== other.to.boot) return []
  const from = later(one.from, other.from)
  const to = earlier(one.to, other.to)
  return from.upMicroseconds < to.upMicroseconds ? [{ from, to }] : []
}

function earlier(one: MachineCount, other: MachineCount): MachineCount {
  return one.upMicroseconds <= other.upMicroseconds ? one : other
}

function later(one: MachineCount, other: MachineCount): MachineCount {
  return one.upMicroseconds > other.upMicroseconds ? one : other
}

function uncharged(
  use: Stretch,
  shared: readonly Stretch[],
  counter: 'cpuMicroseconds' | 'upMicroseconds',
): bigint {
  const rest = shared.reduce((sum, one) => sum - rise(one, counter), rise(use, counter))
  return rest < 0n ? 0n : rest
}

function rise({ from, to }: Stretch, counter: 'cpuMicroseconds' | 'upMicroseconds'): bigint {
  return BigInt(Math.max(0, to[counter] - from[counter]))
}
