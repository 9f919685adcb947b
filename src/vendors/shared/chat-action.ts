/** The common parts of direct model calls in the chat-completions form. */
import { Type } from '../../lib/schema.ts'
import { AppError } from '../../errors/app-error.ts'
import {
  amount,
  choice,
  flag,
  list,
  openObject,
  optional,
  text,
  whole,
} from '../../catalog/vocabulary/fields.ts'
import { readCount, estimateInput, type MakerUsage } from './model-cost.ts'
import { field, textField } from '../../catalog/answers/vendor-failure.ts'

/** The maximum number of answer tokens. */
export function answerLimit(most: number) {
  return whole(
    'Maximum number of answer tokens, including reasoning. The call holds the price of all of them.',
    1,
    most,
    { default: 4_096 },
  )
}

export const chatFields = {
  messages: list(
    'The conversation. Each message has a "role" ("system", "user", "assistant" or "tool") and "content" (text or parts).',
    openObject('A message.'),
    2_000,
  ),
  stream: optional(
    Type.Literal(false, { description: 'Streaming is not supported: send false or omit it.' }),
  ),
  temperature: optional(amount('Sampling temperature, 0 to 2.', 0, 2)),
  top_p: optional(amount('Nucleus sampling, 0 to 1.', 0, 1)),
  stop: optional(
    Type.Union([Type.String(), Type.Array(Type.String(), { maxItems: 4 })], {
      description: 'Up to four texts that end the answer.',
    }),
  ),
  n: optional(whole('Number of answers; each is charged.', 1, 8)),
  seed: optional(Type.Integer({ description: 'Seed for more repeatable answers.' })),
  tools: optional(
    list('Your functions that the model may call.', openObject('A tool of type "function".'), 500),
  ),
  tool_choice: optional(
    Type.Union([Type.String(), openObject('A function by name.')], {
      description: 'none, auto, required, or one function.',
    }),
  ),
  parallel_tool_calls: optional(
    flag('Whether the model may call several functions in one answer.'),
  ),
  response_format: optional(
    openObject('Format of the answer, such as {"type": "json_object"} or a JSON Schema.'),
  ),
  reasoning_effort: optional(
    choice('How much the model reasons before it answers.', [
      'none',
      'minimal',
      'low',
      'medium',
      'high',
      'xhigh',
    ]),
  ),
  verbosity: optional(choice('How long the answer is.', ['low', 'medium', 'high'])),
  frequency_penalty: optional(amount('Penalizes frequent tokens, -2 to 2.', -2, 2)),
  presence_penalty: optional(amount('Penalizes tokens that already occurred, -2 to 2.', -2, 2)),
  logit_bias: optional(openObject('Adjusts the likelihood of tokens, by token number.')),
  logprobs: optional(flag('Whether the answer contains the probability of each token.')),
  top_logprobs: optional(whole('Number of likely alternatives per token.', 0, 20)),
  user: optional(text('Your own id for the end user.', 512)),
  metadata: optional(openObject('Passed through to the provider.')),
  store: optional(flag('Whether the provider stores the answer for its own tools.')),
  safety_identifier: optional(
    text("Your own id for the end user, for the provider's safety checks.", 512),
  ),
  prompt_cache_key: optional(text('Groups requests with the same beginning, for caching.', 512)),
  service_tier: optional(choice('Only tiers at the list price.', ['auto', 'default'])),
}

export const chatReply = Type.Object({
  choices: Type.Array(Type.Unknown()),
  usage: Type.Optional(Type.Unknown()),
})

export function chatPromptTokens({
  messages,
  tools,
  response_format: format,
}: {
  readonly messages: unknown
  readonly tools?: unknown
  readonly response_format?: unknown
}): number {
  return estimateInput({ messages, tools, response_format: format })
}

/** The cached tokens are part of the prompt tokens here. */
export function chatUsage(usage: unknown): MakerUsage {
  const prompt = readCount(usage, 'prompt_tokens')
  const cacheRead = Math.min(prompt, readCount(usage, 'prompt_tokens_details', 'cached_tokens'))
  const cacheWrite = Math.min(
    prompt - cacheRead,
    readCount(usage, 'prompt_tokens_details', 'cache_write_tokens'),
  )
  return {
    fresh: prompt - cacheRead - cacheWrite,
    cacheRead,
    cacheWrite,
    cacheWriteLong: 0,
    completion: readCount(usage, 'completion_tokens'),
  }
}

/**
 * Throws AppError invalid_params for tools that cost more than tokens. A tool without a type counts
 * as the caller's own only if it describes its input in the form of either provider.
 */
export function rejectServerTools(tools: readonly unknown[] | undefined): void {
  const isOwn = (tool: unknown) =>
    ['function', 'custom'].includes(textField(tool, 'type')) ||
    (field(tool, 'type') === undefined &&
      [field(tool, 'function'), field(tool, 'input_schema')].some(
        (form) => typeof form === 'object' && form !== null,
      ))
  const place = (tools ?? []).findIndex((tool) => !isOwn(tool))
  if (place < 0) return
  throw new AppError(
    'invalid_params',
    "The provider's own tools are not supported, because they cost more than tokens.",
    { param: `tools[${place}].type`, fix: 'Send tools of type "function".' },
  )
}
