/** What callers and the history are told of a finished call. */
import type { Hop } from '../../catalog/vocabulary/handlers.ts'
import { toCentsRoundedUp, type Micros } from '../../lib/money.ts'
import type { Bill } from './bill.ts'
import { isFields, type Fields } from '../../lib/json-fields.ts'
import type { Candidate } from '../lists/model.ts'

type ModelHop = Hop & {
  readonly metering: Bill['metering']
  readonly usage: {
    readonly prompt_tokens: number
    readonly completion_tokens: number
    readonly cached_tokens: number
    readonly reasoning_tokens: number
  }
}

/** The line of the model that served, with the tokens that were billed and how they are known; not ok when it broke off. */
export function servedHop(
  candidate: Candidate,
  { charge, usage, metering }: Bill,
  latencyMs: number,
  isWhole = true,
): ModelHop {
  return {
    provider: candidate.upstream.name,
    action: candidate.id,
    ok: isWhole,
    charged_cents: toCentsRoundedUp(charge),
    charged_micros: Number(charge),
    latency_ms: latencyMs,
    metering,
    usage: {
      prompt_tokens: usage.prompt,
      completion_tokens: usage.completion,
      cached_tokens: usage.cacheRead,
      reasoning_tokens: usage.reasoning,
    },
  }
}

/** The upstream's own usage with what the call cost here, in dollars; counted where the upstream told none. */
export function usageBlock(told: unknown, { charge, usage, metering }: Bill): Fields {
  const cost = dollarsOf(charge)
  if (metering === 'reported' && isFields(told)) return { ...told, cost }
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
