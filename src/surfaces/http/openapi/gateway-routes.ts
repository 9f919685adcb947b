/** The gateway's own routes in the OpenAPI document. Requests use the schemas that validate them. */
import type { OtherRoutes } from '../../../catalog/published/openapi.ts'
import { answers, errorResponses, schemaRef } from '../../../catalog/published/openapi-parts.ts'
import { KeyPatchBody, NewKeyBody, RotateBody } from '../../../keys/key-input.ts'
import { pageCookie } from '../routes/visitor/page-cookie.ts'
import { SpendingQuery, TransactionQuery } from '../routes/account/transaction-query.ts'
import { PageQuery } from '../routes/agents/page-query.ts'
import { answerSchemas } from './answer-schemas.ts'
import { eventPaths } from './event-paths.ts'
import { eventSchemas } from './event-schemas.ts'
import { fetchPath } from './fetch-path.ts'
import { filePaths } from './file-paths.ts'
import { jsonBody, queryParameters } from './from-schema.ts'
import {
  idempotencyKey,
  KEYED,
  keyId,
  one,
  page,
  READ,
  replayed,
  requestId,
  security,
  WRITE,
} from './path-parts.ts'
import { callPaths, changePaths } from './record-paths.ts'
import { routerPaths } from './router-paths.ts'

const keyPaths = {
  '/api/v1/agents': {
    get: {
      operationId: 'list_keys',
      tags: ['keys'],
      security,
      summary:
        'List the keys of the account and their spending, newest first. A test key sees test keys only.',
      parameters: queryParameters(PageQuery),
      responses: answers(
        { description: 'A page of keys.', schema: page('Key'), headers: requestId },
        READ,
      ),
    },
    post: {
      operationId: 'create_key',
      tags: ['keys'],
      security,
      summary:
        'Create a key. Requires the primary key. An account can have 10 000 active keys. Only this response contains the secret.',
      parameters: [idempotencyKey],
      requestBody: jsonBody(NewKeyBody, {
        label: 'researcher',
        ceiling_cents: 500,
        ceiling_period: 'day',
      }),
      responses: answers(
        {
          status: 201,
          description: 'The new key.',
          schema: one('KeyWithSecret'),
          headers: replayed,
        },
        [...WRITE, 409, 422],
      ),
    },
  },
  '/api/v1/agents/me': {
    get: {
      operationId: 'read_own_key',
      tags: ['keys'],
      security,
      summary: 'Read the calling key and its remaining limit.',
      responses: answers(
        { description: 'The calling key.', schema: one('OwnKey'), headers: requestId },
        KEYED,
      ),
    },
  },
  '/api/v1/agents/{id}': {
    parameters: [keyId],
    patch: {
      operationId: 'update_key',
      tags: ['keys'],
      security,
      summary:
        'Change label, limit or external id, or pause or resume a key. Absent fields do not change; null removes a value. Requires the primary key.',
      requestBody: jsonBody(KeyPatchBody, { paused: true }),
      responses: answers({ description: 'The key.', schema: one('Key'), headers: requestId }, [
        ...WRITE,
        404,
        422,
      ]),
    },
    delete: {
      operationId: 'revoke_key',
      tags: ['keys'],
      security,
      summary: 'Permanently revoke a key. Requires the primary key.',
      responses: answers(
        { description: 'The revoked key.', schema: one('Key'), headers: requestId },
        [...WRITE, 404],
      ),
    },
  },
  '/api/v1/agents/{id}/rotate': {
    parameters: [keyId],
    post: {
      operationId: 'rotate_key',
      tags: ['keys'],
      security,
      summary:
        'Replace the secret of a key. Requires the primary key. Only this response contains the new secret.',
      parameters: [idempotencyKey],
      requestBody: jsonBody(RotateBody, { grace_seconds: 3600 }),
      responses: answers(
        {
          description: 'The key with its new secret.',
          schema: one('KeyWithSecret'),
          headers: replayed,
        },
        [...WRITE, 404, 409, 422],
      ),
    },
  },
}

const text = { schema: { type: 'string' } }

const moneyPaths = {
  '/api/v1/balance': {
    get: {
      operationId: 'read_balance',
      tags: ['money'],
      security,
      summary:
        'Read the balance of the account, its held amounts and its spending: credit for a live key, test credit for a test key.',
      responses: answers(
        { description: 'The balance.', schema: one('Balance'), headers: requestId },
        KEYED,
      ),
    },
  },
  '/api/v1/transactions': {
    get: {
      operationId: 'list_transactions',
      tags: ['money'],
      security,
      summary:
        'List charges, holds and credits, newest first. With format=csv or ndjson, export all matching transactions.',
      parameters: queryParameters(TransactionQuery),
      responses: {
        ...errorResponses(READ),
        200: {
          description:
            'A page of transactions, or a complete export. CSV puts an apostrophe before text that a spreadsheet would read as a formula; numbers and NDJSON are unchanged.',
          headers: requestId,
          content: {
            'application/json': { schema: page('Transaction') },
            'text/csv': text,
            'application/x-ndjson': text,
          },
        },
      },
    },
  },
  '/api/v1/spending': {
    get: {
      operationId: 'read_spending',
      tags: ['money'],
      security,
      summary: 'Read the spending of the last days by day, action and key.',
      parameters: queryParameters(SpendingQuery),
      responses: answers(
        { description: 'Sums of the matching calls.', schema: one('Spending'), headers: requestId },
        READ,
      ),
    },
  },
}

const health = (operationId: string, summary: string, statuses: readonly number[]) => ({
  get: {
    operationId,
    tags: ['health'],
    summary,
    security: [],
    responses: answers({ description: 'Healthy.', schema: schemaRef('Healthy') }, statuses),
  },
})

export const gatewayRoutes = (publicUrl: string): OtherRoutes => ({
  tags: [
    { name: 'keys', description: 'Keys, their limits and their spending.' },
    { name: 'money', description: 'Balance, history and spending.' },
    { name: 'events', description: 'Events, webhooks and their deliveries.' },
    {
      name: 'paid fetch',
      description: 'Any URL, with payment if it asks for one.',
    },
    {
      name: 'file links',
      description: 'The signed links of the service "files". They need no key.',
    },
    {
      name: 'language models',
      description: 'Chat completions, for clients with a base address.',
    },
    { name: 'health', description: 'For load balancers. No key needed.' },
  ],
  schemas: { ...answerSchemas, ...eventSchemas },
  paths: {
    ...keyPaths,
    ...changePaths,
    ...callPaths,
    ...moneyPaths,
    ...eventPaths,
    ...filePaths,
    ...fetchPath,
    ...routerPaths,
    '/healthz': health('is_alive', 'Check that the process runs.', [503]),
    '/readyz': health('is_ready', 'Check that the process reaches its database.', [500, 503]),
  },
  securitySchemes: {
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: pageCookie(publicUrl).name,
      description:
        'For pages of this gateway: the session of a signed-in browser, which acts as the live primary key of the account. An Authorization header takes precedence.',
    },
  },
})
