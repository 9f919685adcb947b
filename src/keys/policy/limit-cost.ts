import { AppError } from '../../errors/app-error.ts'
import { publicId } from '../../lib/ids.ts'
import { formatDollars, toCentsRoundedDown, type Micros } from '../../lib/money.ts'
import type { Bound, KeyPolicy } from './key-policy.ts'

/** The most that one call may cost, and the policy that sets it; null for the request's own limit. */
export type CostLimit = { readonly maxCost: Micros | null; readonly policy: KeyPolicy | null }

/** The least of the request's `max_cost_cents` and `max_call_cents` of the key and the keys above it. */
export function limitCost({ policies }: Bound, requested: Micros | null): CostLimit {
  let limit: CostLimit = { maxCost: requested, policy: null }
  for (const policy of policies)
    if (policy.maxCall !== null && (limit.maxCost === null || policy.maxCall < limit.maxCost))
      limit = { maxCost: policy.maxCall, policy }
  return limit
}

/** Runs `quote`. An error about `max_cost_cents` names the key whose `max_call_cents` caused it. */
export function quoteWithin<Result>({ policy }: CostLimit, quote: () => Result): Result {
  try {
    return quote()
  } catch (error) {
    if (policy === null || !(error instanceof AppError) || error.param !== 'max_cost_cents')
      throw error
    throw tooExpensiveForKey(error, policy)
  }
}

function tooExpensiveForKey(error: AppError, { keyId, isInherited, maxCall }: KeyPolicy): AppError {
  const most = maxCall ?? 0n
  const id = publicId('key', keyId)
  const price = error.details?.['price_micros']
  const cost =
    typeof price === 'number' ? `costs at least ${formatDollars(BigInt(price))}` : 'costs more'
  return new AppError(
    'max_cost_exceeded',
    `This call ${cost}; "max_call_cents" of ${isInherited ? 'the parent key' : 'the key'} ${id} allows ${formatDollars(most)} a call.`,
    {
      fix: 'Make the call smaller, or raise max_call_cents of that key on the /keys page or with the primary key (PATCH /api/v1/agents/{id}).',
      details: {
        ...error.details,
        bound_by: isInherited ? 'parent' : 'key',
        key_id: id,
        max_call_cents: toCentsRoundedDown(most),
      },
    },
  )
}
