/** The usage of the Messages API, whose input tokens exclude those of the cache. */
import type { Micros } from '../../../lib/money.ts'
import { fieldsOf, isFields, type Fields } from '../../../lib/json-fields.ts'
import type { Bill } from '../../bill/bill.ts'
import { countOf, readCost, type ReportedUsage } from '../../bill/usage.ts'
import { plainUsage } from '../../tokens/token-price.ts'

/** Reads reported usage; every cached token is counted once, as part of the prompt. Null without valid counts. */
export function readMessageUsage(usage: unknown): ReportedUsage | null {
  if (!isFields(usage)) return null
  const input = countOf(usage['input_tokens'])
  const completion = countOf(usage['output_tokens'])
  if (input === null || completion === null) return null
  const cacheRead = countOf(usage['cache_read_input_tokens']) ?? 0
  const created = fieldsOf(usage['cache_creation'])
  const long = countOf(created['ephemeral_1h_input_tokens']) ?? 0
  const short = countOf(created['ephemeral_5m_input_tokens']) ?? 0
  const written = Math.max(countOf(usage['cache_creation_input_tokens']) ?? 0, long + short)
  return {
    usage: {
      ...plainUsage(input + cacheRead + written, completion),
      cacheRead,
      cacheWrite: written - long,
      cacheWriteLong: long,
    },
    cost: readCost(usage),
  }
}

/** The billed tokens in the format of the Messages API, with the cost in dollars. */
export function messageUsage({ usage, charge, metering }: Bill): Fields {
  const { prompt, completion, cacheRead, cacheWrite, cacheWriteLong } = usage
  return {
    input_tokens: Math.max(0, prompt - cacheRead - cacheWrite - cacheWriteLong),
    cache_creation_input_tokens: cacheWrite + cacheWriteLong,
    cache_read_input_tokens: cacheRead,
    output_tokens: completion,
    cost: toDollars(charge),
    ...(metering === 'estimated' ? { estimated: true } : {}),
  }
}

function toDollars(amount: Micros): number {
  return Number(amount) / 1_000_000
}
