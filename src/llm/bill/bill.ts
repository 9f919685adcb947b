import { countTokensOf } from '../tokens/estimate-tokens.ts'
import { minMicros, type Micros } from '../../lib/money.ts'
import { plainUsage, type TokenUsage } from '../tokens/token-price.ts'
import type { Candidate } from '../lists/model.ts'
import { countPrompt, type Prompt } from './prompt-tokens.ts'
import { costAt } from '../lists/rates.ts'
import type { ReportedUsage } from './usage.ts'

/** What a call costs, and how that is known. */
export type Bill = {
  /** Within what is held. */
  readonly charge: Micros
  /** What it would be charged with more held. */
  readonly cost: Micros
  readonly usage: TokenUsage
  readonly metering: 'reported' | 'estimated'
}

export type Delivery = {
  readonly candidate: Candidate
  readonly reported: ReportedUsage | null
  readonly prompt: Prompt
  readonly texts: () => readonly string[]
  /** Added to the counted tokens where nothing is reported. */
  readonly hiddenTokens: number
  /** The prompt is charged though nothing was delivered. */
  readonly isOwed: boolean
  readonly held: Micros
  readonly startedMs: number
}

/**
 * As the upstream reported it; else by counting what was delivered and adding the hidden tokens. Nothing delivered costs
 * nothing, unless the prompt is owed. Never more than was held.
 */
export function billOf({
  candidate,
  reported,
  prompt,
  texts,
  hiddenTokens,
  isOwed,
  held,
  startedMs,
}: Delivery): Bill {
  const told = isCredible(reported, texts) ? reported : null
  const usage = told?.usage ?? countDelivery(prompt, texts(), { hiddenTokens, isOwed })
  const exact =
    candidate.isPricedByUpstream && told?.cost != null
      ? told.cost
      : costAt(candidate.rates, usage, startedMs, prompt.imageCount)
  const cost = usage.completion === 0 && !isOwed ? 0n : exact
  return {
    charge: minMicros(cost, held),
    cost,
    usage,
    metering: told === null ? 'estimated' : 'reported',
  }
}

/** Words that were delivered took tokens, whatever the upstream says. */
export function isCredible(
  reported: ReportedUsage | null,
  texts: () => readonly string[],
): boolean {
  return reported !== null && (reported.usage.completion > 0 || texts().length === 0)
}

function countDelivery(
  prompt: Prompt,
  texts: readonly string[],
  { hiddenTokens, isOwed }: Pick<Delivery, 'hiddenTokens' | 'isOwed'>,
): TokenUsage {
  if (texts.length === 0 && !isOwed) return plainUsage(0, 0)
  return {
    ...plainUsage(countPrompt(prompt), countTokensOf(texts) + hiddenTokens),
    reasoning: hiddenTokens,
  }
}
