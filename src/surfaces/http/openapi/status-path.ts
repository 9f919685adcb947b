import { answers, schemaRef } from '../../../catalog/published/openapi-parts.ts'
import { record, text, time } from './schema-parts.ts'

const health = {
  description: 'Null below 20 calls of 3 accounts.',
  anyOf: [
    record({
      calls: { type: 'integer' },
      succeeded: { type: 'number', description: 'The share of calls that did not fail, 0 to 1.' },
      median_ms: { type: ['integer', 'null'] },
      p95_ms: { type: ['integer', 'null'] },
    }),
    { type: 'null' },
  ],
}

export const statusSchemas = {
  ServiceStatus: record(
    {
      generated_at: time,
      services: {
        type: 'array',
        items: record({
          service: text,
          title: text,
          live: { type: 'boolean' },
          gone: { type: 'array', items: text },
          last_hour: health,
          last_day: health,
          last_30_days: health,
        }),
      },
    },
    'Live calls of this gateway by service, without errors that the caller caused.',
  ),
}

export const statusPath = {
  '/api/status': {
    get: {
      operationId: 'read_status',
      tags: ['health'],
      summary: 'Read which services are live, and how their calls ended lately.',
      security: [],
      responses: answers(
        { description: 'The services.', schema: schemaRef('ServiceStatus') },
        [500, 503],
      ),
    },
  },
}
