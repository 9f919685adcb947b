import { hash } from 'node:crypto'
import type { Id } from '../../lib/ids.ts'
import { dollarsPerMillion } from '../tokens/token-price.ts'
import { fieldsOf } from '../../lib/json-fields.ts'
import type { Candidate } from '../lists/model.ts'
import type { CompletionRequest } from './read-request.ts'
import { dearestAt } from '../lists/rates.ts'

// OpenAI's newer models reject the older name.
const REQUIRES_MAX_COMPLETION_TOKENS = /^https:\/\/api\.openai\.com$/

/**
 * The body for a candidate: the caller's own, with model, limit and usage options set by the
 * gateway.
 */
export function upstreamBody(
  request: CompletionRequest,
  candidate: Candidate,
  facts: { readonly maxTokens: number; readonly promptTokens: number; readonly accountId: Id },
): string {
  const { rest } = request
  const { upstream, upstreamModel, rates } = candidate
  // Set by the gateway, and only for a stream. Undefined fields are not serialized.
  const body: Record<string, unknown> = { ...rest, model: upstreamModel, stream_options: undefined }
  const limit = request.namesLimit ? facts.maxTokens : fittingLimit(candidate, facts)
  body[
    REQUIRES_MAX_COMPLETION_TOKENS.test(upstream.origin) ? 'max_completion_tokens' : 'max_tokens'
  ] = limit
  // Some model vendors count a thinking budget in addition to the limit.
  const budget = fieldsOf(rest['reasoning'])['max_tokens']
  if (typeof budget === 'number')
    body['reasoning'] = { ...fieldsOf(rest['reasoning']), max_tokens: Math.min(budget, limit) }
  if (request.stream) {
    body['stream'] = true
    body['stream_options'] = { ...fieldsOf(rest['stream_options']), include_usage: true }
  }
  if (upstream.isAggregator) {
    const { prompt, completion } = dearestAt(rates, facts.promptTokens)
    // If the price rose since the list was read, the upstream rejects the call instead of exceeding
    // the hold.
    body['provider'] = {
      ...fieldsOf(rest['provider']),
      max_price: { prompt: dollarsPerMillion(prompt), completion: dollarsPerMillion(completion) },
    }
    body['user'] = hash('sha256', `tollgate ${facts.accountId}`).slice(0, 32)
  }
  return JSON.stringify(body)
}

/**
 * The limit for a caller who set none. Small models reject a limit above their own, or one that
 * does not fit next to the prompt. The prompt's tokens are overestimated, so at least a quarter of
 * the window is left.
 */
function fittingLimit(
  { model: { contextLength, maxCompletionTokens } }: Candidate,
  { maxTokens, promptTokens }: { readonly maxTokens: number; readonly promptTokens: number },
): number {
  const window = contextLength || Number.POSITIVE_INFINITY
  return Math.min(
    maxTokens,
    maxCompletionTokens || Number.POSITIVE_INFINITY,
    Math.max(window - promptTokens, Math.ceil(window / 4)),
  )
}
