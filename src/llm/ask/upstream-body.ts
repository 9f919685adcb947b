import { hash } from 'node:crypto'
import type { Id } from '../../lib/ids.ts'
import { dollarsPerMillion } from '../tokens/token-price.ts'
import { fieldsOf } from '../../lib/json-fields.ts'
import type { Candidate } from '../lists/model.ts'
import type { CompletionRequest } from './read-request.ts'
import { dearestAt } from '../lists/rates.ts'

// Its newer models refuse the older name.
const WANTS_MAX_COMPLETION_TOKENS = /^https:\/\/api\.openai\.com$/

/** What is sent to a candidate: the caller's own body with the model, the limit and the usage as the gateway needs them. */
export function upstreamBody(
  request: CompletionRequest,
  candidate: Candidate,
  facts: { readonly maxTokens: number; readonly promptTokens: number; readonly accountId: Id },
): string {
  const { rest } = request
  const { upstream, upstreamModel, rates } = candidate
  // Told to the upstream as the gateway needs it, and only with a stream; what is undefined is not written.
  const body: Record<string, unknown> = { ...rest, model: upstreamModel, stream_options: undefined }
  const limit = request.namesLimit ? facts.maxTokens : fittingLimit(candidate, facts)
  body[WANTS_MAX_COMPLETION_TOKENS.test(upstream.origin) ? 'max_completion_tokens' : 'max_tokens'] =
    limit
  // Some makers count a budget for thinking beside the limit of the answer.
  const budget = fieldsOf(rest['reasoning'])['max_tokens']
  if (typeof budget === 'number')
    body['reasoning'] = { ...fieldsOf(rest['reasoning']), max_tokens: Math.min(budget, limit) }
  if (request.stream) {
    body['stream'] = true
    body['stream_options'] = { ...fieldsOf(rest['stream_options']), include_usage: true }
  }
  if (upstream.isAggregator) {
    const { prompt, completion } = dearestAt(rates, facts.promptTokens)
    // A price that rose since the list was read blocks the call there, instead of costing more than was held.
    body['provider'] = {
      ...fieldsOf(rest['provider']),
      max_price: { prompt: dollarsPerMillion(prompt), completion: dollarsPerMillion(completion) },
    }
    body['user'] = hash('sha256', `tollgate ${facts.accountId}`).slice(0, 32)
  }
  return JSON.stringify(body)
}

/**
 * Of a caller who named no limit: small models refuse a longer answer than they can give, also one that would not fit
 * beside the prompt. The prompt's tokens are guessed on the high side, so a quarter of the window is left in any case.
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
