import { hash } from 'node:crypto'
import type { Id } from '../lib/ids.ts'
import { dollarsPerMillion } from '../lib/token-price.ts'
import type { Candidate } from './model.ts'
import { isFields, type CompletionRequest } from './read-request.ts'
import { dearestAt } from './rates.ts'

// Its newer models refuse the older name.
const WANTS_MAX_COMPLETION_TOKENS = /^https:\/\/api\.openai\.com$/

/** What is sent to a candidate: the caller's own body with the model, the limit and the usage as the gateway needs them. */
export function upstreamBody(request: CompletionRequest, { upstream, upstreamModel, rates }: Candidate, facts: { readonly maxTokens: number; readonly promptTokens: number; readonly accountId: Id }): string {
  const { rest } = request
  // Told to the upstream as the gateway needs it, and only with a stream; what is undefined is not written.
  const body: Record<string, unknown> = { ...rest, model: upstreamModel, stream_options: undefined }
  body[WANTS_MAX_COMPLETION_TOKENS.test(upstream.origin) ? 'max_completion_tokens' : 'max_tokens'] = facts.maxTokens
  if (request.stream) {
    body['stream'] = true
    body['stream_options'] = { ...(isFields(rest['stream_options']) ? rest['stream_options'] : {}), include_usage: true }
  }
  if (upstream.isAggregator) {
    const { prompt, completion } = dearestAt(rates, facts.promptTokens)
    // A price that rose since the list was read blocks the call there, instead of costing more than was held.
    body['provider'] = { ...(isFields(rest['provider']) ? rest['provider'] : {}), max_price: { prompt: dollarsPerMillion(prompt), completion: dollarsPerMillion(completion) } }
    body['user'] = hash('sha256', `tollgate ${facts.accountId}`).slice(0, 32)
  }
  return JSON.stringify(body)
}
