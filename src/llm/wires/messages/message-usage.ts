/** The usage of the Messages API, whose input tokens exclude those of the cache. */
import type { Micros } from '../../../lib/money.ts'
import { isFields, type Fields } from '../../../lib/json-fields.ts'
import type { Bill } from '../../bill/bill.ts'
import { countOf, readCost, readCounts, readUsage, type ReportedUsage } from '../../bill/usage.ts'

/** Reads reported usage; every cached token is counted once, as part of the prompt. Null without valid counts. */
export function readMessageUsage(usage: unknown): ReportedUsage | null {
  if (!isFields(usage)) return null
  const input = countOf(usage['input_tokens'])
  if (input === null) return readUsage(usage)
  const { completion, prompt: _prompt, ...counts } = readCounts(usage)
  if (completion === null) return null
  const cached = counts.cacheRead + counts.cacheWrite + counts.cacheWriteLong
  return { usage: { ...counts, prompt: input + cached, completion }, cost: readCost(usage) }
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
