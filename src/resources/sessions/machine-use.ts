/** What a machine says that it used, and what that costs. */
import type { UseRates } from '../../catalog/action.ts'
import type { Micros } from '../../lib/money.ts'

/** A look at a machine's counters, which only rise from one start of it to the next. */
export type MachineCount = { readonly boot: string; readonly upMicroseconds: number; readonly cpuMicroseconds: number }

/** The machine's counters before and after a program, and the memory that was in use meanwhile. */
export type MachineUse = { readonly from: MachineCount; readonly to: MachineCount; readonly memoryBytes: number }

const HOUR_MICROSECONDS = 3_600_000_000n
const GIGABYTE = 2n ** 30n

/** What of `use` is not charged for yet: programs that ran side by side used the machine once. */
export function uncharged(use: MachineUse, chargedTo: MachineCount | null): MachineUse {
  const overlaps = chargedTo !== null && chargedTo.boot === use.from.boot && use.from.upMicroseconds < chargedTo.upMicroseconds
  return overlaps ? { ...use, from: chargedTo } : use
}

/** A part of a micro-dollar is rounded up. */
export function priceOfUse({ from, to, memoryBytes }: MachineUse, { cpuHour, gigabyteHour }: UseRates): Micros {
  const cpu = rise(from.cpuMicroseconds, to.cpuMicroseconds)
  const up = rise(from.upMicroseconds, to.upMicroseconds)
  const scaled = cpuHour * cpu * GIGABYTE + gigabyteHour * BigInt(memoryBytes) * up
  const unit = HOUR_MICROSECONDS * GIGABYTE
  return (scaled + unit - 1n) / unit
}

/** How far the counters are charged for once `use` is. */
export function chargedUpTo({ to }: MachineUse, before: MachineCount | null): MachineCount {
  return before !== null && before.boot === to.boot && before.upMicroseconds > to.upMicroseconds ? before : to
}

function rise(from: number, to: number): bigint {
  return BigInt(Math.max(0, to - from))
}
