/** What direct calls in the chat-completions form have in common. */
import { Type } from 'typebox'
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
import { countIn, estimateInput, type MakerUsage } from './model-cost.ts'
import { field, textField } from '../../catalog/answers/vendor-failure.ts'

/** Most tokens of the answer. */
export function answerLimit(most: number) {
  return whole(
    'Maximum number of tokens of the answer, thinking included; the price of all of them is held.',
    1,
    most,
    { default: 4_096 },
  )
}

export const chatFields = {
  messages: list(
    'The conversation: {"role": "system", "user", "assistant" or "tool", "content": text or parts}.',
    openObject('A message.'),
    2_000,
  ),
  stream: optional(
    Type.Literal(false, { description: 'Answers do not stream here: false, or left out.' }),
  ),
  temperature: optional(amount('Randomness, 0 to 2.', 0, 2)),
  top_p: optional(amount('Nucleus sampling, 0 to 1.', 0, 1)),
  stop: optional(
    Type.Union([Type.String(), Type.Array(Type.String(), { maxItems: 4 })], {
      description: 'Up to four texts at which the answer ends.',
    }),
  ),
  n: optional(whole('How many answers; each is charged.', 1, 8)),
  seed: optional(Type.Integer({ description: 'Makes repeated answers more alike.' })),
  tools: optional(
    list(
      'Functions of your own that the model may ask for.',
      openObject('A tool of type "function".'),
      500,
    ),
  ),
  tool_choice: optional(
    Type.Union([Type.String(), openObject('A function by name.')], {
      description: 'none, auto, required, or one function.',
    }),
  ),
  parallel_tool_calls: optional(flag('Whether several functions may be asked for at once.')),
  response_format: optional(
    openObject('Form of the answer, such as {"type": "json_object"} or a JSON Schema.'),
  ),
  reasoning_effort: optional(
    choice('How much the model thinks beforehand.', [
      'none',
      'minimal',
      'low',
      'medium',
      'high',
      'xhigh',
    ]),
  ),
  verbosity: optional(choice('How long the answer is.', ['low', 'medium', 'high'])),
  frequency_penalty: optional(amount('Against words that were said often, -2 to 2.', -2, 2)),
  presence_penalty: optional(amount('Against words that were said at all, -2 to 2.', -2, 2)),
  logit_bias: optional(openObject('Likelier and less likely tokens, by their number.')),
  logprobs: optional(flag('Whether the answer tells how likely each token was.')),
  top_logprobs: optional(whole('For each token so many others that were likely.', 0, 20)),
  user: optional(text('Your own name for whoever asks.', 512)),
  metadata: optional(openObject('Passed on to the maker.')),
  store: optional(flag('Whether the maker keeps the answer for its own tools.')),
  safety_identifier: optional(text('Your own name for whoever asks, for the maker’s checks.', 512)),
  prompt_cache_key: optional(text('Groups requests that begin alike.', 512)),
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

/** Cached tokens are part of the prompt here. */
export function chatUsage(usage: unknown): MakerUsage {
  const prompt = countIn(usage, 'prompt_tokens')
  const cacheRead = Math.min(prompt, countIn(usage, 'prompt_tokens_details', 'cached_tokens'))
  const cacheWrite = Math.min(
    prompt - cacheRead,
    countIn(usage, 'prompt_tokens_details', 'cache_write_tokens'),
  )
  return {
    fresh: prompt - cacheRead - cacheWrite,
    cacheRead,
    cacheWrite,
    cacheWriteLong: 0,
    completion: countIn(usage, 'completion_tokens'),
  }
}

/** Throws AppError invalid_params for tools that cost more than tokens. One without a type is the caller's own only where it says what it takes, in the form of either maker. */
export function refuseServerTools(tools: readonly unknown[] | undefined): void {
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
    'Tools that the maker runs itself are not offered here: they cost more than tokens.',
    { param: `tools[${place}].type`, fix: 'Send tools of type "function".' },
  )
}
