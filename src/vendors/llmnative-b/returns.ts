/** From OpenAI's reference of chat completions, embeddings and images. */
import { Type } from '../../lib/schema.ts'
import {
  address,
  answer,
  count,
  either,
  maybe,
  oneOf,
  record,
  records,
  text,
  type Returns,
} from '../../catalog/vocabulary/returns.ts'
import { chatAnswer } from '../shared/chat-returns.ts'

const tokens = (description: string) => maybe(count(description, 'tokens'))

export const returns: Returns = {
  chat: answer(chatAnswer),
  embeddings: answer({
    object: maybe(oneOf('The kind of answer.', ['list'])),
    model: maybe(text('The exact model.')),
    data: records('A vector for each text.', {
      object: maybe(oneOf('The kind of row.', ['embedding'])),
      index: maybe(count('The place of the text in `input`, from 0.')),
      embedding: maybe(
        either(
          'The vector: numbers, or base64 if requested.',
          Type.Array(Type.Number()),
          Type.String(),
        ),
      ),
    }),
    usage: maybe(
      record('The tokens that the charge is based on.', {
        prompt_tokens: tokens('The length of all texts.'),
        total_tokens: tokens('The same.'),
      }),
    ),
  }),
  'image-generate': answer({
    created: maybe(count('When the images were generated.', 'Unix seconds')),
    data: records('The images.', {
      url: maybe(address('A link that works for an hour. files/get returns a new one.')),
      b64_json: maybe(text('The image as base64, if it could not be stored.')),
      revised_prompt: maybe(text('The prompt that the model used instead of yours.')),
    }),
    background: maybe(oneOf('The background.', ['transparent', 'opaque'])),
    output_format: maybe(oneOf('The format of the images.', ['png', 'jpeg', 'webp'])),
    quality: maybe(oneOf('The quality that was used.', ['low', 'medium', 'high'])),
    size: maybe(text('Width and height in pixels, such as "1024x1024".')),
    usage: maybe(
      record('The tokens that the charge is based on.', {
        input_tokens: tokens('The length of the input.'),
        output_tokens: tokens('The size of the images.'),
        total_tokens: tokens('Both together.'),
        input_tokens_details: maybe(
          record('Parts of the input.', {
            text_tokens: tokens('From the prompt.'),
            image_tokens: tokens('From images.'),
            cached_tokens: tokens('Read from the cache.'),
          }),
        ),
        output_tokens_details: maybe(
          record('Parts of the output.', {
            text_tokens: tokens('For text.'),
            image_tokens: tokens('For images.'),
          }),
        ),
      }),
    ),
  }),
}
