/** The answer of language models in the chat-completions form. */
import { Type } from '../../lib/schema.ts'
import {
  anything,
  count,
  either,
  items,
  maybe,
  number,
  oneOf,
  open,
  record,
  records,
  text,
} from '../../catalog/vocabulary/returns.ts'

const USD = 'USD'

const toolCalls = maybe(
  records('The calls of your functions that the model requests.', {
    id: maybe(text('Send it back with the result, as `tool_call_id`.')),
    type: maybe(oneOf('The kind of call.', ['function', 'custom'])),
    index: maybe(count('The place of the call in the answer.')),
    function: maybe(
      record('The function to call.', {
        name: maybe(text('Its name.')),
        arguments: maybe(text('Its arguments as JSON. The model may write invalid JSON.')),
      }),
    ),
    custom: maybe(open('A call of a tool with free text as input.')),
  }),
)

const content = maybe(
  either(
    'The answer. null if the model only calls functions.',
    Type.String(),
    Type.Array(Type.Unknown()),
  ),
)

/** `usage` of an answer: what the charge is computed from. */
export const chatUsageFields = {
  prompt_tokens: maybe(count('The length of the input.', 'tokens')),
  completion_tokens: maybe(count('The length of the answer, with reasoning.', 'tokens')),
  total_tokens: maybe(count('Both together.', 'tokens')),
  prompt_tokens_details: maybe(
    record('Parts of the input.', {
      cached_tokens: maybe(count('Read from the cache, at a lower price.', 'tokens')),
      cache_write_tokens: maybe(count('Written to the cache.', 'tokens')),
      audio_tokens: maybe(count('From audio.', 'tokens')),
    }),
  ),
  completion_tokens_details: maybe(
    record('Parts of the answer.', {
      reasoning_tokens: maybe(count('Spent on reasoning, which is not in the text.', 'tokens')),
      audio_tokens: maybe(count('For audio.', 'tokens')),
      accepted_prediction_tokens: maybe(count('Of your prediction, used in the answer.', 'tokens')),
      rejected_prediction_tokens: maybe(count('Of your prediction, not used.', 'tokens')),
    }),
  ),
  cost: maybe(number('The price at the provider. The charge is in the envelope.', USD)),
  cost_details: maybe(open('Parts of the price at the provider.')),
}

export const chatAnswer = {
  id: maybe(text("The provider's id of the answer.")),
  object: maybe(oneOf('The kind of answer.', ['chat.completion'])),
  created: maybe(count('When the answer was created.', 'Unix seconds')),
  model: maybe(text('The exact model that answered.')),
  choices: records('The answers: one, or as many as `n`.', {
    index: maybe(count('The place in the list, from 0.')),
    message: maybe(
      record('The message of the model.', {
        role: maybe(oneOf('The author.', ['assistant'])),
        content,
        refusal: maybe(text('Why the model refuses to answer.')),
        reasoning: maybe(text('The reasoning, if the model shows it.')),
        reasoning_details: maybe(
          items('The reasoning in parts. Send them back unchanged.', anything('A part.')),
        ),
        tool_calls: toolCalls,
        annotations: maybe(items('Citations in the text.', anything('A citation.'))),
        audio: maybe(open('The spoken answer.')),
        images: maybe(items('The images of the answer.', anything('An image.'))),
      }),
    ),
    finish_reason: maybe(
      oneOf('Why the answer ends: "length" if it was cut at the token limit.', [
        'stop',
        'length',
        'tool_calls',
        'content_filter',
        'error',
      ]),
    ),
    native_finish_reason: maybe(text('The same in the words of the provider.')),
    logprobs: maybe(open('The probability of each token, if requested.')),
    error: maybe(open('Why the model broke off.')),
  }),
  usage: maybe(record('The tokens that the charge is based on.', chatUsageFields)),
  system_fingerprint: maybe(text("Identifies the provider's configuration.")),
  service_tier: maybe(text('The service tier that was used.')),
}
