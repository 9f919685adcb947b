/** From Anthropic's reference of the Messages API. */
import {
  answer,
  anything,
  count,
  items,
  maybe,
  oneOf,
  open,
  record,
  records,
  text,
  type Returns,
} from '../../catalog/vocabulary/returns.ts'

const tokens = (description: string) => maybe(count(description, 'tokens'))

export const returns: Returns = {
  messages: answer({
    id: maybe(text("The provider's id of the message.")),
    type: maybe(oneOf('The kind of answer.', ['message'])),
    role: maybe(oneOf('The author.', ['assistant'])),
    model: maybe(text('The exact model that answered.')),
    content: records('The parts of the answer, in order.', {
      type: maybe(
        oneOf('The kind of part, which decides the other fields.', [
          'text',
          'tool_use',
          'thinking',
          'redacted_thinking',
        ]),
      ),
      text: maybe(text('text: the words.')),
      citations: maybe(items('text: the passages that support it.', anything('A citation.'))),
      id: maybe(text('tool_use: send it back with the result, as `tool_use_id`.')),
      name: maybe(text('tool_use: the tool to call.')),
      input: maybe(open('tool_use: the arguments of the call.')),
      thinking: maybe(text('thinking: the reasoning.')),
      signature: maybe(text('thinking: proves its origin. Send it back unchanged.')),
      data: maybe(text('redacted_thinking: encrypted reasoning. Send it back unchanged.')),
    }),
    stop_reason: maybe(
      oneOf('Why the answer ends: "max_tokens" if it was cut.', [
        'end_turn',
        'max_tokens',
        'stop_sequence',
        'tool_use',
        'pause_turn',
        'refusal',
        'model_context_window_exceeded',
      ]),
    ),
    stop_sequence: maybe(text('The text of `stop_sequences` that ended the answer.')),
    stop_details: maybe(open('More about a refusal.')),
    container: maybe(open('The container of code execution.')),
    context_management: maybe(open('The changes that the provider made to the context.')),
    usage: maybe(
      record('The tokens that the charge is based on.', {
        input_tokens: tokens('The input that is not in the cache.'),
        output_tokens: tokens('The answer, with reasoning.'),
        cache_creation_input_tokens: tokens('Written to the cache.'),
        cache_read_input_tokens: tokens('Read from the cache, at a lower price.'),
        cache_creation: maybe(
          record('The tokens written to the cache, by their lifetime.', {
            ephemeral_5m_input_tokens: tokens('Stored for five minutes.'),
            ephemeral_1h_input_tokens: tokens('Stored for an hour.'),
          }),
        ),
        server_tool_use: maybe(open("Calls of the provider's own tools.")),
        service_tier: maybe(
          oneOf('The service tier that was used.', ['standard', 'priority', 'batch']),
        ),
      }),
    ),
  }),
}
