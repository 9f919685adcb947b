/** The receipt of a call for callers and the history. */
import type { Hop } from '../../catalog/vocabulary/handlers.ts'
import { toCentsRoundedUp, type Micros } from '../../lib/money.ts'
import type { Bill } from './bill.ts'
import { isFields, type Fields } from '../../lib/json-fields.ts'
import type { Candidate } from '../lists/model.ts'

// Longer ids are omitted: upstreams send ids of some 30 characters.
const GENERATION_ID = /^[!-~]{1,200}$/

type ModelHop = Hop & {
  /** The upstream's id of the response. */
  readonly generation_id?: string
  readonly metering: Bill['metering']
  readonly usage: {
    readonly prompt_tokens: number
    readonly completion_tokens: number
    readonly cached_tokens: number
    readonly reasoning_tokens: number
  }
}

/**
 * The entry of the model that responded, with the billed tokens and their source; not ok if it
 * ended early.
 */
export function servedHop(
  candidate: Candidate,
  { charge, usage, metering }: Bill,
  {
    latencyMs,
    generationId,
    isWhole = true,
  }: {
    readonly latencyMs: number
    readonly generationId: unknown
    readonly isWhole?: boolean
  },
): ModelHop {
  return {
    provider: candidate.upstream.name,
    action: candidate.id,
    ok: isWhole,
    charged_cents: toCentsRoundedUp(charge),
    charged_micros: Number(charge),
    latency_ms: latencyMs,
    ...(typeof generationId === 'string' && GENERATION_ID.test(generationId)
      ? { generation_id: generationId }
      : {}),
    metering,
    usage: {
      prompt_tokens: usage.prompt,
      completion_tokens: usage.completion,
      cached_tokens: usage.cacheRead,
      reasoning_tokens: usage.reasoning,
    },
  }
}

/**
 * The upstream's usage with the charged cost in dollars; counted tokens if the upstream reported
 * none.
 */
export function usageBlock(reported: unknown, { charge, usage, metering }: Bill): Fields {
  const cost = dollarsOf(charge)
  if (metering === 'reported' && isFields(reported)) return { ...reported, cost }
  return {
    prompt_tokens: usage.prompt,
    completion_tokens: usage.completion,
    total_tokens: usage.prompt + usage.completion,
    cost,
    estimated: true,
  }
}

function dollarsOf(amount: Micros): number {
  return Number(amount) / 1_000_000
}
