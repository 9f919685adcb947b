/** What callers may let a deep job spend. */
import { whole } from '../../catalog/vocabulary/fields.ts'
import { budgeted, type BudgetPrice } from '../../catalog/vocabulary/tariff.ts'
import { minMicros, wholeCents, type Micros } from '../../lib/money.ts'

const LEAST_CENTS = 10
const MOST_CENTS = 500

/** How the charges of rows add up. `besides`: what the job is charged that stands in no row. */
export function rowsAddUp(besides = ''): string {
  return `Each row's charged_cents is rounded up to whole cents; add up charged_micros, which is exact: the rows${besides} come to spent_micros.`
}

/** The parameter `budgetCents`. `leftOut` says what such a job is given when nobody says: a sentence, or the number itself. */
export function deepBudgetField(leftOut: string | number) {
  const rule = `Maximum number of cents that the job may spend, ${LEAST_CENTS} to ${MOST_CENTS}; held until it finishes.`
  return typeof leftOut === 'number'
    ? whole(rule, LEAST_CENTS, MOST_CENTS, { default: leftOut })
    : whole(`${rule} ${leftOut}`, LEAST_CENTS, MOST_CENTS)
}

/** The caller's budget, or what such a job usually costs: at most what a budget may be. */
export function deepBudget(asked: number | undefined, usualCents: number): Micros {
  return minMicros(wholeCents(asked ?? usualCents), wholeCents(MOST_CENTS))
}

/** The price of a deep job: what its steps cost, within `held`. */
export function deepPrice<I>(held: (input: I) => Micros): BudgetPrice<I> {
  return budgeted(held, wholeCents(LEAST_CENTS), wholeCents(MOST_CENTS))
}
