import { AppError } from '../../errors/app-error.ts'
import {
  formatDollars,
  maxMicros,
  minMicros,
  toCentsRoundedDown,
  toCentsRoundedUp,
  type Micros,
} from '../../lib/money.ts'
import { microsToPicos, toMicrosRoundedUp } from '../tokens/token-price.ts'
import type { Candidate } from '../lists/model.ts'
import type { Prompt } from './prompt.ts'
import { estimatePrompt } from './prompt-tokens.ts'
import { dearestAt } from '../lists/rates.ts'
import type { CompletionRequest } from '../ask/read-request.ts'

/** The amount to hold before any upstream is called, and the longest response for it. */
export type Quote = {
  readonly amount: Micros
  readonly maxTokens: number
  readonly promptTokens: number
  /**
   * The longest response that an amount covers, up to the requested length; 0 if it covers no
   * token.
   */
  readonly tokensFor: (available: Micros) => number
}

// A hold must be positive, even if tokens are free.
const LEAST_HOLD: Micros = 1n

/**
 * Quotes the most expensive candidate's price of the prompt and of all tokens of the response.
 * `max_cost_cents` shortens the response to what it covers. Throws AppError `max_cost_exceeded` if
 * that is no token.
 */
export function quoteOf(
  request: CompletionRequest,
  prompt: Prompt,
  candidates: readonly Candidate[],
): Quote {
  const promptTokens = estimatePrompt(prompt)
  const prices = candidates.map(({ rates, model: { contextLength, maxCompletionTokens } }) => {
    const dearest = dearestAt(rates, promptTokens)
    // A model reads at most its window; it rejects longer prompts for free.
    const readTokens =
      contextLength === null || contextLength === 0
        ? promptTokens
        : Math.min(promptTokens, contextLength)
    const perToken = prompt.usesLongCache ? dearest.longCache : dearest.prompt
    return {
      before:
        BigInt(readTokens) * perToken +
        BigInt(prompt.imageCount) * (rates.image ?? 0n) +
        dearest.request,
      token: BigInt(request.choices) * dearest.completion,
      mostTokens: (request.isLimitedByModel && maxCompletionTokens) || Number.POSITIVE_INFINITY,
    }
  })
  const priceAt = (maxTokens: number): Micros =>
    maxMicros(
      0n,
      ...prices.map(({ before, token, mostTokens }) =>
        toMicrosRoundedUp(before + token * BigInt(Math.min(maxTokens, mostTokens))),
      ),
    )
  const tokensFor = (available: Micros): number => {
    if (priceAt(1) > available) return 0
    const affordable = prices
      .filter(({ token }) => token > 0n)
      .map(({ before, token, mostTokens }) => {
        const tokens = Number((microsToPicos(available) - before) / token)
        return tokens < mostTokens ? tokens : Number.POSITIVE_INFINITY
      })
    return Math.min(request.maxTokens, ...affordable)
  }
  const most = priceAt(request.maxTokens)
  const { maxCost } = request
  if (maxCost === null || most <= maxCost)
    return {
      amount: maxMicros(LEAST_HOLD, most),
      maxTokens: request.maxTokens,
      promptTokens,
      tokensFor,
    }
  const maxTokens = tokensFor(maxCost)
  if (maxTokens === 0) throw maxCostExceeded(priceAt(Math.min(1, request.maxTokens)), maxCost)
  return { amount: minMicros(priceAt(maxTokens), maxCost), maxTokens, promptTokens, tokensFor }
}

function maxCostExceeded(least: Micros, maxCost: Micros): AppError {
  return new AppError(
    'max_cost_exceeded',
    `This call costs at least ${formatDollars(least)}; max_cost_cents allows ${formatDollars(maxCost)}.`,
    {
      param: 'max_cost_cents',
      fix: `Raise max_cost_cents to at least ${toCentsRoundedUp(least)}, choose a cheaper model, or omit it.`,
      details: {
        price_cents: toCentsRoundedUp(least),
        price_micros: Number(least),
        max_cost_cents: toCentsRoundedDown(maxCost),
      },
    },
  )
}
