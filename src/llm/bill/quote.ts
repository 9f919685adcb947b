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
import { estimatePrompt, type Prompt } from './prompt-tokens.ts'
import { dearestAt } from '../lists/rates.ts'
import type { CompletionRequest } from '../ask/read-request.ts'

/** What must be free before any upstream is asked, and how long the answer may be for it. */
export type Quote = {
  readonly amount: Micros
  readonly maxTokens: number
  readonly promptTokens: number
  /** The longest answer, up to what was asked for, that so much pays for; 0 where that is not even one token. */
  readonly tokensFor: (room: Micros) => number
}

// A hold is for more than nothing, also where tokens cost nothing.
const LEAST_HOLD: Micros = 1n
// Lists price what is written to a cache for minutes; for an hour it is twice the price of the prompt.
const LONG_CACHE_FACTOR = 2n

/**
 * The dearest candidate's price of the prompt and of every token that may be answered. `max_cost_cents` shortens the
 * answer to what it pays for. Throws AppError max_cost_exceeded when that is not even one token.
 */
export function quoteOf(
  request: CompletionRequest,
  prompt: Prompt,
  candidates: readonly Candidate[],
): Quote {
  const promptTokens = estimatePrompt(prompt)
  const prices = candidates.map(({ rates, model: { contextLength } }) => {
    const dearest = dearestAt(rates, promptTokens)
    // Nobody reads more than fits; what does not fit is refused there, free.
    const readTokens =
      contextLength === null || contextLength === 0
        ? promptTokens
        : Math.min(promptTokens, contextLength)
    const perToken = prompt.isKeptLong ? dearest.prompt * LONG_CACHE_FACTOR : dearest.prompt
    return {
      before:
        BigInt(readTokens) * perToken +
        BigInt(prompt.imageCount) * (rates.image ?? 0n) +
        dearest.request,
      token: BigInt(request.choices) * dearest.completion,
    }
  })
  const priceAt = (maxTokens: number): Micros =>
    maxMicros(
      0n,
      ...prices.map(({ before, token }) => toMicrosRoundedUp(before + token * BigInt(maxTokens))),
    )
  const tokensFor = (room: Micros): number => {
    if (priceAt(1) > room) return 0
    const affordable = prices
      .filter(({ token }) => token > 0n)
      .map(({ before, token }) => Number((microsToPicos(room) - before) / token))
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
  if (maxTokens === 0) throw tooDear(priceAt(1), maxCost)
  return { amount: minMicros(priceAt(maxTokens), maxCost), maxTokens, promptTokens, tokensFor }
}

function tooDear(least: Micros, maxCost: Micros): AppError {
  return new AppError(
    'max_cost_exceeded',
    `This call costs at least ${formatDollars(least)}; max_cost_cents allows ${formatDollars(maxCost)}.`,
    {
      param: 'max_cost_cents',
      fix: `Raise max_cost_cents to at least ${toCentsRoundedUp(least)}, choose a cheaper model, or leave it out.`,
      details: {
        price_cents: toCentsRoundedUp(least),
        price_micros: Number(least),
        max_cost_cents: toCentsRoundedDown(maxCost),
      },
    },
  )
}
