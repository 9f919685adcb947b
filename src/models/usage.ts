/** Reads what an upstream reports of a call. */
import { readPicoDollars, toMicrosRoundedUp, type TokenUsage } from '../lib/token-price.ts'
import type { Micros } from '../lib/money.ts'
import { isFields } from './read-request.ts'

export type ReportedUsage = { readonly usage: TokenUsage; readonly cost: Micros | null }

/** Null when there are no counts, or none that make sense. */
export function readUsage(value: unknown): ReportedUsage | null {
  if (!isFields(value)) return null
  const prompt = countOf(value['prompt_tokens'])
  const completion = countOf(value['completion_tokens'])
  if (prompt === null || completion === null) return null
  const ofPrompt = isFields(value['prompt_tokens_details']) ? value['prompt_tokens_details'] : {}
  const ofCompletion = isFields(value['completion_tokens_details']) ? value['completion_tokens_details'] : {}
  const usage: TokenUsage = {
    prompt,
    completion,
    cacheRead: countOf(ofPrompt['cached_tokens']) ?? 0,
    cacheWrite: countOf(ofPrompt['cache_write_tokens']) ?? 0,
    audioIn: countOf(ofPrompt['audio_tokens']) ?? 0,
    reasoning: countOf(ofCompletion['reasoning_tokens']) ?? 0,
    audioOut: countOf(ofCompletion['audio_tokens']) ?? 0,
  }
  // With a key of the operator's own at the maker, the aggregator's cost is its fee alone.
  const cost = value['is_byok'] === true ? null : readPicoDollars(value['cost'])
  return { usage, cost: cost === null ? null : toMicrosRoundedUp(cost) }
}

function countOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null
}
