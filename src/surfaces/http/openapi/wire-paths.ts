/** Messages, Responses, legacy completions and embeddings in the OpenAPI document. */
import { jsonContent, parameterRef } from '../../../catalog/published/openapi-parts.ts'
import {
  answer,
  errors,
  FAILURES,
  messagesError,
  open,
  requestId,
  tags,
  text,
} from './router-parts.ts'

const limits = {
  stream: { type: 'boolean', default: false },
  max_cost_cents: {
    type: 'integer',
    minimum: 0,
    description: 'Maximum cost of the call. The gateway shortens the response to fit.',
  },
}
const modelName = {
  type: 'string',
  description: 'A listed model, its maker’s name for it, or core/cheap, core/mid or core/best.',
}
const messagesBody = open(
  {
    model: modelName,
    messages: { type: 'array', minItems: 1, items: open({ role: text }) },
    max_tokens: { type: 'integer', minimum: 1 },
    ...limits,
  },
  ['model', 'messages', 'max_tokens'],
)
const message = open(
  { id: text, type: { const: 'message' }, content: { type: 'array', items: { type: 'object' } } },
  ['type', 'content'],
)
const responsesBody = open(
  {
    model: modelName,
    input: { anyOf: [text, { type: 'array', minItems: 1, items: { type: 'object' } }] },
    max_output_tokens: {
      type: 'integer',
      minimum: 1,
      default: 32000,
      description: 'The limit of the model applies, too.',
    },
    ...limits,
    store: { enum: [false, null] },
  },
  ['model', 'input'],
)
const response = open(
  { id: text, status: text, output: { type: 'array', items: { type: 'object' } } },
  ['status', 'output'],
)

const textBody = open(
  {
    model: modelName,
    prompt: {
      anyOf: [text, { type: 'array', minItems: 1, maxItems: 1, items: text }],
      description: 'One text. It is sent to the model as a user message.',
    },
    max_tokens: { type: 'integer', minimum: 1, maximum: 16384, default: 4096 },
    ...limits,
  },
  ['model', 'prompt'],
)
const completion = open(
  { object: { const: 'text_completion' }, choices: { type: 'array', items: open({ text }) } },
  ['object', 'choices'],
)

export const wirePaths = {
  '/api/llm/v1/completions': {
    post: {
      operationId: 'create_text_completion',
      tags,
      summary: 'Complete one prompt, in the format of legacy completions. Charged by tokens.',
      parameters: ['IdempotencyKey', 'RequestTimeout', 'Prefer', 'Cassette'].map(parameterRef),
      requestBody: {
        required: true,
        content: jsonContent(textBody, { model: 'core/cheap', prompt: 'What is a ledger?' }),
      },
      responses: { 200: answer(completion), ...errors(FAILURES) },
    },
  },
  '/api/llm/v1/messages': {
    post: {
      operationId: 'create_message',
      tags,
      summary: 'Complete a conversation in the format of the Messages API. Charged by tokens.',
      description:
        'The key may be sent as x-api-key. The header anthropic-version and the values of anthropic-beta that change no price are passed on to upstreams that speak this API.',
      parameters: ['IdempotencyKey', 'RequestTimeout', 'Prefer', 'Cassette'].map(parameterRef),
      requestBody: {
        required: true,
        content: jsonContent(messagesBody, {
          model: 'core/cheap',
          max_tokens: 1000,
          messages: [{ role: 'user', content: 'What is a ledger?' }],
        }),
      },
      responses: { 200: answer(message), ...errors(FAILURES, messagesError, 'Messages') },
    },
  },
  '/api/llm/v1/messages/count_tokens': {
    post: {
      operationId: 'count_message_tokens',
      tags,
      summary: 'Count the tokens of a message before it is sent. Free.',
      requestBody: {
        required: true,
        content: jsonContent(open({ model: text, messages: { type: 'array' } }), {
          model: 'core/cheap',
          messages: [{ role: 'user', content: 'What is a ledger?' }],
        }),
      },
      responses: {
        200: {
          description: 'The number of tokens.',
          headers: {
            ...requestId,
            'X-Token-Count': {
              schema: { enum: ['upstream', 'estimated'] },
              description: 'Who counted. An estimate by the gateway is rather too high.',
            },
          },
          content: jsonContent(open({ input_tokens: { type: 'integer' } })),
        },
        ...errors([400, 401, 403, 404, 413, 415, 429, 500, 503], messagesError, 'Messages'),
      },
    },
  },
  '/api/llm/v1/embeddings': {
    post: {
      operationId: 'create_embeddings',
      tags,
      summary: 'Turn texts into vectors. Charged by tokens, as the action llmnative-b/embeddings.',
      parameters: ['IdempotencyKey', 'RequestTimeout', 'Prefer', 'Cassette'].map(parameterRef),
      requestBody: {
        required: true,
        content: jsonContent(open({ model: text, input: { anyOf: [text, { type: 'array' }] } }), {
          model: 'text-embedding-3-small',
          input: 'a ledger',
        }),
      },
      responses: {
        200: {
          description: 'The vectors.',
          headers: { ...requestId, 'X-Charged-Micros': { schema: text } },
          content: jsonContent(open({ data: { type: 'array', items: { type: 'object' } } })),
        },
        ...errors(FAILURES),
      },
    },
  },
  '/api/llm/v1/responses': {
    post: {
      operationId: 'create_response',
      tags,
      summary: 'Complete a conversation in the format of the Responses API. Charged by tokens.',
      description:
        'The gateway stores no responses: store, background, previous_response_id and conversation are rejected.',
      parameters: ['IdempotencyKey', 'RequestTimeout', 'Prefer', 'Cassette'].map(parameterRef),
      requestBody: {
        required: true,
        content: jsonContent(responsesBody, { model: 'core/cheap', input: 'What is a ledger?' }),
      },
      responses: { 200: answer(response), ...errors(FAILURES) },
    },
  },
}
