/** The language-model router in the OpenAPI document. Its errors have the chat-completions format. */
import { answers, jsonContent, parameterRef } from '../../../catalog/published/openapi-parts.ts'

const text = { type: 'string' }
const open = (
  properties: Readonly<Record<string, object>>,
  required: readonly string[] = Object.keys(properties),
) => ({ type: 'object', required, properties, additionalProperties: true })

const chatError = {
  type: 'object',
  required: ['error', 'request_id'],
  properties: {
    error: open({
      message: text,
      type: text,
      code: text,
      param: { type: ['string', 'null'] },
      fix: text,
      retryable: { type: 'boolean' },
    }),
    request_id: text,
  },
}

const usage = open({
  prompt_tokens: { type: 'integer' },
  completion_tokens: { type: 'integer' },
  cost: { type: 'number', description: 'The cost of the call in dollars.' },
})
const completion = open(
  { id: text, model: text, choices: { type: 'array', items: { type: 'object' } }, usage },
  ['choices', 'model', 'usage'],
)

const chatBody = open(
  {
    model: {
      type: 'string',
      description: 'A listed model, or core/cheap, core/mid or core/best.',
    },
    messages: { type: 'array', minItems: 1, items: open({ role: text }) },
    stream: { type: 'boolean', default: false },
    max_tokens: {
      type: 'integer',
      minimum: 1,
      default: 4096,
      description: 'Higher values are lowered to 16384.',
    },
    max_cost_cents: {
      type: 'integer',
      minimum: 0,
      description: 'Maximum cost of the call. The gateway shortens the response to fit.',
    },
    confirm_loop: { ...text, description: 'The token of an error loop_suspected.' },
  },
  ['model', 'messages'],
)

const rate = { type: 'number', description: 'Dollars per million tokens.' }
const priced = open({ model: text, prompt: rate, completion: rate })
const pricing = open({
  ok: { const: true },
  currency: { const: 'USD' },
  unit: text,
  live: {
    type: 'boolean',
    description: 'False if no upstream is set up: these prices apply to test keys.',
  },
  updated_at: {
    type: ['string', 'null'],
    description: 'When the list was fetched; null before the first list.',
  },
  tiers: { type: 'object', additionalProperties: { type: 'array', items: priced } },
  models: { type: 'array', items: priced },
})
const model = open({
  id: text,
  object: { const: 'model' },
  created: { type: 'integer' },
  owned_by: text,
})

const messagesError = open({
  type: { const: 'error' },
  error: open({ type: text, message: text, code: text, fix: text }),
  request_id: text,
})

const tags = ['language models']
const requestId = { 'X-Request-Id': { schema: text } }

function errors(
  statuses: readonly number[],
  schema: object = chatError,
  format = 'chat-completions',
): Record<string, object> {
  return Object.fromEntries(
    statuses.map((status) => [
      String(status),
      {
        description: `An error in the ${format} format.`,
        headers: requestId,
        content: jsonContent(schema),
      },
    ]),
  )
}

const FAILURES = [400, 401, 402, 403, 404, 409, 413, 415, 422, 429, 500, 502, 503, 504]

function answer(schema: object): object {
  return {
    description: 'The response, or its events with "stream": true.',
    headers: {
      ...requestId,
      'X-Charged-Micros': { schema: text },
      'X-Model': { schema: text, description: 'The model that generated the response.' },
    },
    content: { ...jsonContent(schema), 'text/event-stream': { schema: text } },
  }
}

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

export const routerPaths = {
  '/api/llm/v1/chat/completions': {
    post: {
      operationId: 'complete_chat',
      tags,
      summary: 'Complete a chat with a language model. Charged by tokens.',
      description:
        'A caller that disconnects pays for the generated tokens; the gateway cancels only streams of models without reasoning. With an Idempotency-Key the response is completed, stored and replayed in full. Unknown fields are rejected with 400 invalid_params.',
      parameters: ['IdempotencyKey', 'RequestTimeout', 'Prefer'].map(parameterRef),
      requestBody: {
        required: true,
        content: jsonContent(chatBody, {
          model: 'core/cheap',
          messages: [{ role: 'user', content: 'What is a ledger?' }],
        }),
      },
      responses: {
        200: answer(completion),
        ...errors(FAILURES),
      },
    },
  },
  '/api/llm/v1/messages': {
    post: {
      operationId: 'create_message',
      tags,
      summary: 'Complete a conversation in the format of the Messages API. Charged by tokens.',
      description:
        'The key may be sent as x-api-key. The headers anthropic-version and anthropic-beta are passed on to upstreams that speak this API.',
      parameters: ['IdempotencyKey', 'RequestTimeout', 'Prefer'].map(parameterRef),
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
  '/api/llm/v1/responses': {
    post: {
      operationId: 'create_response',
      tags,
      summary: 'Complete a conversation in the format of the Responses API. Charged by tokens.',
      description:
        'The gateway stores no responses: store, background, previous_response_id and conversation are rejected.',
      parameters: ['IdempotencyKey', 'RequestTimeout', 'Prefer'].map(parameterRef),
      requestBody: {
        required: true,
        content: jsonContent(responsesBody, { model: 'core/cheap', input: 'What is a ledger?' }),
      },
      responses: { 200: answer(response), ...errors(FAILURES) },
    },
  },
  '/api/llm/v1/models': {
    get: {
      operationId: 'list_models',
      tags,
      summary: 'List models and tiers.',
      responses: {
        ...answers(
          {
            description: 'All models and tiers.',
            schema: {
              type: 'object',
              required: ['object', 'data'],
              properties: { object: { const: 'list' }, data: { type: 'array', items: model } },
            },
          },
          [],
        ),
        ...errors([401, 429, 500, 503]),
      },
    },
  },
  '/api/llm/v1/models/{model}': {
    parameters: [
      {
        name: 'model',
        in: 'path',
        required: true,
        schema: text,
        description: 'As listed, including slashes.',
      },
    ],
    get: {
      operationId: 'read_model',
      tags,
      summary: 'Read a model.',
      responses: {
        ...answers({ description: 'The model.', schema: model }, []),
        ...errors([401, 404, 429, 500, 503]),
      },
    },
  },
  '/api/llm/v1/pricing': {
    get: {
      operationId: 'read_model_prices',
      tags,
      summary: 'Read the models of each tier and the price of every model.',
      security: [],
      responses: {
        ...answers({ description: 'Tiers and prices.', schema: pricing }, []),
        ...errors([500, 503]),
      },
    },
  },
}
