/** The shapes that every operation of the OpenAPI document shares. */
import { errorCatalog } from '../../errors/catalog.ts'

const micros = { type: 'integer', minimum: 0, description: 'Micro-dollars: 10,000 are one cent. Exact.' }
const wholeCents = { type: 'integer', minimum: 0, description: 'Whole cents, rounded up: 0 exactly when nothing was charged.' }
const json = (schema: object) => ({ 'application/json': { schema } })

const schemas = {
  MaxCostCents: { type: 'integer', minimum: 0, description: 'The most that this call may cost, in whole cents. A call that would cost more is refused before anything happens.' },
  Envelope: {
    type: 'object',
    required: ['ok', 'data', 'charged_cents', 'charged_micros', 'request_id'],
    properties: {
      ok: { const: true },
      data: { type: 'object', description: 'Output of the action.' },
      charged_cents: wholeCents,
      charged_micros: micros,
      request_id: { type: 'string' },
      test: { const: true, description: 'Present when a test key made the call: the data is simulated.' },
    },
  },
  Error: {
    type: 'object',
    required: ['ok', 'error', 'charged_cents', 'charged_micros', 'request_id'],
    properties: {
      ok: { const: false },
      error: {
        type: 'object',
        required: ['code', 'message', 'param', 'fix', 'retryable'],
        properties: {
          code: { type: 'string', enum: Object.keys(errorCatalog) },
          message: { type: 'string' },
          param: { type: ['string', 'null'], description: 'JSON path of the field at fault, such as urls[2].' },
          fix: { type: 'string', description: 'What to do.' },
          retryable: { type: 'boolean', description: 'Whether the same request can succeed later.' },
          details: { type: 'object' },
        },
      },
      charged_cents: { const: 0 },
      charged_micros: { const: 0 },
      request_id: { type: 'string' },
    },
  },
  Key: {
    type: 'object',
    required: ['id', 'label', 'status', 'primary', 'key_prefix', 'ceiling_cents', 'ceiling_period'],
    properties: {
      id: { type: 'string', pattern: '^agk_' },
      label: { type: ['string', 'null'] },
      external_id: { type: ['string', 'null'] },
      status: { enum: ['active', 'paused', 'revoked'] },
      primary: { type: 'boolean' },
      key_prefix: { type: 'string' },
      ceiling_cents: { type: ['integer', 'null'], minimum: 0 },
      ceiling_period: { enum: ['day', 'week', 'month', null] },
      spent_cents: { type: 'integer' },
      held_cents: { type: 'integer' },
      remaining_cents: { type: ['integer', 'null'] },
      window_started_at: { type: ['string', 'null'], format: 'date-time' },
      window_resets_at: { type: ['string', 'null'], format: 'date-time' },
      last_used_at: { type: ['string', 'null'], format: 'date-time' },
      created_at: { type: 'string', format: 'date-time' },
      key: { type: 'string', description: 'The secret. Only in the answer to create and rotate.' },
    },
  },
  KeyFields: {
    type: 'object',
    properties: {
      label: { type: ['string', 'null'] },
      ceiling_cents: { type: ['integer', 'null'], minimum: 0, description: 'Spend ceiling per window; null removes it.' },
      ceiling_period: { enum: ['day', 'week', 'month', 'daily', 'weekly', 'monthly', null], description: 'UTC windows: midnight, Monday, first of the month.' },
      external_id: { type: ['string', 'null'] },
    },
  },
  KeyPatch: {
    allOf: [{ $ref: '#/components/schemas/KeyFields' }],
    properties: { paused: { type: 'boolean' } },
  },
  Transaction: {
    type: 'object',
    required: ['id', 'created_at', 'kind', 'status'],
    properties: {
      id: { type: 'string', pattern: '^tx_' },
      created_at: { type: 'string', format: 'date-time' },
      kind: { enum: ['call', 'job', 'llm', 'session', 'topup', 'grant', 'refund', 'adjustment'] },
      status: { enum: ['held', 'settled', 'released'] },
      service: { type: ['string', 'null'] },
      action: { type: ['string', 'null'] },
      agent_id: { type: ['string', 'null'] },
      external_id: { type: ['string', 'null'] },
      request_id: { type: ['string', 'null'] },
      job_id: { type: ['string', 'null'] },
      held_micros: { type: 'integer' },
      charged_cents: { type: 'integer' },
      charged_micros: { type: 'integer' },
      balance_after_micros: { type: ['integer', 'null'] },
      hops: { type: 'array', items: { type: 'object' } },
      latency_ms: { type: ['integer', 'null'] },
      error_code: { type: ['string', 'null'] },
    },
  },
}

export const components = {
  schemas,
  parameters: {
    IdempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      schema: { type: 'string', maxLength: 255 },
      description: 'Makes the request safe to repeat: the same key with the same body answers with the stored answer and charges nothing again.',
    },
    KeyId: { name: 'id', in: 'path', required: true, schema: { type: 'string' }, description: 'Id of the key (agk_…).' },
    Limit: { name: 'limit', in: 'query', required: false, schema: { type: 'integer', minimum: 1, maximum: 100 } },
    Cursor: { name: 'cursor', in: 'query', required: false, schema: { type: 'string' }, description: 'next_cursor of the page before.' },
  },
  responses: {
    Envelope: {
      description: 'The call succeeded.',
      headers: {
        'X-Request-Id': { schema: { type: 'string' } },
        'X-Charged-Micros': { schema: micros },
        'X-Credits-Remaining-Cents': { schema: { type: 'integer' } },
        'Idempotency-Replayed': { schema: { const: 'true' }, description: 'Present when this is the stored answer of an earlier request.' },
      },
      content: json({ $ref: '#/components/schemas/Envelope' }),
    },
    Error: {
      description: 'The call was refused or failed; nothing was charged.',
      headers: { 'Retry-After': { schema: { type: 'integer' }, description: 'Seconds; with 429 and wherever waiting helps.' } },
      content: json({ $ref: '#/components/schemas/Error' }),
    },
  },
  securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'An API key: tg_live_… or tg_test_….' } },
}
