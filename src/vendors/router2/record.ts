import type { Static } from '../../lib/schema.ts'
import type { Micros } from '../../lib/money.ts'
import {
  dollarsPerMillion,
  microsToPicos,
  readPicoDollars,
  toMicrosRoundedUp,
} from '../../llm/tokens/token-price.ts'
import { openaiFailure } from '../../catalog/answers/openai-failure.ts'
import {
  answerLimit,
  chatFields,
  chatPromptTokens,
  chatReply,
  rejectServerTools,
} from '../shared/chat-action.ts'
import { call, defineService, params } from '../../catalog/vocabulary/define.ts'
import { optional, text, openObject } from '../../catalog/vocabulary/fields.ts'
import { isFilled } from '../../catalog/answers/filled.ts'
import { tempoMerchant } from '../../catalog/vocabulary/merchant.ts'
import { DIRECT_CALL_CAP, cheapestExchange } from '../shared/model-cost.ts'
import { openaiModels } from '../shared/model-prices.ts'
import { failed, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import { field } from '../../catalog/answers/vendor-failure.ts'
import { bearer, post, type Vendor, type WireRequest } from '../../catalog/vocabulary/wire.ts'
import { returns } from './returns.ts'

const openrouter: Vendor = {
  baseUrl: 'https://openrouter.ai/api/v1',
  auth: bearer(),
  docsUrl: 'https://openrouter.ai/docs/api/reference/overview',
  readFailure: openaiFailure,
}

const chatInput = params({
  model: text('Model as "provider/name", such as "anthropic/claude-haiku-5.5".', 200, {
    pattern: '^~?[^/\\s]+/[^\\s]+$',
  }),
  max_tokens: answerLimit(16_384),
  ...chatFields,
  reasoning: optional(
    openObject(
      'How much the model reasons before it answers. Its reasoning tokens count as answer tokens.',
    ),
  ),
})
type Input = Static<typeof chatInput>
type ChatReply = Static<typeof chatReply>

/**
 * The aggregator sets its own prices, so each call states the maximum rates that the hold covers. A
 * more expensive model is then rejected.
 */
function request(input: Input, held: Micros = DIRECT_CALL_CAP): WireRequest {
  const half = microsToPicos(held) / 2n
  const maxPrice = {
    prompt: dollarsPerMillion(half / BigInt(chatPromptTokens(input))),
    completion: dollarsPerMillion(half / BigInt(input.max_tokens * (input.n ?? 1))),
  }
  return post('/chat/completions', { ...input, provider: { max_price: maxPrice } })
}

function outcome(body: ChatReply): Outcome {
  const error = field(body, 'error') ?? field(body.choices[0], 'error')
  if (isTold(error) || !isFilled(body.choices))
    return failed(
      'upstream_error',
      'The model failed or returned an empty answer. Nothing was charged.',
    )
  const cost = readCost(body.usage)
  return cost === null
    ? { kind: 'done', data: body }
    : { kind: 'done', data: body, actual: toMicrosRoundedUp(cost) }
}

/**
 * Without the aggregator's cost an answer cannot be charged, because the gateway has no price of
 * its own and the cap is not the cost.
 */
function pricedOutcome(body: ChatReply): Outcome {
  const answered = outcome(body)
  if (answered.kind !== 'done' || answered.actual !== undefined) return answered
  return failed(
    'upstream_error',
    'The aggregator did not report the cost of this call, so its answer is not passed on. Nothing was charged.',
  )
}

/** With the operator's own key at the provider, the reported cost is only the aggregator's fee. */
function readCost(usage: unknown): bigint | null {
  const cost = readPicoDollars(field(usage, 'cost'))
  const ofMaker =
    field(usage, 'is_byok') === true
      ? readPicoDollars(field(field(usage, 'cost_details'), 'upstream_inference_cost'))
      : 0n
  return cost === null || ofMaker === null ? null : cost + ofMaker
}

function isTold(error: unknown): boolean {
  return error !== undefined && error !== null && error !== ''
}

export const service = defineService({
  id: 'router2',
  title: 'Models of many providers through one aggregator',
  category: 'language models',
  vendor: openrouter,
  returns,
  actions: {
    chat: call({
      title: 'Chat with several hundred models',
      summary:
        'Call any of several hundred models, by provider and model name, in the chat-completions form.',
      description:
        'Like the language-model router, but as a single call without streaming and tiers. Charged at the cost that the aggregator reports.',
      keywords: [
        'llm',
        'completion',
        'openrouter',
        'open models',
        'language model',
        'translate',
        'summarize text',
        'rewrite',
        'write a text',
        'answer a question',
        'deepseek',
        'gemini',
        'llama',
        'mistral',
      ],
      input: chatInput,
      example: {
        model: 'openai/gpt-6-luna',
        messages: [{ role: 'user', content: 'What is a ledger?' }],
      },
      price: { kind: 'actual', cap: DIRECT_CALL_CAP },
      // The aggregator sells the providers' models at about their list prices.
      leastCharge: cheapestExchange(openaiModels),
      priceSource: "The aggregator's report for each call.",
      timeoutMs: 300_000,
      check: ({ tools }) => rejectServerTools(tools),
      request,
      // The payment to a merchant is known even if the answer omits the cost.
      merchant: {
        at: tempoMerchant('https://openrouter.mpp.tempo.xyz/v1'),
        outcome: ({ body }) => outcome(body as ChatReply),
      },
      reply: chatReply,
      outcome: ({ body }) => pricedOutcome(body),
    }),
  },
})
