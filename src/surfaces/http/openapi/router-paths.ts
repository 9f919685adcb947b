/** The language-model router in the OpenAPI document. Its errors have the shape of chat-completions. */
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
  cost: { type: 'number', description: 'What the call cost here, in dollars.' },
})
const completion = open(
  { id: text, model: text, choices: { type: 'array', items: { type: 'object' } }, usage },
  ['choices', 'model', 'usage'],
)

const chatBody = open(
  {
    model: {
      type: 'string',
      description: 'A model of the list, or core/cheap, core/mid, core/best.',
    },
    messages: { type: 'array', minItems: 1, items: open({ role: text }) },
    stream: { type: 'boolean', default: false },
    max_tokens: {
      type: 'integer',
      minimum: 1,
      default: 4096,
      description: 'At most 16384; more is lowered to that.',
    },
    max_cost_cents: {
      type: 'integer',
      minimum: 0,
      description: 'What the call may cost; the answer is shortened to that.',
    },
  },
  ['model', 'messages'],
)

const rate = { type: 'number', description: 'Dollars a million tokens.' }
const priced = open({ model: text, prompt: rate, completion: rate })
const pricing = open({
  ok: { const: true },
  currency: { const: 'USD' },
  unit: text,
  live: {
    type: 'boolean',
    description: 'False: prices of test keys, because no upstream is set up.',
  },
  updated_at: {
    type: ['string', 'null'],
    description: 'When the list was fetched; null while none is to be had.',
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

const tags = ['language models']
const requestId = { 'X-Request-Id': { schema: text } }

function errors(statuses: readonly number[]): Record<string, object> {
  return Object.fromEntries(
    statuses.map((status) => [
      String(status),
      {
        description: 'An error in the shape of chat-completions.',
        headers: requestId,
        content: jsonContent(chatError),
      },
    ]),
  )
}

export const routerPaths = {
  '/api/llm/v1/chat/completions': {
    post: {
      operationId: 'complete_chat',
      tags,
      summary: 'Ask a language model, in the chat-completions form. Charged by tokens.',
      description:
        'A caller that leaves pays what the model made: only a stream of a model that cannot think is cancelled. With an Idempotency-Key the answer is finished, stored and replayed in full. Fields that the router does not know are rejected with 400 invalid_params.',
      parameters: [parameterRef('IdempotencyKey'), parameterRef('RequestTimeout')],
      requestBody: {
        required: true,
        content: jsonContent(chatBody, {
          model: 'core/cheap',
          messages: [{ role: 'user', content: 'What is a ledger?' }],
        }),
      },
      responses: {
        200: {
          description: 'The answer; with "stream": true its events.',
          headers: {
            ...requestId,
            'X-Charged-Micros': { schema: text },
            'X-Model': { schema: text, description: 'The model that served.' },
          },
          content: { ...jsonContent(completion), 'text/event-stream': { schema: text } },
        },
        ...errors([400, 401, 402, 403, 404, 409, 413, 415, 422, 429, 500, 502, 503, 504]),
      },
    },
  },
  '/api/llm/v1/models': {
    get: {
      operationId: 'list_models',
      tags,
      summary: 'The models and tiers on offer.',
      responses: {
        ...answers(
          {
            description: 'All of them.',
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
        description: 'As in the list, slashes and all.',
      },
    ],
    get: {
      operationId: 'read_model',
      tags,
      summary: 'One model.',
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
      summary: 'What stands behind each tier, and what every model costs.',
      security: [],
      responses: {
        ...answers({ description: 'Tiers and prices.', schema: pricing }, []),
        ...errors([500, 503]),
      },
    },
  },
}
