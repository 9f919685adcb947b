/** Paid fetch in the OpenAPI document. */
import { PaidFetchInput } from '../../../calls/fetch/paid-fetch-input.ts'
import { answers, parameterRef } from '../../../catalog/published/openapi-parts.ts'
import { receipt, record } from './answer-schemas.ts'
import { jsonBody } from './from-schema.ts'

const amount = { type: 'integer' }
const response = record(
  {
    status: amount,
    headers: { type: 'object', additionalProperties: {} },
    encoding: {
      enum: ['text', 'base64'],
      description: 'Of the body: what is no text comes as base64.',
    },
    body: { type: 'string' },
  },
  'What the address answered, errors included.',
)

const fetched = record({
  price_cents: amount,
  price_micros: amount,
  receipt: { anyOf: [receipt, { type: 'null' }], description: 'Null when nothing was paid.' },
  response,
  content_trust: { const: 'untrusted' },
})

const header = (description: string) => ({ schema: { type: 'string' }, description })
const headers = {
  'X-Request-Id': header('Id of the request.'),
  'X-Charged-Micros': header('What it cost, in micro-dollars.'),
  'X-Credits-Remaining-Cents': header('What is left of the account, when something was held.'),
  'Idempotency-Replayed': header('"true" when this is the stored answer of an earlier request.'),
}

export const fetchPath = {
  '/api/fetch': {
    post: {
      operationId: 'paid_fetch',
      tags: ['paid fetch'],
      summary:
        'Fetch any address of the public web. Where it answers 402 (MPP or x402), the gateway pays within max_cost_cents out of bought credit and charges exactly that when it signs the payment; a payment without a response (502 payment_unknown) stays charged until the operator refunds it. Free answers are free.',
      parameters: [parameterRef('IdempotencyKey')],
      requestBody: jsonBody(PaidFetchInput, {
        url: 'https://api.example.com/v1/report',
        max_cost_cents: 5,
      }),
      responses: answers(
        {
          description: 'What came of it.',
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
