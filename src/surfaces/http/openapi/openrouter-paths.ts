/** The routes in OpenRouter's formats, for its clients. */
import { jsonContent } from '../../../catalog/published/openapi-parts.ts'
import { errors, open, requestId, tags, text } from './router-parts.ts'

const dollars = { type: 'number', description: 'Dollars.' }
const maybeDollars = { type: ['number', 'null'], description: 'Dollars; null without a limit.' }

const key = open({
  data: open({
    label: text,
    limit: maybeDollars,
    limit_remaining: maybeDollars,
    limit_reset: { enum: ['daily', 'weekly', 'monthly', null] },
    usage: dollars,
    usage_daily: dollars,
    usage_weekly: dollars,
    usage_monthly: dollars,
    is_free_tier: { const: false },
    rate_limit: open({ requests: { type: 'integer' }, interval: text, note: text }),
    expires_at: { type: ['string', 'null'] },
  }),
})
const credits = open({
  data: open({
    total_credits: {
      type: 'number',
      description: 'Dollars: total_usage and the available credit.',
    },
    total_usage: dollars,
  }),
})

const maybeInteger = { type: ['integer', 'null'] }
const generation = open({
  data: open({
    id: text,
    upstream_id: { type: ['string', 'null'], description: 'The id in the response.' },
    created_at: text,
    model: text,
    provider_name: { type: ['string', 'null'] },
    total_cost: dollars,
    usage: dollars,
    tokens_prompt: maybeInteger,
    tokens_completion: maybeInteger,
    generation_time: { ...maybeInteger, description: 'Milliseconds.' },
  }),
})

function read(operationId: string, summary: string, schema: object): { readonly get: object } {
  return {
    get: {
      operationId,
      tags,
      summary,
      responses: {
        200: {
          description: 'In the format of OpenRouter.',
          headers: requestId,
          content: jsonContent(schema),
        },
        ...errors([400, 401, 403, 404, 429, 500, 503]),
      },
    },
  }
}

const readGeneration = read(
  'read_router_generation',
  'Read a finished call and its cost.',
  generation,
)

export const openrouterPaths = {
  '/api/llm/v1/generation': {
    get: {
      ...readGeneration.get,
      parameters: [
        {
          name: 'id',
          in: 'query',
          required: true,
          schema: { type: 'string', minLength: 1, maxLength: 200 },
          description:
            'The X-Request-Id, the id of the transaction, or the id in the response (for one day, among the latest 1000 transactions).',
        },
      ],
    },
  },
  '/api/llm/v1/key': read('read_router_key', 'Read the calling key, its limit and usage.', key),
  '/api/llm/v1/auth/key': read('read_router_key_by_old_path', 'The same as /api/llm/v1/key.', key),
  '/api/llm/v1/credits': read('read_router_credits', 'Read the credit and the usage.', credits),
}
