import { countTokensOf } from '../tokens/estimate-tokens.ts'
import { minMicros, type Micros } from '../../lib/money.ts'
import { plainUsage, type TokenUsage } from '../tokens/token-price.ts'
import type { Candidate } from '../lists/model.ts'
import { countPrompt, type Prompt } from './prompt-tokens.ts'
import { costAt } from '../lists/rates.ts'
import type { ReportedUsage } from './usage.ts'

/** The cost of a call, and whether it was reported or estimated. */
export type Bill = {
  /** At most the hold. */
  readonly charge: Micros
  /** The charge without the limit of the hold. */
  readonly cost: Micros
  readonly usage: TokenUsage
  readonly metering: 'reported' | 'estimated'
}

export type Delivery = {
  readonly candidate: Candidate
  readonly reported: ReportedUsage | null
  readonly prompt: Prompt
  readonly texts: () => readonly string[]
  /** Added to the counted tokens if no usage was reported. */
  readonly hiddenTokens: number
  /** Whether the prompt is charged although nothing was delivered. */
  readonly isOwed: boolean
  readonly held: Micros
  readonly startedMs: number
}

/**
 * Bills the upstream's reported usage, or else the counted delivery and the hidden tokens. Without
 * a delivery, the call is free unless the prompt is owed. Never more than the hold.
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
  const credible = isCredible(reported, texts) ? reported : null
  const usage = credible?.usage ?? countDelivery(prompt, texts(), { hiddenTokens, isOwed })
  const exact =
    candidate.isPricedByUpstream && credible?.cost != null
      ? credible.cost
      : costAt(candidate.rates, usage, startedMs, prompt.imageCount)
  const cost = usage.completion === 0 && !isOwed ? 0n : exact
  return {
    charge: minMicros(cost, held),
    cost,
    usage,
    metering: credible === null ? 'estimated' : 'reported',
  }
}

/** Rejects a report of no completion tokens if words were delivered. */
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
