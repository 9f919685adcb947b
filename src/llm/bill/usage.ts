/** Reads the usage that an upstream reports. */
import { readPicoDollars, toMicrosRoundedUp, type TokenUsage } from '../tokens/token-price.ts'
import type { Micros } from '../../lib/money.ts'
import { fieldsOf, isFields, type Fields } from '../../lib/json-fields.ts'

export type ReportedUsage = { readonly usage: TokenUsage; readonly cost: Micros | null }

/** Null without valid counts. */
export function readUsage(value: unknown): ReportedUsage | null {
  if (!isFields(value)) return null
  const prompt = countOf(value['prompt_tokens'])
  const completion = countOf(value['completion_tokens'])
  if (prompt === null || completion === null) return null
  const ofPrompt = fieldsOf(value['prompt_tokens_details'])
  const ofCompletion = fieldsOf(value['completion_tokens_details'])
  const cacheRead = countOf(ofPrompt['cached_tokens']) ?? 0
  const cacheWrite = countOf(ofPrompt['cache_write_tokens']) ?? 0
  const named = countOf(ofCompletion['reasoning_tokens']) ?? 0
  const separate = separateThoughts({
    unnamed: (countOf(value['total_tokens']) ?? 0) - prompt - completion,
    named,
    cached: cacheRead + cacheWrite,
  })
  const usage: TokenUsage = {
    prompt,
    completion: completion + separate,
    cacheRead,
    cacheWrite,
    cacheWriteLong: 0,
    audioIn: countOf(ofPrompt['audio_tokens']) ?? 0,
    reasoning: Math.max(named, separate),
    audioOut: countOf(ofCompletion['audio_tokens']) ?? 0,
  }
  return { usage, cost: readCost(value) }
}

/** The cost that an aggregator reports with the usage; null without one. */
export function readCost(usage: Fields): Micros | null {
  // With the operator's own key at the model vendor, the aggregator's cost is only its fee.
  const cost = usage['is_byok'] === true ? null : readPicoDollars(usage['cost'])
  return cost === null ? null : toMicrosRoundedUp(cost)
}

/**
 * Thinking tokens that the completion count does not include: some model vendors add them only to
 * the total, named or not. A total that exceeds the sum for another reason contains cached prompt
 * tokens.
 */
function separateThoughts({
  unnamed,
  named,
  cached,
}: {
  readonly unnamed: number
  readonly named: number
  readonly cached: number
}): number {
  const isThinking = unnamed > 0 && (named === unnamed || (named === 0 && cached === 0))
  return isThinking ? unnamed : 0
}

/** A whole number of tokens; null for any other value. */
export function countOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null
}
