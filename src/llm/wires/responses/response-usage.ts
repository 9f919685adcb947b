/** The usage of the Responses API, whose input tokens include those of the cache. */
import { isFields, type Fields } from '../../../lib/json-fields.ts'
import type { Bill } from '../../bill/bill.ts'
import { readUsage, type ReportedUsage } from '../../bill/usage.ts'

/** Null without valid counts. */
export function readResponseUsage(usage: unknown): ReportedUsage | null {
  if (!isFields(usage)) return null
  return readUsage({
    ...usage,
    prompt_tokens: usage['input_tokens'],
    completion_tokens: usage['output_tokens'],
    prompt_tokens_details: usage['input_tokens_details'],
    completion_tokens_details: usage['output_tokens_details'],
  })
}

/** The billed tokens in the format of the Responses API, with the cost in dollars. */
export function responseUsage({ usage, charge, metering }: Bill): Fields {
  return {
    input_tokens: usage.prompt,
    input_tokens_details: {
      cached_tokens: usage.cacheRead,
      cache_write_tokens: usage.cacheWrite + usage.cacheWriteLong,
    },
    output_tokens: usage.completion,
    output_tokens_details: { reasoning_tokens: usage.reasoning },
    total_tokens: usage.prompt + usage.completion,
    cost: Number(charge) / 1_000_000,
    ...(metering === 'estimated' ? { estimated: true } : {}),
  }
}
