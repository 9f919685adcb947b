/** Parts that the paths of several routes share. */
import { parameterRef, schemaRef } from '../../../catalog/published/openapi-parts.ts'
import type { answerSchemas } from './answer-schemas.ts'

type AnswerName = keyof typeof answerSchemas

export const one = (name: AnswerName) => ({
  type: 'object',
  required: ['ok', 'data'],
  properties: { ok: { const: true }, data: schemaRef(name) },
})
export const page = (name: AnswerName) => ({
  type: 'object',
  required: ['ok', 'data', 'next_cursor'],
  properties: {
    ok: { const: true },
    data: { type: 'array', items: schemaRef(name) },
    next_cursor: {
      type: ['string', 'null'],
      description: 'Null on the last page. Any page may have fewer items than the limit.',
    },
  },
})

export const requestId = { 'X-Request-Id': { schema: { type: 'string' } } }
export const replayed = {
  ...requestId,
  'Idempotency-Replayed': {
    schema: { const: 'true' },
    description: 'Present if this is the stored response to an earlier request.',
  },
}

// The errors of every route behind a key; 400 only for routes that read input.
export const KEYED = [401, 403, 429, 500, 503]
export const READ = [400, ...KEYED]
export const WRITE = [400, 401, 403, 413, 415, 429, 500, 503]

/** A session of the pages works instead of a key. */
export const security = [{ key: [] }, { session: [] }]

export const keyId = {
  name: 'id',
  in: 'path',
  required: true,
  schema: { type: 'string' },
  description: 'Key id (agk_…).',
}
export const idempotencyKey = parameterRef('IdempotencyKey')
