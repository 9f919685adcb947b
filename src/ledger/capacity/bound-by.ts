import { publicId } from '../../lib/ids.ts'
import type { Limit, Stopped } from './limits.ts'

type OfBudget = Pick<Stopped, 'budgetId' | 'isAbove'>

/** The limit behind a refusal: of the key, of a key above it, or of the account. */
export type BoundBy =
  | { readonly bound_by: 'key' | 'parent'; readonly key_id: string }
  | { readonly bound_by: 'balance' | 'daily_llm' }

export function boundBy(limit: Limit): BoundBy {
  if (limit.kind === 'budget') return boundByKey(limit)
  return { bound_by: limit.kind === 'wallet' ? 'balance' : 'daily_llm' }
}

export function boundByKey({ budgetId, isAbove }: OfBudget): BoundBy {
  return { bound_by: isAbove ? 'parent' : 'key', key_id: publicId('key', budgetId ?? '') }
}

/** "the key's", for a sentence about its limit. */
export function describeBudget({ budgetId, isAbove }: OfBudget): string {
  return isAbove ? `the parent key ${publicId('key', budgetId ?? '')}'s` : "the key's"
}
