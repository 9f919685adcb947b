/** The routes of keys in the OpenAPI document. */
import { answers } from '../../../catalog/published/openapi-parts.ts'
import { NewChildBody } from '../../../keys/children/child-input.ts'
import { KeyPatchBody, NewKeyBody, RotateBody } from '../../../keys/key-input.ts'
import { PageQuery } from '../routes/agents/page-query.ts'
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

export const keyPaths = {
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
  '/api/v1/agents/me/children': {
    get: {
      operationId: 'list_child_keys',
      tags: ['keys'],
      security,
      summary: 'List the child keys of the calling key that are not revoked, newest first.',
      parameters: queryParameters(PageQuery),
      responses: answers(
        { description: 'A page of keys.', schema: page('Key'), headers: requestId },
        READ,
      ),
    },
    post: {
      operationId: 'create_child_key',
      tags: ['keys'],
      security,
      summary:
        'Create a key below the calling key, which needs may_mint. It spends from the limits of all keys above it, and their policies bind it. Only this response contains the secret.',
      parameters: [idempotencyKey],
      requestBody: jsonBody(NewChildBody, {
        label: 'summariser',
        ceiling_cents: 50,
        ttl_s: 1200,
        allow: ['core/onescrape'],
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
  '/api/v1/agents/me/children/{id}': {
    parameters: [keyId],
    delete: {
      operationId: 'end_child_key',
      tags: ['keys'],
      security,
      summary: 'Permanently revoke a key below the calling key, and all keys below that one.',
      responses: answers(
        { description: 'The revoked key.', schema: one('Key'), headers: requestId },
        [...WRITE, 404],
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
