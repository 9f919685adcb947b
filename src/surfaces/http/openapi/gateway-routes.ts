/** The gateway's own routes in the OpenAPI document. Requests use the schemas that validate them. */
import type { OtherRoutes } from '../../../catalog/published/openapi.ts'
import { answers, errorResponses, schemaRef } from '../../../catalog/published/openapi-parts.ts'
import { pageCookie } from '../routes/visitor/page-cookie.ts'
import { SpendingQuery, TransactionQuery } from '../routes/account/transaction-query.ts'
import { answerSchemas } from './answer-schemas.ts'
import { browserPaths } from './browser-paths.ts'
import { cassettePaths, cassetteSchemas } from './cassette-paths.ts'
import { inboxPaths, inboxSchemas } from './inbox-paths.ts'
import { repositoryPaths, repositorySchemas } from './repository-paths.ts'
import { eventPaths } from './event-paths.ts'
import { eventSchemas } from './event-schemas.ts'
import { fetchPath } from './fetch-path.ts'
import { filePaths } from './file-paths.ts'
import { queryParameters } from './from-schema.ts'
import { KEYED, one, page, READ, requestId, security } from './path-parts.ts'
import { keyPaths } from './key-paths.ts'
import { memberPaths } from './member-paths.ts'
import { callPaths, changePaths } from './record-paths.ts'
import { packagePath } from './package-path.ts'
import { routerPaths } from './router-paths.ts'
import { statusPath, statusSchemas } from './status-path.ts'

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
    { name: 'members', description: 'The people of the account, their roles, and invitations.' },
    { name: 'money', description: 'Balance, history and spending.' },
    { name: 'events', description: 'Events, webhooks and their deliveries.' },
    { name: 'browsers', description: 'The live view of browser sessions.' },
    { name: 'cassettes', description: 'Recorded answers, which test keys replay for free.' },
    { name: 'repositories', description: 'Git repositories of this gateway.' },
    { name: 'inboxes', description: 'Email inboxes of this gateway.' },
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
  schemas: {
    ...answerSchemas,
    ...eventSchemas,
    ...cassetteSchemas,
    ...inboxSchemas,
    ...repositorySchemas,
    ...statusSchemas,
  },
  paths: {
    ...keyPaths,
    ...memberPaths,
    ...changePaths,
    ...callPaths,
    ...moneyPaths,
    ...eventPaths,
    ...browserPaths,
    ...cassettePaths,
    ...inboxPaths,
    ...repositoryPaths,
    ...filePaths,
    ...fetchPath,
    ...routerPaths,
    ...statusPath,
    ...packagePath,
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
