import { Type, type Static } from 'typebox'
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
  guessedUsage,
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

const anthropic: Vendor = {
  baseUrl: 'https://api.anthropic.com/v1',
  auth: keyHeader('x-api-key'),
  docsUrl: 'https://platform.claude.com/docs/en/api/messages',
  readFailure: (reply) => {
    const error = field(reply.body, 'error')
    const type = field(error, 'type')
    const message = field(error, 'message')
    // Used-up credit and spend limits come as 402 and 403, as a plain 400, or as a 429 without a time to wait for.
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
  model: text('Model of the maker, such as "claude-haiku-5-5".', 100),
  max_tokens: whole(
    'Maximum number of tokens of the answer; the price of all of them is held.',
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
      description: 'What the model should know and obey: text, or blocks.',
    }),
  ),
  stream: optional(
    Type.Literal(false, { description: 'Answers do not stream here: false, or left out.' }),
  ),
  temperature: optional(amount('Randomness, 0 to 1.', 0, 1)),
  top_p: optional(amount('Nucleus sampling, 0 to 1.', 0, 1)),
  top_k: optional(whole('Samples from so many tokens only.', 1, 100_000)),
  stop_sequences: optional(texts('Texts at which the answer ends.')),
  tools: optional(
    list(
      'Tools of your own that the model may ask for.',
      openObject('A tool with "name" and "input_schema".'),
      500,
    ),
  ),
  tool_choice: optional(openObject('Which tool to use, such as {"type": "auto"}.')),
  thinking: optional(
    openObject('How much the model may think beforehand; its tokens count as answer.'),
  ),
  output_config: optional(openObject('Form of the answer, such as a JSON Schema.')),
  metadata: optional(openObject('Passed on to the maker.')),
  cache_control: optional(
    openObject('Keeps what was read for the next request, such as {"type": "ephemeral"}.'),
  ),
  service_tier: optional(
    choice('Whether the maker may serve it from capacity that the operator reserved.', [
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
    return failed('upstream_error', 'The model answered nothing. Nothing was charged.')
  return {
    kind: 'done',
    data: body,
    actual: costOfUsage(
      findModelPrice(anthropicModels, input.model),
      isTold ? reportedUsage(usage) : guessedUsage(promptTokens(input), content),
    ),
  }
}

/** Input tokens leave out what was read from the cache and written to it. */
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
  title: 'Claude models in their own wire',
  category: 'language models',
  vendor: anthropic,
  actions: {
    messages: call({
      summary:
        'Ask a Claude model in the Messages form: text, images, documents, tools and thinking.',
      description:
        'The body and the answer are the maker’s own, except that answers do not stream. Tools that the maker runs itself are not offered. Charged by the tokens that the maker reports, or by a guess of them where it reports none.',
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
      priceSource: 'The maker’s price list, 2026-11.',
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
