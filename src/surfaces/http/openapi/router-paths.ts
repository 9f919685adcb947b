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

const tags = ['language models']
const requestId = { 'X-Request-Id': { schema: text } }

function errors(statuses: readonly number[]): Record<string, object> {
  return Object.fromEntries(
    statuses.map((status) => [
      String(status),
      {
        description: 'An error in the chat-completions format.',
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
        200: {
          description: 'The response, or its events with "stream": true.',
          headers: {
            ...requestId,
            'X-Charged-Micros': { schema: text },
            'X-Model': { schema: text, description: 'The model that generated the response.' },
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
