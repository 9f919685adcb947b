import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { isFields } from '../../../lib/json-fields.ts'
import { createValidator } from '../../validate/validate.ts'
import type { OwnAction } from '../own-file.ts'
import { buildRequest } from '../own-request.ts'
import { checkFile } from '../read-folder.ts'
import { importOpenApi, type ImportOptions } from './import-openapi.ts'

const folder = join(import.meta.dirname, '../../../../test/documents')
const textOf = (name: string): string => readFileSync(join(folder, name), 'utf8')
const options = (more: Partial<ImportOptions> = {}): ImportOptions => ({
  cents: '2',
  taken: new Set(['semantic']),
  ...more,
})
const importFile = (name: string, more: Partial<ImportOptions> = {}) =>
  importOpenApi(textOf(name), options(more))

/** A document with one operation, GET /a, and these changes. */
function documentOf(operation: object = {}, root: object = {}, path = '/a'): string {
  const responses = { 200: { content: { 'application/json': { schema: { type: 'string' } } } } }
  return JSON.stringify({
    openapi: '3.0.0',
    info: { title: 'Acme', version: '1' },
    servers: [{ url: 'https://api.acme.example' }],
    security: [{}],
    paths: { [path]: { get: { operationId: 'a', responses, ...operation } } },
    ...root,
  })
}
async function oneOf(text: string, more: Partial<ImportOptions> = {}): Promise<OwnAction> {
  const { file } = await importOpenApi(text, options(more))
  return file.actions[0] ?? assert.fail('an action is imported')
}
const find = (actions: readonly OwnAction[], name: string): OwnAction =>
  actions.find(({ action }) => action === name) ?? assert.fail(`${name} is imported`)
const problemOf = async (text: string, more: Partial<ImportOptions> = {}): Promise<string> => {
  try {
    await importOpenApi(text, options(more))
  } catch (error) {
    assert.equal((error as Error).name, 'Refusal', String(error))
    return (error as Error).message
  }
  return assert.fail('the import is refused')
}
const queryOf = (parameter: object) => documentOf({ parameters: [{ in: 'query', ...parameter }] })
const bodyOf = (schema: unknown, root: object = {}) =>
  documentOf(
    {},
    {
      paths: {
        '/a': {
          post: {
            operationId: 'a',
            requestBody: { required: true, content: { 'application/json': { schema } } },
            responses: { 200: { description: 'ok' } },
          },
        },
      },
      ...root,
    },
  )

describe('the import of an OpenAPI document', () => {
  test('makes files that the checks accept, from each version', async () => {
    const counts = {
      'pets-2.0.json': [4, 3],
      'offices-3.0.json': [3, 3],
      'tickets-3.1.json': [2, 0],
      'search-3.2.json': [1, 3],
    }
    for (const [name, expected] of Object.entries(counts)) {
      const server = name.startsWith('tickets') ? { server: 'https://eu.tickets.example' } : {}
      const { file, refused } = await importFile(name, server)
      const { found } = await checkFile(file, new Set(), createValidator())
      assert.deepEqual(found, [], name)
      assert.deepEqual(
        [file.actions.length, refused.size],
        expected,
        `${name} ${JSON.stringify([...refused])}`,
      )
      assert.ok(isFields(file) && !JSON.stringify(file).includes('$ref'), name)
    }
  })

  test('reads Swagger 2.0: base URL, formats of lists, forms, bodies and the key', async () => {
    const { file, refused } = await importFile('pets-2.0.json')
    assert.equal(file.base_url, 'https://pets.example/v2')
    assert.deepEqual(file.auth, { header: 'api_key', value: '${KEY}' })
    const list = find(file.actions, 'find_pets_by_status')
    assert.deepEqual(
      buildRequest(list.request, { status: ['a', 'b'], tags: ['x', 'y'], limit: 5 }),
      {
        method: 'GET',
        path: '/pet/findByStatus',
        query: { status: ['a', 'b'], tags: 'x|y', limit: '5' },
      },
    )
    assert.deepEqual(find(file.actions, 'get_pet_by_id').request.path, '/pet/{petId}')
    const form = find(file.actions, 'update_pet_with_form')
    assert.deepEqual(buildRequest(form.request, form.example).form, { name: 'example' })
    const add = find(file.actions, 'add_pet')
    assert.deepEqual(buildRequest(add.request, { name: 'Rex', photoUrls: [], nick: null }).json, {
      name: 'Rex',
      photoUrls: [],
      nick: null,
    })
    assert.equal(isFields(add.params['properties']) && 'id' in add.params['properties'], false)
    assert.match(refused.get('POST /pet/{petId}/uploadImage') ?? '', /multipart\/form-data/)
    assert.match(refused.get('DELETE /pet/{petId}') ?? '', /without content/)
    assert.match(refused.get('GET /store/inventory') ?? '', /needs a user.*--auth-header/)
  })

  test('reads 3.0: styles, nullable, discriminators, allOf, cycles and error members', async () => {
    const { file, refused, notes } = await importFile('offices-3.0.json')
    const list = find(file.actions, 'list_offices')
    const sent = buildRequest(list.request, {
      filter: { year: 2026, city: 'Ulm' },
      ids: [1, 2],
      'X-Trace': 't',
      max_cost_: 1,
    })
    assert.deepEqual(sent.query, {
      'filter[year]': '2026',
      'filter[city]': 'Ulm',
      ids: '1,2',
      max_cost: '1',
    })
    assert.deepEqual(sent.headers, { 'X-Trace': 't' })
    assert.deepEqual(list.outcome, [
      { when: { status: [404] }, is: 'empty' },
      { when: { at: '/error', blank: false }, is: 'failed', code: 'upstream_rejected' },
      { else: 'done' },
    ])
    assert.ok(
      notes.some((one) => one.includes('GET /offices: the parameter "session" is left out')),
    )
    const create = find(file.actions, 'create_office')
    const check = (input: object) => createValidator().validate(create.params, input)
    assert.ok(check({ title: null, owner: { kind: 'firm', vat: 'DE123456789' } }))
    assert.throws(() => check({ title: null, owner: { kind: 'human', vat: 'DE123456789' } }))
    const nested = { name: 'a', children: [{ name: 'b', children: [{ name: 'c' }] }] }
    assert.ok(check({ title: 'x', owner: { kind: 'human', age: 20 }, tree: nested }))
    assert.equal(find(file.actions, 'get_office').request.path, '/offices/{office_id}')
    assert.match(refused.get('POST /export') ?? '', /202/)
    assert.match(refused.get('GET /photo') ?? '', /image\/png/)
    assert.match(refused.get('GET /shared') ?? '', /another document, "common\.json/)
  })

  test('reads 3.1: several headers, lists of types, prices of the document', async () => {
    assert.match(await problemOf(textOf('tickets-3.1.json')), /variables: add --server/)
    const { file } = await importFile('tickets-3.1.json', {
      server: 'https://eu.tickets.example',
      only: ['listTickets'],
    })
    assert.deepEqual(file.auth, {
      headers: [
        { header: 'TICKETS-ID', value: '${TICKETS_ID}' },
        { header: 'TICKETS-SECRET', value: '${TICKETS_SECRET}' },
      ],
    })
    assert.deepEqual(
      file.actions.map(({ price }) => price),
      [{ kind: 'flat', cents: '1.25' }],
    )
    const whole = await importFile('tickets-3.1.json', { server: 'https://eu.tickets.example' })
    assert.deepEqual(find(whole.file.actions, 'buy_ticket').example, { event: 'opera', seats: [1] })
  })

  test('reads 3.2: query strings and references to the document itself', async () => {
    const { file, refused } = await importFile('search-3.2.json')
    const [action] = file.actions
    assert.ok(action)
    assert.deepEqual(buildRequest(action.request, { q: { text: 'x', page: 2 } }).query, {
      text: 'x',
      page: '2',
    })
    assert.deepEqual(action.simulate[0]?.body, { hits: ['example'] })
    for (const [name, reason] of [
      ['QUERY /find', /method QUERY/],
      ['COPY /find', /method COPY/],
      ['GET /live', /event-stream/],
    ] as const)
      assert.match(refused.get(name) ?? '', reason)
  })

  test('sends lists and objects of a query in the style of the document', async () => {
    const list = { schema: { type: 'array', items: { type: 'string' } } }
    const point = {
      schema: { type: 'object', properties: { x: { type: 'integer' }, y: { type: 'integer' } } },
    }
    const cases: readonly (readonly [object, unknown, unknown])[] = [
      [list, ['a', 'b'], { p: ['a', 'b'] }],
      [{ ...list, explode: false }, ['a', 'b'], { p: 'a,b' }],
      [{ ...list, style: 'spaceDelimited' }, ['a', 'b'], { p: 'a b' }],
      [{ ...list, style: 'pipeDelimited' }, ['a', 'b'], { p: 'a|b' }],
      [point, { x: 1, y: 2 }, { x: '1', y: '2' }],
      [{ ...point, explode: false }, { x: 1, y: 2 }, { p: 'x,1,y,2' }],
      [{ ...point, style: 'deepObject' }, { x: 1 }, { 'p[x]': '1' }],
    ]
    for (const [parameter, value, expected] of cases) {
      const { request } = await oneOf(queryOf({ name: 'p', ...parameter }))
      assert.deepEqual(
        buildRequest(request, { p: value }).query,
        expected,
        JSON.stringify(parameter),
      )
    }
  })

  test('converts schemas of any draft into strict ones', async () => {
    const cases: readonly (readonly [unknown, readonly unknown[], readonly unknown[]])[] = [
      [{ type: 'integer', minimum: 1, exclusiveMinimum: true }, [2], [1]],
      [{ type: 'string', nullable: true, enum: ['a'] }, ['a', null], ['b']],
      [{ properties: { x: { type: 'string' } } }, [{ x: '' }], [3]],
      [{ oneOf: [{ type: 'string' }, { type: 'integer' }] }, ['a', 1], [true]],
      [
        {
          type: 'object',
          properties: { x: {}, y: {} },
          anyOf: [{ required: ['x'] }, { required: ['y'] }],
        },
        [{ x: 1 }],
        [{}],
      ],
      [{ type: 'string', format: 'unheard-of', minItems: 3, default: 7 }, ['a'], [[]]],
      [true, [1, 'a', null], []],
      [
        {
          allOf: [
            { type: 'object', additionalProperties: false, properties: { x: {} } },
            { type: 'object', properties: { y: { type: 'string' } } },
          ],
        },
        [{ x: 1, y: 'a' }],
        [{ y: 1 }],
      ],
      [{ type: 'string', pattern: '(a+)+$' }, ['b'], [1]],
      [{ type: 'array', uniqueItems: true }, [[1, 1]], [{}]],
    ]
    for (const [schema, good, bad] of cases) {
      const { params } = await oneOf(
        bodyOf({ type: 'object', required: ['v'], properties: { v: schema } }),
      )
      const fits = (v: unknown) => createValidator().matches(params, { v })
      for (const value of good) assert.ok(fits(value), JSON.stringify([schema, value]))
      for (const value of bad) assert.ok(!fits(value), JSON.stringify([schema, value]))
    }
  })

  test('ends for cyclic and deep schemas, and refuses 33 alternatives by name', async () => {
    const cyclic = {
      components: {
        schemas: {
          A: {
            type: 'object',
            properties: {
              a: { $ref: '#/components/schemas/A' },
              b: { $ref: '#/components/schemas/A' },
            },
          },
        },
      },
    }
    const { params } = await oneOf(bodyOf({ $ref: '#/components/schemas/A' }, cyclic))
    assert.ok(JSON.stringify(params).length < 100_000)
    let deep: object = { type: 'string' }
    for (let depth = 0; depth < 40; depth += 1) deep = { type: 'object', properties: { x: deep } }
    await oneOf(bodyOf(deep))
    const endless = {
      components: {
        schemas: { A: { $ref: '#/components/schemas/B' }, B: { $ref: '#/components/schemas/A' } },
      },
    }
    assert.match(
      await problemOf(bodyOf({ $ref: '#/components/schemas/A' }, endless)),
      /POST \/a: has references that never end/,
    )
    const many = Array.from({ length: 33 }, (_, index) => ({ const: index }))
    assert.match(await problemOf(bodyOf({ oneOf: many })), /POST \/a: has a choice of more than 32/)
  })

  test('refuses what no action can express, by name with the reason', async () => {
    const answer = (content: object) => ({ responses: { 200: { content } } })
    const cases: readonly (readonly [object, RegExp])[] = [
      [{ responses: { 204: {} } }, /without content/],
      [{ responses: { 302: {} } }, /redirect/],
      [answer({ 'application/pdf': {} }), /application\/pdf/],
      [{ parameters: [{ name: 'c', in: 'cookie', required: true, schema: {} }] }, /"cookie"/],
      [
        {
          parameters: [
            { name: 'f', in: 'query', required: true, content: { 'application/json': {} } },
          ],
        },
        /sent as application\/json/,
      ],
      [{ parameters: [{ $ref: '#/nowhere' }] }, /"#\/nowhere", which does not exist/],
      [{ parameters: [{ $ref: 'https://elsewhere.example/x.json' }] }, /another document/],
      [{ servers: [{ url: 'https://other.example' }] }, /server of its own/],
      [{ 'x-tollgate-price': { kind: 'flat', cents: '0' } }, /"\/price\/cents" must be above 0/],
      [{ 'x-tollgate-price': '1,5' }, /no amount in cents: 1,5/],
    ]
    for (const [operation, reason] of cases) {
      const problem = await problemOf(documentOf(operation))
      assert.match(problem, /GET \/a: /)
      assert.match(problem, reason)
    }
    assert.match(
      await problemOf(documentOf(), { cents: undefined }),
      /has no price: add --price-cents/,
    )
    const foreign = { 'x-payment-info': { price: { mode: 'dynamic', amount: '1' } } }
    assert.match(await problemOf(documentOf(foreign), { cents: undefined }), /has no price/)
    assert.match(await problemOf(documentOf(), { only: ['b'] }), /no operation "b"/)
    assert.match(
      await problemOf(documentOf(), { service: 'semantic' }),
      /"\/service" is the name of a built-in/,
    )
    assert.match(
      await problemOf(documentOf({}, { servers: [{ url: 'http://10.0.0.1' }] })),
      /private network/,
    )
  })

  test('asks for security and servers that the document leaves open', async () => {
    const open = documentOf({}, { security: undefined })
    assert.match(await problemOf(open), /no security.*--auth-header NAME.*--no-auth/)
    const read = async (auth: string) => (await importOpenApi(open, options({ auth }))).file.auth
    assert.deepEqual(await read('none'), 'none')
    assert.deepEqual(await read('X-Key'), { header: 'X-Key', value: '${KEY}' })
    assert.deepEqual(await read('Authorization'), {
      header: 'Authorization',
      value: 'Bearer ${KEY}',
    })
    const several = [{ url: 'https://one.example' }, { url: 'https://two.example' }]
    assert.match(
      await problemOf(documentOf({}, { servers: several })),
      /one of https:\/\/one\.example, https:\/\/two/,
    )
    const relative = documentOf({}, { servers: [{ url: '/v3' }] })
    assert.match(await problemOf(relative), /relative: add --server/)
    const { file } = await importOpenApi(
      relative,
      options({ from: 'https://acme.example/docs/openapi.json' }),
    )
    assert.equal(file.base_url, 'https://acme.example/v3')
  })

  test('refuses a text that is no document before it reads further', async () => {
    const cases: readonly (readonly [string, RegExp])[] = [
      ['openapi: 3.0.0\ninfo:\n', /not JSON\. Convert YAML first: npx yaml/],
      ['[1', /not a JSON object/],
      ['{"openapi":"4.0.0","info":{},"paths":{}}', /version from 3\.0 to 3\.2/],
      ['{"openapi":"3.1.0","info":{},"webhooks":{}}', /no "info" or no "paths"/],
      [`{"x":"${'a'.repeat(33 * 1024 * 1024)}"}`, /larger than 32 MiB/],
      [`[${'{"$ref":1},'.repeat(200_001)}0]`, /more than 200000 references/],
    ]
    for (const [text, reason] of cases) assert.match(await problemOf(text), reason)
  })

  test('gives each action its own name of at most 60 characters', async () => {
    const responses = { 200: { description: 'ok' } }
    const paths = Object.fromEntries(
      ['/a', '/A', `/${'long'.repeat(40)}`].map((path) => [
        path,
        { get: { responses }, put: { operationId: 'getA', responses } },
      ]),
    )
    const { file } = await importOpenApi(documentOf({}, { paths }), options())
    const names = file.actions.map(({ action }) => action)
    assert.equal(new Set(names).size, 6)
    assert.ok(names.every((name) => name.length <= 60))
    assert.ok(names.includes('get_a_3'), names.join())
  })

  test('applies overlays before it reads the document', async () => {
    const overlay = (...actions: object[]) =>
      JSON.stringify({ overlay: '1.0.0', info: {}, actions })
    const priced = overlay(
      { target: '$.paths.*.get', update: { 'x-tollgate-price': '7', tags: ['new'] } },
      { target: "$.paths['/a']['get'].description", remove: true },
    )
    const text = documentOf({ tags: ['old'], description: 'Gone.' })
    const action = await oneOf(text, { overlays: [priced] })
    assert.deepEqual(action.price, { kind: 'flat', cents: '7' })
    assert.deepEqual([action.keywords, action.description], [['old', 'new'], undefined])
    const removed = overlay({ target: '$..get', remove: true })
    assert.match(await problemOf(text, { overlays: [removed] }), /No operation/)
    const refusals: readonly (readonly [string, RegExp])[] = [
      [overlay({ target: '$.nowhere', remove: true }), /\$\.nowhere.*\(action 1\) matches nothing/],
      [overlay({ target: '$.paths[?@.get]', remove: true }), /more than names, indexes/],
      ['{}', /"overlay": "1\.0\.0"/],
    ]
    for (const [one, reason] of refusals)
      assert.match(await problemOf(text, { overlays: [one] }), reason)
  })
})
