/** The routes beside the catalog in the OpenAPI document: keys, money, health. Requests are described by what validates them. */
import type { OtherRoutes } from '../../../catalog/published/openapi.ts'
import {
  answers,
  errorResponses,
  parameterRef,
  schemaRef,
} from '../../../catalog/published/openapi-parts.ts'
import { KeyPatchBody, NewKeyBody, RotateBody } from '../../../keys/key-input.ts'
import { pageCookie } from '../routes/visitor/page-cookie.ts'
import { SpendingQuery, TransactionQuery } from '../routes/account/transaction-query.ts'
import { PageQuery } from '../routes/agents/page-query.ts'
import { answerSchemas } from './answer-schemas.ts'
import { fetchPath } from './fetch-path.ts'
import { filePaths } from './file-paths.ts'
import { jsonBody, queryParameters } from './from-schema.ts'
import { routerPaths } from './router-paths.ts'

type AnswerName = keyof typeof answerSchemas

const one = (name: AnswerName) => ({
  type: 'object',
  required: ['ok', 'data'],
  properties: { ok: { const: true }, data: schemaRef(name) },
})
const page = (name: AnswerName) => ({
  type: 'object',
  required: ['ok', 'data', 'next_cursor'],
  properties: {
    ok: { const: true },
    data: { type: 'array', items: schemaRef(name) },
    next_cursor: {
      type: ['string', 'null'],
      description: 'Null at the end. Before it a page may be short.',
    },
  },
})

const requestId = { 'X-Request-Id': { schema: { type: 'string' } } }
const replayed = {
  ...requestId,
  'Idempotency-Replayed': {
    schema: { const: 'true' },
    description: 'Present when this is the stored answer of an earlier request.',
  },
}

// Of every route behind a key. 400 only where something is read from the request.
const KEYED = [401, 403, 429, 500, 503]
const READ = [400, ...KEYED]
const WRITE = [400, 401, 403, 413, 415, 429, 500, 503]

/** Whoever is signed in to the pages needs no key here. */
const security = [{ key: [] }, { session: [] }]

const keyId = {
  name: 'id',
  in: 'path',
  required: true,
  schema: { type: 'string' },
  description: 'Id of the key (agk_…).',
}
const idempotencyKey = parameterRef('IdempotencyKey')

const keyPaths = {
  '/api/v1/agents': {
    get: {
      operationId: 'list_keys',
      tags: ['keys'],
      security,
      summary:
        'The keys of the account, newest first, with what each has spent. A test key sees test keys alone.',
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
        'Create a key. Needs the primary key. An account has 10 000 at most that are not revoked. The secret is in this answer and nowhere else.',
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
      summary: 'The calling key, and what it may still spend.',
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
        'Change label, ceiling or external id, pause or resume. Absent fields stay, null removes. Needs the primary key.',
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
      summary: 'Revoke a key for good. Needs the primary key.',
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
        'Swap the secret in place. Needs the primary key. The new secret is in this answer and nowhere else.',
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
        'Balance of the account, what is held and what was spent: real credit for a live key, play money for a test key.',
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
        'Every charge, hold and credit, newest first. With format=csv or ndjson the whole history that fits the filter.',
      parameters: queryParameters(TransactionQuery),
      responses: {
        ...errorResponses(READ),
        200: {
          description:
            'A page of transactions, or an export without pages. In CSV an apostrophe stands before a text that a spreadsheet would take for a formula; numbers, and NDJSON, are as they are.',
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
      summary: 'What the calls of the last days cost: by day, by action and by key.',
      parameters: queryParameters(SpendingQuery),
      responses: answers(
        { description: 'Sums of the calls that fit.', schema: one('Spending'), headers: requestId },
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
    responses: answers({ description: 'It is.', schema: schemaRef('Healthy') }, statuses),
  },
})

export const gatewayRoutes = (publicUrl: string): OtherRoutes => ({
  tags: [
    { name: 'keys', description: 'Keys, their ceilings and what they spent.' },
    { name: 'money', description: 'Balance, history and spending.' },
    {
      name: 'paid fetch',
      description: 'Any address of the web, paid for where it asks for money.',
    },
    {
      name: 'file links',
      description:
        'Where the links of the service "files" lead. The link is the permission: needs no key.',
    },
    {
      name: 'language models',
      description: 'Chat-completions: for clients of that wire, by their base address.',
    },
    { name: 'health', description: 'For load balancers. Needs no key.' },
  ],
  schemas: answerSchemas,
  paths: {
    ...keyPaths,
    ...moneyPaths,
    ...filePaths,
    ...fetchPath,
    ...routerPaths,
    '/healthz': health('is_alive', 'Whether the process answers.', [503]),
    '/readyz': health('is_ready', 'Whether the process reaches its database.', [500, 503]),
  },
  securitySchemes: {
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: pageCookie(publicUrl).name,
      description:
        'For pages of this gateway alone: the browser of somebody who is signed in. The holder of the account acts as its live primary key. An Authorization header counts in its place.',
    },
  },
})
