/** Parts of the descriptions of the language-model router. */
import { jsonContent } from '../../../catalog/published/openapi-parts.ts'

export const text = { type: 'string' }
export const open = (
  properties: Readonly<Record<string, object>>,
  required: readonly string[] = Object.keys(properties),
) => ({ type: 'object', required, properties, additionalProperties: true })

export const chatError = {
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

export const messagesError = open({
  type: { const: 'error' },
  error: open({ type: text, message: text, code: text, fix: text }),
  request_id: text,
})

export const tags = ['language models']
export const requestId = { 'X-Request-Id': { schema: text } }

export function errors(
  statuses: readonly number[],
  schema: object = chatError,
  format = 'chat-completions',
): Record<string, object> {
  return Object.fromEntries(
    statuses.map((status) => [
      String(status),
      {
        description: `An error in the ${format} format.`,
        headers: requestId,
        content: jsonContent(schema),
      },
    ]),
  )
}

export const FAILURES = [400, 401, 402, 403, 404, 409, 413, 415, 422, 429, 500, 502, 503, 504]

export function answer(schema: object): object {
  return {
    description: 'The response, or its events with "stream": true.',
    headers: {
      ...requestId,
      'X-Charged-Micros': { schema: text },
      'X-Model': { schema: text, description: 'The model that generated the response.' },
    },
    content: { ...jsonContent(schema), 'text/event-stream': { schema: text } },
  }
}
