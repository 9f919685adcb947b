/** The budget that callers may give a deep job. */
import { whole } from '../../catalog/vocabulary/fields.ts'
import { budgeted, type BudgetPrice } from '../../catalog/vocabulary/tariff.ts'
import { minMicros, wholeCents, type Micros } from '../../lib/money.ts'

const LEAST_CENTS = 10
const MOST_CENTS = 500

/** Describes how the charges of rows add up. `extra` names the charges outside the rows. */
export function rowsAddUp(extra = ''): string {
  return `Each row's charged_cents is rounded up to whole cents. Use charged_micros, which is exact: the rows${extra} add up to spent_micros.`
}

/** The parameter `budgetCents`. `standard` is its default in cents, or a sentence that describes it. */
export function deepBudgetField(standard: string | number) {
  const rule = `Maximum number of cents that the job may spend, ${LEAST_CENTS} to ${MOST_CENTS}; held until it finishes.`
  return typeof standard === 'number'
    ? whole(rule, LEAST_CENTS, MOST_CENTS, { default: standard })
    : whole(`${rule} ${standard}`, LEAST_CENTS, MOST_CENTS)
}

/** The caller's budget, or the usual cost of such a job, up to the largest budget. */
export function deepBudget(budgetCents: number | undefined, usualCents: number): Micros {
  return minMicros(wholeCents(budgetCents ?? usualCents), wholeCents(MOST_CENTS))
}

/** The price of a deep job: the cost of its steps, at most the amount that `held` returns. */
export function deepPrice<I>(held: (input: I) => Micros): BudgetPrice<I> {
  return budgeted(held, wholeCents(LEAST_CENTS), wholeCents(MOST_CENTS))
}
