/** Images and speech of the router in the OpenAPI document. */
import { jsonContent, parameterRef } from '../../../catalog/published/openapi-parts.ts'
import { errors, FAILURES, open, requestId, tags, text } from './router-parts.ts'

const parameters = ['IdempotencyKey', 'RequestTimeout', 'Prefer'].map(parameterRef)
const headers = { ...requestId, 'X-Charged-Micros': { schema: text } }
const maxCost = {
  type: 'integer',
  minimum: 0,
  description: 'Maximum cost of the call in cents.',
}

const image = (operationId: string, summary: string) => ({
  post: {
    operationId,
    tags,
    summary,
    description: 'The other fields are those of the action llmnative-b/image-generate.',
    parameters,
    requestBody: {
      required: true,
      content: jsonContent(
        open(
          {
            prompt: text,
            model: text,
            response_format: {
              enum: ['b64_json', 'url', null],
              default: 'b64_json',
              description: 'With "url" the response has only links, which are valid for an hour.',
            },
            max_cost_cents: maxCost,
          },
          ['prompt'],
        ),
        { model: 'gpt-image-2.5-flare', prompt: 'A paper boat on a calm lake.' },
      ),
    },
    responses: {
      200: {
        description: 'The images.',
        headers,
        content: jsonContent(
          open({
            data: { type: 'array', items: open({ b64_json: text, url: text }, []) },
          }),
        ),
      },
      ...errors(FAILURES),
    },
  },
})

export const mediaPaths = {
  '/api/llm/v1/images/generations': image(
    'create_images',
    'Generate images. Charged by tokens, as the action llmnative-b/image-generate.',
  ),
  '/api/llm/v1/images': image(
    'create_images_by_openrouter_path',
    'The same as /api/llm/v1/images/generations.',
  ),
  '/api/llm/v1/audio/speech': {
    post: {
      operationId: 'create_speech',
      tags,
      summary: 'Speak a text. Charged by characters, as the action media/generate.',
      description:
        'Content-Type names the format, which depends on the model. A sound that the gateway could not store answers 303 with the address at the vendor.',
      parameters,
      requestBody: {
        required: true,
        content: jsonContent(
          open(
            {
              model: { ...text, description: 'A speech model of media/generate.' },
              input: text,
              voice: {
                description:
                  'A voice of the model. The voices of OpenAI select the default of the model.',
              },
              speed: { type: ['number', 'null'] },
              response_format: { enum: ['mp3', 'wav', null] },
              max_cost_cents: maxCost,
            },
            ['model', 'input'],
          ),
          { model: 'kokoro', voice: 'alloy', input: 'Welcome.' },
        ),
      },
      responses: {
        200: {
          description: 'The sound.',
          headers,
          content: {
            'audio/mpeg': { schema: { type: 'string', format: 'binary' } },
            'audio/wav': { schema: { type: 'string', format: 'binary' } },
          },
        },
        303: {
          description: 'The sound is at the vendor.',
          headers: { ...headers, Location: { schema: text } },
          content: jsonContent(open({ url: text })),
        },
        ...errors(FAILURES),
      },
    },
  },
}
