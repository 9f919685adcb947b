import { AppError } from '../../errors/app-error.ts'
import { wholeCents, type Micros } from '../../lib/money.ts'

/** The `max_cost_cents` of a body; null if it has none. Throws AppError invalid_params for any other value than a number of cents. */
export function readMaxCost(value: unknown): Micros | null {
  if (value === undefined) return null
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0)
    return wholeCents(value)
  throw new AppError(
    'invalid_params',
    'max_cost_cents must be a whole number of cents, 0 or more.',
    { param: 'max_cost_cents', fix: 'Send max_cost_cents as an integer, for example 5.' },
  )
}
