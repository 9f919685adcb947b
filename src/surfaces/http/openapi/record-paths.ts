/** Look-ups of calls, and the audit log, in the OpenAPI document. */
import { answers, errorResponses } from '../../../catalog/published/openapi-parts.ts'
import { ChangeQuery } from '../routes/audit/change-query.ts'
import { CallQuery } from '../routes/calls/call-query.ts'
import { queryParameters } from './from-schema.ts'
import { KEYED, keyId, one, page, READ, requestId, security } from './path-parts.ts'

const text = { schema: { type: 'string' } }

export const callPaths = {
  '/api/v1/calls': {
    get: {
      operationId: 'list_calls',
      tags: ['money'],
      security,
      summary:
        'List all calls, newest first: charged, pending, failed, rejected, free and repeated ones. Free. With idempotency_key, read the outcome of the newest call that used the key, for a caller who lost its response.',
      parameters: queryParameters(CallQuery),
      responses: {
        ...errorResponses(READ),
        200: {
          description: 'A page of calls; with idempotency_key, the state of one.',
          headers: requestId,
          content: {
            'application/json': {
              schema: { anyOf: [page('LoggedCall'), one('CallState')] },
            },
            'text/csv': { schema: text.schema },
          },
        },
      },
    },
  },
  '/api/v1/calls/stream': {
    get: {
      operationId: 'stream_calls',
      tags: ['money'],
      security,
      summary:
        'Follow the calls of the account as server-sent events. "call" has the record of a call that began or ended, at least once; "gap" reports that some are missing. Free. The stream ends after five minutes; a client continues with Last-Event-ID.',
      parameters: [
        {
          name: 'Last-Event-ID',
          in: 'header',
          schema: { type: 'string' },
          description: 'The id of the last event, which EventSource sends itself.',
        },
      ],
      responses: {
        ...errorResponses([...READ, 429]),
        200: {
          description: 'Events, and a comment every 15 seconds.',
          headers: requestId,
          content: { 'text/event-stream': { schema: text.schema } },
        },
      },
    },
  },
  '/api/v1/calls/{id}': {
    parameters: [{ ...keyId, description: 'Request id (req_…) or transaction id (tx_…).' }],
    get: {
      operationId: 'read_call',
      tags: ['money'],
      security,
      summary:
        'Read the state of a call by its id. Free. Calls without a charge are stored for some days.',
      responses: answers(
        { description: 'The state of the call.', schema: one('CallState'), headers: requestId },
        [...KEYED, 404],
      ),
    },
  },
}

export const changePaths = {
  '/api/v1/changes': {
    get: {
      operationId: 'list_changes',
      tags: ['keys'],
      security,
      summary:
        'List who changed keys, limits, credit and sign-in methods of the account, when and from where, newest first. Requires the primary key.',
      parameters: queryParameters(ChangeQuery),
      responses: {
        ...errorResponses(READ),
        200: {
          description: 'A page of changes, or a complete export.',
          headers: requestId,
          content: {
            'application/json': { schema: page('Change') },
            'text/csv': text,
            'application/x-ndjson': text,
          },
        },
      },
    },
  },
}
