import { meterOf, type Action } from '../../catalog/vocabulary/define.ts'
import { lowerCount } from '../../catalog/prices/fit.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { countAsked, leastPrice, priceOf } from '../../catalog/prices/price.ts'
import { AppError } from '../../errors/app-error.ts'
import { toCentsRoundedDown, wholeCents, type Micros } from '../../lib/money.ts'

/** Throws the error of a rejected hold. Its advice names the `max_cost_cents` of a smaller call that the credit covers, if there is one. */
export function rejectWithSmallerCall(error: unknown, action: Action, input: Data): never {
  if (!(error instanceof AppError)) throw error
  const cents = toCentsRoundedDown(readAvailable(error))
  const smaller = cents > 0 ? describeEffect(action, input, wholeCents(cents)) : null
  if (smaller === null) throw error
  const { code, message, param, details, retryAfterSeconds } = error
  throw new AppError(code, message, {
    param,
    details,
    retryAfterSeconds,
    fix: `Send "max_cost_cents": ${cents}, which ${smaller}. ${error.fix}`,
  })
}

/** The effect of a `max_cost_cents` of `available` on the call; null when no limit makes it cheaper. */
function describeEffect(action: Action, input: Data, available: Micros): string | null {
  if (leastPrice(action, input) > available) return null
  const price = priceOf(action, input)
  if (price.kind === 'budget') return 'is then the budget of the job'
  if (meterOf(action) !== undefined) return 'is then the most that the session costs'
  const [lowered] = Object.entries(lowerCount(action, input, available) ?? {})
  if (lowered === undefined || price.kind !== 'unit' || price.counted.by !== 'number') return null
  return `lowers "${lowered[0]}" from ${countAsked(price.counted, input)} to ${String(lowered[1])}`
}

/** The amount that the wallet, the key's limit or the daily LLM cap could still hold, by the error of a hold. 0 for any other error. */
export function readAvailable({ code, details = {} }: AppError): Micros {
  const figure = (name: string): bigint => BigInt(Number(details[name] ?? 0))
  if (code === 'room_held') return figure('available_micros')
  if (code === 'credits_required') return figure('balance_micros') - figure('held_micros')
  if (code === 'api_key_limit_exceeded')
    return (
      wholeCents(Number(details['ceiling_cents'] ?? 0)) -
      figure('spent_micros') -
      figure('held_micros')
    )
  if (code === 'inference_daily_cap') return figure('cap_micros') - figure('used_micros')
  return 0n
}
