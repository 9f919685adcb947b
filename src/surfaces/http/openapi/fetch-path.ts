/** Paid fetch in the OpenAPI document. */
import { PaidFetchInput } from '../../../calls/fetch/paid-fetch-input.ts'
import { answers, parameterRef } from '../../../catalog/published/openapi-parts.ts'
import { receipt } from './answer-schemas.ts'
import { jsonBody } from './from-schema.ts'
import { record } from './schema-parts.ts'

const amount = { type: 'integer' }
const response = record(
  {
    status: amount,
    headers: { type: 'object', additionalProperties: {} },
    encoding: {
      enum: ['text', 'base64'],
      description: 'Encoding of the body. Binary bodies are base64.',
    },
    body: { type: 'string' },
  },
  'The response of the address, including errors.',
)

const fetched = record({
  price_cents: amount,
  price_micros: amount,
  receipt: { anyOf: [receipt, { type: 'null' }], description: 'Null if nothing was paid.' },
  response,
  content_trust: { const: 'untrusted' },
})

const header = (description: string) => ({ schema: { type: 'string' }, description })
const headers = {
  'X-Request-Id': header('Request id.'),
  'X-Charged-Micros': header('The charge in micro-dollars.'),
  'X-Credits-Remaining-Cents': header(
    'The remaining credit of the account, if the call held credit.',
  ),
  'Idempotency-Replayed': header('"true" if this is the stored response to an earlier request.'),
}

export const fetchPath = {
  '/api/fetch': {
    post: {
      operationId: 'paid_fetch',
      tags: ['paid fetch'],
      summary:
        'Fetch any public URL. If it answers 402 (MPP or x402), the gateway pays up to max_cost_cents from bought credit, and charges the exact amount when it signs the payment. A payment without a response (502 payment_unknown) stays charged until the operator refunds it. URLs without a price are free.',
      parameters: [parameterRef('IdempotencyKey'), parameterRef('Prefer')],
      requestBody: jsonBody(PaidFetchInput, {
        url: 'https://api.example.com/v1/report',
        max_cost_cents: 5,
      }),
      responses: answers(
        {
          description: 'The result.',
          schema: {
            type: 'object',
            required: ['ok', 'data', 'charged_cents', 'charged_micros', 'request_id'],
            properties: {
              ok: { const: true },
              data: fetched,
              charged_cents: amount,
              charged_micros: amount,
              request_id: { type: 'string' },
              test: { const: true },
            },
          },
          headers,
        },
        [400, 401, 402, 403, 409, 413, 415, 422, 429, 500, 502, 503, 504],
      ),
    },
  },
}
