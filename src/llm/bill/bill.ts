import { countTokensOf } from '../tokens/estimate-tokens.ts'
import { NO_MARGIN, withMargin } from '../../catalog/prices/margin.ts'
import { minMicros, type Micros } from '../../lib/money.ts'
import { plainUsage, type TokenUsage } from '../tokens/token-price.ts'
import type { Candidate } from '../lists/model.ts'
import type { Prompt } from './prompt.ts'
import { countPrompt } from './prompt-tokens.ts'
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
  /** The tokens of the prompt, if the upstream reported them before it ended early. */
  readonly promptUsage: TokenUsage | null
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
  promptUsage,
  prompt,
  texts,
  hiddenTokens,
  isOwed,
  held,
  startedMs,
}: Delivery): Bill {
  const credible = isCredible(reported, texts) ? reported : null
  const usage =
    credible?.usage ?? countDelivery({ prompt, promptUsage, hiddenTokens, isOwed }, texts())
  const exact =
    candidate.isPricedByUpstream && credible?.cost != null
      ? withMargin(credible.cost, candidate.margin ?? NO_MARGIN)
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
  {
    prompt,
    promptUsage,
    hiddenTokens,
    isOwed,
  }: Pick<Delivery, 'prompt' | 'promptUsage' | 'hiddenTokens' | 'isOwed'>,
  texts: readonly string[],
): TokenUsage {
  if (texts.length === 0 && !isOwed) return plainUsage(0, 0)
  const completion = countTokensOf(texts) + hiddenTokens
  return {
    ...(promptUsage ?? plainUsage(countPrompt(prompt), 0)),
    completion: Math.max(completion, promptUsage?.completion ?? 0),
    reasoning: hiddenTokens,
  }
}
