import { AppError } from '../../errors/app-error.ts'
import { toCentsRoundedDown, toCentsRoundedUp, type Micros } from '../../lib/money.ts'

/** The error of a call that costs more than its `max_cost_cents`, with both amounts. */
export function maxCostError(message: string, price: Micros, maxCost: Micros): AppError {
  return new AppError('max_cost_exceeded', message, {
    param: 'max_cost_cents',
    fix: `Raise max_cost_cents to at least ${toCentsRoundedUp(price)}, or omit it.`,
    details: {
      price_cents: toCentsRoundedUp(price),
      price_micros: Number(price),
      max_cost_cents: toCentsRoundedDown(maxCost),
    },
  })
}
