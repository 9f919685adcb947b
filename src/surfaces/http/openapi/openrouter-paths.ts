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

function read(operationId: string, summary: string, schema: object): object {
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
        ...errors([401, 403, 429, 500, 503]),
      },
    },
  }
}

export const openrouterPaths = {
  '/api/llm/v1/key': read('read_router_key', 'Read the calling key, its limit and usage.', key),
  '/api/llm/v1/auth/key': read('read_router_key_by_old_path', 'The same as /api/llm/v1/key.', key),
  '/api/llm/v1/credits': read('read_router_credits', 'Read the credit and the usage.', credits),
}
