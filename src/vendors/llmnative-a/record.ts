import { Type, type Static } from '../../lib/schema.ts'
import { rejectServerTools } from '../shared/chat-action.ts'
import { call, defineService, params } from '../../catalog/vocabulary/define.ts'
import {
  amount,
  choice,
  list,
  openObject,
  optional,
  text,
  texts,
  whole,
} from '../../catalog/vocabulary/fields.ts'
import { isFilled } from '../../catalog/answers/filled.ts'
import { tempoMerchant } from '../../catalog/vocabulary/merchant.ts'
import {
  costOfUsage,
  readCount,
  DIRECT_CALL_CAP,
  estimateInput,
  estimateUsage,
  cheapestExchange,
  findModelPrice,
  rejectAboveCap,
  hasCounts,
  worstCost,
  type MakerUsage,
} from '../shared/model-cost.ts'
import { anthropicModels } from '../shared/model-prices.ts'
import { failed, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import { field, vendorFailure } from '../../catalog/answers/vendor-failure.ts'
import { keyHeader, post, type Reply, type Vendor } from '../../catalog/vocabulary/wire.ts'
import { returns } from './returns.ts'

const anthropic: Vendor = {
  baseUrl: 'https://api.anthropic.com/v1',
  auth: keyHeader('x-api-key'),
  docsUrl: 'https://platform.claude.com/docs/en/api/messages',
  readFailure: (reply) => {
    const error = field(reply.body, 'error')
    const type = field(error, 'type')
    const message = field(error, 'message')
    // Used-up credit and spend limits are reported as 402, 403, a plain 400, or a 429 without a
    // waiting time.
    const isSpent =
      type === 'billing_error' ||
      (reply.status === 400 &&
        typeof message === 'string' &&
        /credit balance|spend limit/i.test(message)) ||
      (reply.status === 429 &&
        typeof field(field(error, 'details'), 'error_code') === 'string' &&
        reply.headers['retry-after'] === undefined)
    return vendorFailure(reply, {
      code: isSpent ? 'upstream_payment' : undefined,
      vendorCode: type,
      message,
    })
  },
}

const messagesInput = params({
  model: text('Model of the provider, such as "claude-haiku-5-5".', 100),
  max_tokens: whole(
    'Maximum number of answer tokens. The call holds the price of all of them.',
    1,
    128_000,
  ),
  messages: list(
    'The conversation: {"role": "user" or "assistant", "content": text or blocks}.',
    openObject('A message.'),
    2_000,
  ),
  system: optional(
    Type.Union([Type.String({ minLength: 1 }), Type.Array(openObject('A block.'))], {
      description: 'System instructions: text or blocks.',
    }),
  ),
  stream: optional(
    Type.Literal(false, { description: 'Streaming is not supported: send false or omit it.' }),
  ),
  temperature: optional(amount('Sampling temperature, 0 to 1.', 0, 1)),
  top_p: optional(amount('Nucleus sampling, 0 to 1.', 0, 1)),
  top_k: optional(whole('Samples only from this many of the likeliest tokens.', 1, 100_000)),
  stop_sequences: optional(texts('Texts that end the answer.')),
  tools: optional(
    list(
      'Your tools that the model may call.',
      openObject('A tool with "name" and "input_schema".'),
      500,
    ),
  ),
  tool_choice: optional(openObject('How the model may use tools, such as {"type": "auto"}.')),
  thinking: optional(
    openObject(
      'How much the model may reason before it answers. Its reasoning tokens count as answer tokens.',
    ),
  ),
  output_config: optional(openObject('Format of the answer, such as a JSON Schema.')),
  metadata: optional(openObject('Passed through to the provider.')),
  cache_control: optional(
    openObject('Caches the prompt for the next request, such as {"type": "ephemeral"}.'),
  ),
  service_tier: optional(
    choice('Whether the provider may use capacity that the operator reserved.', [
      'auto',
      'standard_only',
    ]),
  ),
})
type MessagesInput = Static<typeof messagesInput>

const messagesReply = Type.Object({
  content: Type.Array(Type.Unknown()),
  usage: Type.Optional(Type.Unknown()),
})

function promptTokens({ messages, system, tools, output_config }: MessagesInput): number {
  return estimateInput({ messages, system, tools, output_config })
}

function check(input: MessagesInput): void {
  rejectServerTools(input.tools)
  rejectAboveCap(
    findModelPrice(anthropicModels, input.model),
    promptTokens(input),
    input.max_tokens,
    1,
    'max_tokens',
  )
}

function outcome({ body }: Reply<Static<typeof messagesReply>>, input: MessagesInput): Outcome {
  const { usage, content } = body
  const isTold = hasCounts(usage, 'input_tokens', 'output_tokens')
  if (!isFilled(content) && (!isTold || readCount(usage, 'output_tokens') === 0))
    return failed('upstream_error', 'The model returned an empty answer. Nothing was charged.')
  return {
    kind: 'done',
    data: body,
    actual: costOfUsage(
      findModelPrice(anthropicModels, input.model),
      isTold ? reportedUsage(usage) : estimateUsage(promptTokens(input), content),
    ),
  }
}

/** Input tokens exclude those read from the cache and written to it. */
function reportedUsage(usage: unknown): MakerUsage {
  const written = readCount(usage, 'cache_creation_input_tokens')
  const cacheWriteLong = Math.min(
    written,
    readCount(usage, 'cache_creation', 'ephemeral_1h_input_tokens'),
  )
  return {
    fresh: readCount(usage, 'input_tokens'),
    cacheRead: readCount(usage, 'cache_read_input_tokens'),
    cacheWrite: written - cacheWriteLong,
    cacheWriteLong,
    completion: readCount(usage, 'output_tokens'),
  }
}

export const service = defineService({
  id: 'llmnative-a',
  title: 'Claude models in their native API',
  category: 'language models',
  vendor: anthropic,
  returns,
  actions: {
    messages: call({
      title: 'Claude models',
      summary:
        'Call a Claude model with the Messages API: text, images, documents, tools and thinking.',
      description:
        "Request and answer are those of the provider's API, without streaming. The provider's own tools are not supported. Charged by the tokens that the provider reports, or by an estimate if it reports none.",
      keywords: [
        'llm',
        'chat',
        'completion',
        'anthropic',
        'claude',
        'messages api',
        'language model',
        'translate',
        'summarize text',
        'rewrite',
        'write a text',
        'answer a question',
      ],
      input: messagesInput,
      example: {
        model: 'claude-haiku-5-5',
        max_tokens: 200,
        messages: [{ role: 'user', content: 'What is a ledger?' }],
      },
      price: {
        kind: 'actual',
        cap: DIRECT_CALL_CAP,
        isEstimate: true,
        atMost: (input) =>
          worstCost(
            findModelPrice(anthropicModels, input.model),
            promptTokens(input),
            input.max_tokens,
          ),
      },
      leastCharge: cheapestExchange(anthropicModels),
      priceSource: "The provider's price list, 2026-11.",
      timeoutMs: 300_000,
      check,
      request: (input) => ({
        ...post('/messages', input),
        headers: { 'anthropic-version': '2023-06-01' },
      }),
      merchant: { at: tempoMerchant('https://anthropic.mpp.tempo.xyz/v1') },
      reply: messagesReply,
      outcome,
    }),
  },
})
