import { countTokensOf } from '../lib/count-tokens.ts'
import { minMicros, type Micros } from '../lib/money.ts'
import { plainUsage, type TokenUsage } from '../lib/token-price.ts'
import type { Candidate } from './model.ts'
import { countPrompt, type Prompt } from './prompt-tokens.ts'
import { costAt } from './rates.ts'
import type { ReportedUsage } from './usage.ts'

/** What a call costs, and how that is known. */
export type Bill = {
  readonly charge: Micros
  readonly usage: TokenUsage
  readonly metering: 'reported' | 'estimated'
}

export type Delivery = {
  readonly candidate: Candidate
  readonly reported: ReportedUsage | null
  readonly prompt: Prompt
  readonly texts: () => readonly string[]
  readonly held: Micros
  readonly startedMs: number
}

/** As the upstream reported it; else by counting what was delivered. Nothing delivered costs nothing. Never more than was held. */
export function billOf({ candidate, reported, prompt, texts, held, startedMs }: Delivery): Bill {
  const told = isCredible(reported, texts) ? reported : null
  const usage = told?.usage ?? countDelivery(prompt, texts())
  const exact = candidate.isPricedByUpstream && told?.cost != null ? told.cost : costAt(candidate.rates, usage, startedMs, prompt.imageCount)
  return { charge: usage.completion === 0 ? 0n : minMicros(exact, held), usage, metering: told === null ? 'estimated' : 'reported' }
}

/** Words that were delivered took tokens, whatever the upstream says. */
function isCredible(reported: ReportedUsage | null, texts: () => readonly string[]): boolean {
  return reported !== null && (reported.usage.completion > 0 || texts().length === 0)
}

function countDelivery(prompt: Prompt, texts: readonly string[]): TokenUsage {
  return texts.length === 0 ? plainUsage(0, 0) : plainUsage(countPrompt(prompt), countTokensOf(texts))
}
