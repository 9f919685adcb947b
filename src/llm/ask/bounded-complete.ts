import type { Micros } from '../../lib/money.ts'
import type { Candidate } from '../lists/model.ts'
import { dearestAt } from '../lists/rates.ts'
import { estimateTokens } from '../tokens/estimate-tokens.ts'
import { microsToPicos } from '../tokens/token-price.ts'
import { answerFrom, findOwnModels, isUnanswered, type OwnRequest } from './complete.ts'
import type { Router } from './create-router.ts'

/** `texts` follow the prompt and may be cut. `mostMicros`: the most that the completion may cost. */
type BoundedRequest = OwnRequest & {
  readonly texts: readonly string[]
  readonly mostMicros: Micros
}
/** `isCut`: the model read only the beginnings of the texts. */
type BoundedAnswer = { readonly answer: string; readonly isCut: boolean }

/** Bounds the time to count tokens. */
const MOST_TEXT_CHARS = 100_000
/** The format of the chat adds a few tokens to each of two messages. */
const FORMAT_TOKENS = 20
/** Half of the money is for the answer, half for the prompt. */
const ANSWER_SHARE = 2n
const LEAST_ANSWER_TOKENS = 200
const LEAST_TEXT_TOKENS = 200
/** Above this prompt length models have other rates. No prompt here reaches it. */
const MOST_PROMPT_TOKENS = 150_000

/**
 * Completes a prompt for the gateway itself, at a cost of at most `mostMicros`: for each model the
 * longest texts are cut to what its rates allow. A model that is too expensive for a useful part of
 * them is skipped. Returns null if no model responded.
 */
export function createBoundedComplete(
  router: Pick<Router, 'directory' | 'times' | 'now'>,
): (request: BoundedRequest) => Promise<BoundedAnswer | null> {
  return async ({ texts, mostMicros, ...own }) => {
    const fixedTokens = estimateTokens(own.system) + estimateTokens(own.prompt) + FORMAT_TOKENS
    const candidates = await findOwnModels(router, own.mode).catch((error: unknown) => {
      if (isUnanswered(error)) return []
      throw error
    })
    for (const candidate of candidates) {
      const limits = limitsOf(candidate, mostMicros)
      const text = cutToTokens(texts, limits.promptTokens - fixedTokens)
      if (text === null || limits.answerTokens < LEAST_ANSWER_TOKENS) continue
      const request = {
        ...own,
        prompt: `${own.prompt}\n${text}`,
        maxTokens: Math.min(own.maxTokens, limits.answerTokens),
      }
      try {
        const answer = await answerFrom(router, [candidate], request)
        // An empty answer was paid for, so no second model is tried.
        return answer === null ? null : { answer, isCut: text.length < joined(texts).length }
      } catch (error) {
        if (!isUnanswered(error)) throw error
        if (own.signal.aborted) return null
      }
    }
    return null
  }
}

/** The tokens of the prompt and of the answer that cost at most `mostMicros` together. */
export function limitsOf(
  { rates }: Pick<Candidate, 'rates'>,
  mostMicros: Micros,
): { readonly promptTokens: number; readonly answerTokens: number } {
  const dearest = dearestAt(rates, MOST_PROMPT_TOKENS)
  const available = microsToPicos(mostMicros) - dearest.request
  const tokensAt = (amount: bigint, rate: bigint, most: number): number =>
    amount <= 0n ? 0 : rate === 0n ? most : Math.min(most, Number(amount / rate))
  const forAnswer = available / ANSWER_SHARE
  return {
    answerTokens: tokensAt(forAnswer, dearest.completion, MOST_PROMPT_TOKENS),
    promptTokens: tokensAt(available - forAnswer, dearest.prompt, MOST_PROMPT_TOKENS),
  }
}

/** The beginnings of texts with at most this many tokens; null if too few are left. */
function cutToTokens(texts: readonly string[], most: number): string | null {
  if (most < LEAST_TEXT_TOKENS) return null
  let limit = Math.floor(MOST_TEXT_CHARS / Math.max(1, texts.length))
  for (;;) {
    const text = joined(texts.map((one) => one.slice(0, limit)))
    const tokens = estimateTokens(text)
    if (tokens <= most) return text
    limit = Math.floor(Math.min(0.95, most / tokens) * limit)
  }
}

function joined(texts: readonly string[]): string {
  return texts.join('\n\n')
}
