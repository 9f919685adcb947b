/** The language-model router in the OpenAPI document. Its errors have the chat-completions format. */
import { answers, jsonContent, parameterRef } from '../../../catalog/published/openapi-parts.ts'
import { answer, errors, FAILURES, open, tags, text } from './router-parts.ts'
import { openrouterPaths } from './openrouter-paths.ts'
import { mediaPaths } from './media-paths.ts'
import { wirePaths } from './wire-paths.ts'

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
  ...wirePaths,
  ...mediaPaths,
  ...openrouterPaths,
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
              properties: {
                object: { const: 'list' },
                data: { type: 'array', items: model },
                total_count: { type: 'integer' },
                links: { type: 'object', properties: { next: { type: 'null' } } },
              },
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
