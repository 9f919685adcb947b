/** The gateway's own routes in the OpenAPI document: the catalog, keys, balance and transactions. */
const json = (schema: object) => ({ content: { 'application/json': { schema } } })
const ok = (description: string, schema: object) => ({ 200: { description, ...json(schema) }, default: { $ref: '#/components/responses/Error' } })
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const text = { type: 'string' }

const page = (item: string) => ({
  type: 'object',
  required: ['ok', 'data', 'next_cursor'],
  properties: { ok: { const: true }, data: { type: 'array', items: ref(item) }, next_cursor: { type: ['string', 'null'] } },
})
const one = (item: string) => ({ type: 'object', required: ['ok', 'data'], properties: { ok: { const: true }, data: ref(item) } })

const keyId = { $ref: '#/components/parameters/KeyId' }
const paging = [{ $ref: '#/components/parameters/Limit' }, { $ref: '#/components/parameters/Cursor' }]
const pathText = (name: string) => ({ name, in: 'path', required: true, schema: text })
const queryText = (name: string, description: string) => ({ name, in: 'query', required: false, schema: text, description })

const catalogPaths = {
  '/api/run': {
    get: { operationId: 'list_actions', tags: ['catalog'], summary: 'Index of all services and actions with prices.', security: [], responses: ok('The index.', { type: 'object' }) },
  },
  '/api/run/{service}/{action}': {
    get: {
      operationId: 'describe_action',
      tags: ['catalog'],
      summary: 'Descriptor of one action: price, billing rule, parameters, example.',
      security: [],
      parameters: [pathText('service'), pathText('action'), queryText('endpoint', 'Of a passthrough action: describe this endpoint alone.')],
      responses: ok('The descriptor.', { type: 'object' }),
    },
  },
  '/api/catalog': {
    get: { operationId: 'list_media_models', tags: ['catalog'], summary: 'Media models and their prices.', security: [], responses: ok('The models.', { type: 'object' }) },
  },
}

const keyPaths = {
  '/api/v1/agents': {
    get: { operationId: 'list_keys', tags: ['keys'], summary: 'The keys of the account with what each has spent.', parameters: paging, responses: ok('A page of keys.', page('Key')) },
    post: {
      operationId: 'create_key',
      tags: ['keys'],
      summary: 'Create a key. Its secret is in this answer and nowhere else.',
      parameters: [{ $ref: '#/components/parameters/IdempotencyKey' }],
      requestBody: { required: false, ...json(ref('KeyFields')) },
      responses: { 201: { description: 'The new key.', ...json(one('Key')) }, default: { $ref: '#/components/responses/Error' } },
    },
  },
  '/api/v1/agents/me': {
    get: { operationId: 'read_own_key', tags: ['keys'], summary: 'What the calling key may still spend.', responses: ok('The calling key.', one('Key')) },
  },
  '/api/v1/agents/{id}': {
    parameters: [keyId],
    patch: {
      operationId: 'update_key',
      tags: ['keys'],
      summary: 'Change label, ceiling or external id, pause or resume. Absent fields stay, null removes.',
      requestBody: { required: true, ...json(ref('KeyPatch')) },
      responses: ok('The key.', one('Key')),
    },
    delete: { operationId: 'revoke_key', tags: ['keys'], summary: 'Revoke a key for good.', responses: ok('The revoked key.', one('Key')) },
  },
  '/api/v1/agents/{id}/rotate': {
    parameters: [keyId],
    post: {
      operationId: 'rotate_key',
      tags: ['keys'],
      summary: 'Swap the secret in place. The new one is in this answer and nowhere else.',
      requestBody: { required: false, ...json({ type: 'object', properties: { grace_seconds: { type: 'integer', minimum: 0, default: 0, description: 'How long the old secret still works.' } } }) },
      responses: ok('The key with its new secret.', one('Key')),
    },
  },
}

const moneyPaths = {
  '/api/v1/balance': {
    get: { operationId: 'read_balance', tags: ['money'], summary: 'Balance of the account and what is held.', responses: ok('The balance.', { type: 'object' }) },
  },
  '/api/v1/transactions': {
    get: {
      operationId: 'list_transactions',
      tags: ['money'],
      summary: 'Every charge, hold and credit, newest first.',
      parameters: [...paging, queryText('agent_id', 'Only this key.'), queryText('service', 'Only this service.'), queryText('status', 'held, settled or released.')],
      responses: ok('A page of transactions.', page('Transaction')),
    },
  },
}

export const gatewayPaths = { ...catalogPaths, ...keyPaths, ...moneyPaths }
