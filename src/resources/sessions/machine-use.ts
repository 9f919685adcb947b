/** What a machine says that it used, and what that costs. */
import type { UseRates } from '../../catalog/vocabulary/action.ts'
import type { Micros } from '../../lib/money.ts'
import { PROGRAM_MS } from './session-driver.ts'

/** A look at a machine's counters, which only rise from one start of it to the next. */
export type MachineCount = {
  readonly boot: string
  readonly upMicroseconds: number
  readonly cpuMicroseconds: number
}

/** A stretch of a machine's time, by its counters at both ends. */
export type Stretch = { readonly from: MachineCount; readonly to: MachineCount }

/** The machine's counters before and after a program, and the memory that was in use meanwhile. */
export type MachineUse = Stretch & { readonly memoryBytes: number }

const HOUR_MICROSECONDS = 3_600_000_000n
const GIGABYTE = 2n ** 30n

/** No program reaches back further. */
const LONGEST_MICROSECONDS = PROGRAM_MS * 1000
/** Bounds the row. Those that are forgotten are charged again: a program must not come free by how many run beside it. */
const MOST_STRETCHES = 500

/**
 * What `use` costs beyond what is charged for already: programs that ran side by side used the machine once, whichever
 * ends first. A part of a micro-dollar is rounded up.
 */
export function priceOfUse(
  use: MachineUse,
  { cpuHour, gigabyteHour }: UseRates,
  charged: readonly Stretch[],
): Micros {
  const shared = charged.flatMap((one) => overlapOf(one, use))
  const cpu = uncharged(use, shared, 'cpuMicroseconds')
  const up = uncharged(use, shared, 'upMicroseconds')
  const scaled = cpuHour * cpu * GIGABYTE + gigabyteHour * BigInt(use.memoryBytes) * up
  const unit = HOUR_MICROSECONDS * GIGABYTE
  return (scaled + unit - 1n) / unit
}

/** What is charged for once `use` is, as far back as a program that still runs may have begun. No two of them overlap. */
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
