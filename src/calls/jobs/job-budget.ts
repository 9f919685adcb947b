/**
 * The money that a job may spend. Invariant: spent + reserved ≤ total at every moment. A step reserves its
 * highest price before it runs and settles at most that. A waived step returns its charge. One process
 * works on a job at a time, so counts in memory are exact; they start from the purchases of former workers.
 */
import { invariant } from '../../errors/app-error.ts'
import type { Micros } from '../../lib/money.ts'

export type Budget = {
  readonly total: Micros
  spent(): Micros
  remaining(): Micros
  /** Reserves `most`. False, and nothing reserved, when the budget does not cover it. */
  reserve(most: Micros): boolean
  settle(name: string, reserved: Micros, charge: Micros): void
  /** Counts an earlier purchase. */
  count(name: string, charge: Micros): void
  /** Lowers the charge of a step. */
  waive(name: string, charge: Micros): void
}

export function createBudget(total: Micros): Budget {
  const charges = new Map<string, Micros>()
  let reserved = 0n
  let spent = 0n

  function count(name: string, charge: Micros): void {
    if (charges.has(name)) return
    charges.set(name, charge)
    spent += charge
  }

  return {
    total,
    spent: () => spent,
    remaining: () => total - spent - reserved,
    reserve(most) {
      if (total - spent - reserved < most) return false
      reserved += most
      return true
    },
    settle(name, most, charge) {
      invariant(charge <= most, `a step that reserved ${most} µ$ is not charged ${charge} µ$`)
      reserved -= most
      count(name, charge)
    },
    count,
    waive(name, charge) {
      const before = charges.get(name) ?? 0n
      invariant(
        charge <= before,
        `a step that was charged ${before} µ$ is not charged ${charge} µ$ afterwards`,
      )
      spent -= before - charge
      charges.set(name, charge)
    },
  }
}
