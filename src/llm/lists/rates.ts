/** The rates of a call, and their upper bound. */
import {
  costOf,
  dearestRates,
  longCacheRate,
  type PicoDollars,
  type TokenRates,
  type TokenUsage,
} from '../tokens/token-price.ts'
import type { Micros } from '../../lib/money.ts'
import type { ModelRates, RateOverride } from './model-rates.ts'

/**
 * The rates for this prompt length and time. If several overrides match, the last one listed
 * applies.
 */
function ratesAt(rates: ModelRates, promptTokens: number, nowMs: number): TokenRates {
  const fitting = rates.overrides.filter(
    (one) => promptTokens >= one.minPromptTokens && isWithin(one, nowMs),
  )
  return fitting.at(-1)?.rates ?? rates
}

/** The cost of a call. Image prices are added to the cost of the image's tokens. */
export function costAt(
  rates: ModelRates,
  usage: TokenUsage,
  nowMs: number,
  imageCount = 0,
): Micros {
  const applicable = ratesAt(rates, usage.prompt, nowMs)
  const images = BigInt(imageCount) * (rates.image ?? 0n)
  return costOf(
    usage,
    images === 0n ? applicable : { ...applicable, request: (applicable.request ?? 0n) + images },
  )
}

/**
 * The highest rates for this prompt length at any hour, because the hour may change during the
 * call.
 */
export function dearestAt(
  rates: ModelRates,
  promptTokens: number,
): {
  prompt: PicoDollars
  /** A prompt token that is written to a cache for an hour. */
  longCache: PicoDollars
  completion: PicoDollars
  request: PicoDollars
} {
  const possible: TokenRates[] = [
    rates,
    ...rates.overrides
      .filter(({ minPromptTokens }) => promptTokens >= minPromptTokens)
      .map((one) => one.rates),
  ]
  let [prompt, completion, request] = [0n, 0n, 0n]
  for (const one of possible) {
    const dearest = dearestRates(one)
    if (dearest.prompt > prompt) prompt = dearest.prompt
    if (dearest.completion > completion) completion = dearest.completion
    if ((one.request ?? 0n) > request) request = one.request ?? 0n
  }
  return {
    prompt,
    longCache: maxOf(2n * prompt, ...possible.map(longCacheRate)),
    completion,
    request,
  }
}

function maxOf(first: bigint, ...rest: bigint[]): bigint {
  return rest.reduce((left, right) => (right > left ? right : left), first)
}

function isWithin({ hours }: RateOverride, nowMs: number): boolean {
  if (hours === null) return true
  const date = new Date(nowMs)
  const now = date.getUTCHours() * 100 + date.getUTCMinutes()
  return hours.start <= hours.end
    ? now >= hours.start && now < hours.end
    : now >= hours.start || now < hours.end
}
