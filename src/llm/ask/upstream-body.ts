import { withoutMargin } from '../../catalog/prices/margin.ts'
import { hash } from 'node:crypto'
import type { Id } from '../../lib/ids.ts'
import { dollarsPerMillion } from '../tokens/token-price.ts'
import { fieldsOf, type Fields } from '../../lib/json-fields.ts'
import type { Candidate } from '../lists/model.ts'
import type { CompletionRequest } from './read-request.ts'
import type { OwnForm } from '../wires/own-form.ts'
import { canThink } from '../lists/model.ts'
import { dearestAt } from '../lists/rates.ts'
import { withoutMarkedThoughts } from '../wires/thoughts.ts'
import { toDialect } from '../wires/dialects/to-dialect.ts'
import { dialectOf } from './upstream.ts'

type BodyFacts = {
  readonly maxTokens: number
  readonly promptTokens: number
  readonly accountId: Id
}

/**
 * The body in the caller's own API: as the caller sent it, except for the model and the limit, which
 * the gateway sets in place. Throws AppError invalid_params for items of an unknown type.
 */
export function nativeBody(
  { own, maxTokens: requested }: CompletionRequest & { readonly own: OwnForm },
  candidate: Candidate,
  facts: BodyFacts,
): string {
  const { upstream, upstreamModel } = candidate
  if (own.unknown !== null) throw own.unknown
  const limit = ownLimit(candidate, facts)
  const body: Record<string, unknown> = {
    ...withoutMarkedThoughts(own.body),
    model: upstreamModel,
    [own.limitField]: limit,
  }
  // A budget for thinking must be below the limit.
  const { budget_tokens: budget } = fieldsOf(own.body['thinking'])
  if (limit < requested && typeof budget === 'number' && budget >= limit)
    body['thinking'] = { ...fieldsOf(own.body['thinking']), budget_tokens: Math.max(1, limit - 1) }
  if (upstream.isAggregator) Object.assign(body, aggregatorFields(candidate, own.body, facts))
  return JSON.stringify(body)
}

/** The longest response of a candidate, within the limit that the hold covers. */
export function ownLimit(
  { model: { maxCompletionTokens } }: Candidate,
  { maxTokens }: Pick<BodyFacts, 'maxTokens'>,
): number {
  return Math.min(maxTokens, maxCompletionTokens || Number.POSITIVE_INFINITY)
}

/**
 * The body for a candidate that speaks chat completions: the caller's own, with model, limit and
 * usage options set by the gateway. Throws AppError invalid_params if a request of another API
 * cannot be converted.
 */
export function upstreamBody(
  request: CompletionRequest,
  candidate: Candidate,
  facts: BodyFacts,
): string {
  const { upstream, upstreamModel } = candidate
  const dialect = dialectOf(upstream)
  const rest = request.own === null ? request.rest : convertedBody(request.own, candidate)
  // Set by the gateway, and only for a stream. Undefined fields are not serialized.
  const body: Record<string, unknown> = { ...rest, model: upstreamModel, stream_options: undefined }
  const most = request.isLimitedByModel ? ownLimit(candidate, facts) : facts.maxTokens
  // Agents name the limit of a large model, which they do not know to be another one.
  const limit = request.namesLimit && request.own === null ? most : fittingLimit(candidate, facts)
  body[dialect.limitField] = limit
  // Some model vendors count a thinking budget in addition to the limit.
  const budget = fieldsOf(rest['reasoning'])['max_tokens']
  if (typeof budget === 'number')
    body['reasoning'] = { ...fieldsOf(rest['reasoning']), max_tokens: Math.min(budget, limit) }
  if (request.stream) {
    body['stream'] = true
    body['stream_options'] = { ...fieldsOf(rest['stream_options']), include_usage: true }
  }
  if (upstream.isAggregator) Object.assign(body, aggregatorFields(candidate, rest, facts))
  return JSON.stringify(body)
}

function convertedBody(own: OwnForm, candidate: Candidate): Fields {
  const target = {
    dialect: dialectOf(candidate.upstream),
    modelId: candidate.id,
    thinks: canThink(candidate),
  }
  return toDialect(own.toChat(target), target)
}

/**
 * A price limit, so that the upstream rejects the call instead of exceeding the hold if the price
 * rose since the list was read, and a hash of the account.
 */
function aggregatorFields({ rates, margin }: Candidate, body: Fields, facts: BodyFacts): Fields {
  const { prompt, completion } = dearestAt(rates, facts.promptTokens)
  return {
    provider: {
      ...fieldsOf(body['provider']),
      max_price: {
        prompt: dollarsPerMillion(withoutMargin(prompt, margin)),
        completion: dollarsPerMillion(withoutMargin(completion, margin)),
      },
    },
    user: hash('sha256', `tollgate ${facts.accountId}`).slice(0, 32),
  }
}

/**
 * The limit for a caller who set none, or of another API. Small models reject a limit above their own, or one that
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
