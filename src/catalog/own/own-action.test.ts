import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AppError } from '../../errors/app-error.ts'
import { cents } from '../../lib/money.ts'
import { createCatalog } from '../index.ts'
import { billable, worstCase } from '../prices/price.ts'
import { descriptor } from '../published/descriptor.ts'
import { createValidator } from '../validate/validate.ts'
import type { CallAction } from '../vocabulary/action.ts'
import type { Data } from '../vocabulary/outcome.ts'
import type { OwnAction } from './own-file.ts'
import { hasValues } from './own-request.ts'
import { asSent } from './simulation.ts'
import { seededRandom } from '../../lib/seeded-random.ts'
import { tryAnswers } from './random-answers.ts'
import { acmeAction, acmeFile, readFiles } from './testing/acme.ts'

type Json = Record<string, unknown>
type Loaded = { readonly action: CallAction; readonly own: OwnAction }

async function load(changes: Json = {}, file: Json = {}): Promise<Loaded> {
  const { services, files, faults } = await readFiles(
    acmeFile({ ...file, actions: [acmeAction(changes)] }),
  )
  assert.deepEqual(faults, [])
  const [action, own] = [services[0]?.actions['company'], files[0]?.actions[0]]
  assert.ok(action?.kind === 'call' && own !== undefined)
  return { action, own }
}

function outcomeOf({ action }: Loaded, body: unknown, status = 200, input: Data = { id: '7' }) {
  const outcome = action.outcome({ status, headers: {}, body }, input)
  return `${outcome.kind} ${billable(action, input, outcome)}`
}

const flat = (outcome: readonly Json[], more: Json = {}) =>
  load({ price: { kind: 'flat', cents: '1' }, outcome, ...more })

describe('the outcome of an own action', () => {
  test('charges filled rows up to the hold, and neither misses nor failures', async () => {
    const acme = await load()
    assert.equal(
      outcomeOf(acme, { rows: [{ name: 'A' }, {}, null, { name: '' }, { id: 5 }] }),
      'done 10000',
    )
    assert.equal(outcomeOf(acme, { rows: Array(99).fill('row') }), 'done 50000')
    assert.equal(
      outcomeOf(acme, { rows: Array(99).fill('row') }, 200, { id: '7', limit: 2 }),
      'done 10000',
    )
    for (const body of [{ rows: [] }, { rows: [{}] }, { rows: 'x' }, {}, null, '', []])
      assert.equal(outcomeOf(acme, body), 'empty 0', JSON.stringify(body))
    assert.equal(outcomeOf(acme, { rows: ['a'], error: null }), 'failed 0')
    assert.equal(outcomeOf(acme, { rows: ['a'] }, 404), 'empty 0')
    assert.equal(outcomeOf(acme, { rows: ['a'] }, 500), 'failed 0')
    assert.equal(worstCase(acme.action, { id: '7' }), cents('5'))
  })

  test('never delivers a blank answer or an error alone, under any rules', async () => {
    const acme = await flat([{ else: 'done' }])
    for (const body of [{}, [], '', ' ', null, { rows: [{}] }, { name: null }])
      assert.equal(outcomeOf(acme, body), 'empty 0', JSON.stringify(body))
    assert.equal(outcomeOf(acme, { error: 'quota exceeded', status: 'error' }), 'failed 0')
    assert.equal(outcomeOf(acme, { name: 'Acme' }, 404), 'failed 0')
    assert.equal(outcomeOf(acme, { name: 'Acme' }), 'done 10000')
  })

  test('never delivers JSON that is cut off or a page of a server in front of the API', async () => {
    const acme = await flat([{ else: 'done' }])
    for (const body of [
      '{"rows": [{"name": "Ac',
      '[1, 2',
      '<!doctype html><title>Sign in</title>',
      '\n<HTML><body>Bad gateway</body></HTML>',
    ])
      assert.equal(outcomeOf(acme, body), 'failed 0', body)
    for (const body of ['plain text', '5', 'true story', '<rows><row/></rows>'])
      assert.equal(outcomeOf(acme, body), 'done 10000', body)
  })

  test('tries the rules in order, with every predicate', async () => {
    const rules = (when: Json) =>
      flat([{ when, is: 'empty' }, { else: 'done' }], {
        simulate: [{ status: 200, body: { a: 'content' } }],
      })
    const cases: [Json, unknown, boolean][] = [
      [{ at: '/a/0/b', equals: 1 }, { a: [{ b: 1 }] }, true],
      [{ at: '/a/00/b', equals: 1 }, { a: [{ b: 1 }] }, false],
      [{ at: '/a~1b/~0', exists: true }, { 'a/b': { '~': 1 } }, true],
      [{ at: '/length', exists: true }, ['x'], false],
      [{ at: '/toString', exists: true }, { x: 1 }, false],
      [{ at: '/a', equals: { b: 1, c: [2] } }, { a: { c: [2], b: 1 } }, true],
      [{ at: '/a', equals: null }, { a: null, b: 1 }, true],
      [{ at: '/a', equals: null }, { b: 1 }, false],
      [{ at: '/a', equals: '1' }, { a: 1 }, false],
      [{ at: '/a', one_of: ['x', 'y'] }, { a: 'y' }, true],
      [{ at: '/a', type: 'null' }, { a: null, b: 1 }, true],
      [{ at: '/a', type: 'array' }, { a: [1] }, true],
      [{ at: '/a', blank: true }, { b: 1 }, true],
      [{ at: '/a', blank: true }, { a: 0 }, false],
      [{ at: '/a', at_least: 3 }, { a: 3 }, true],
      [{ at: '/a', at_least: 3 }, { a: '9' }, false],
      [
        {
          all: [
            { status: ['2xx'] },
            {
              any: [
                { at: '/a', equals: 1 },
                { at: '/a', equals: 2 },
              ],
            },
          ],
        },
        { a: 2 },
        true,
      ],
    ]
    for (const [when, body, isMiss] of cases) {
      const kind = outcomeOf(await rules(when), body)
      assert.equal(kind, isMiss ? 'empty 0' : 'done 10000', JSON.stringify([when, body]))
    }
  })

  test('settles what the vendor charged, rounded up and never above the cap', async () => {
    const acme = await load({
      price: { kind: 'actual', cap_cents: '5' },
      outcome: [{ else: 'done', actual_cents_at: '/cost' }],
      simulate: [{ status: 200, body: { cost: 1, a: 'b' } }],
    })
    const charges: [unknown, string][] = [
      [0.1, '1000'],
      [0.3, '3000'],
      [1.000001, '10001'],
      ['2.5', '25000'],
      [0, '0'],
      [99, '50000'],
      [1e300, '50000'],
      [-1, '50000'],
      ['x', '50000'],
      [null, '50000'],
    ]
    for (const [cost, charged] of charges)
      assert.equal(outcomeOf(acme, { cost, name: 'Acme' }), `done ${charged}`, String(cost))
  })

  test('passes on the message that a rule names', async () => {
    const { action } = await flat([
      {
        when: { at: '/error', exists: true },
        is: 'failed',
        code: 'upstream_rejected',
        message_at: '/error/text',
      },
      { else: 'done' },
    ])
    const outcome = action.outcome(
      { status: 200, headers: {}, body: { error: { text: 'No such id' } } },
      {},
    )
    assert.ok(outcome.kind === 'failed')
    assert.deepEqual(outcome.details, {
      upstream: { service: 'acme', status: 200, code: null, message: 'No such id' },
    })
  })

  test('bills 10,000 random answers as the rules demand', async () => {
    const actions = [
      await load(),
      await flat([{ when: { status: ['4xx'] }, is: 'empty' }, { else: 'done' }], {
        billing: { on_miss: 'charged' },
      }),
      await load({
        price: {
          kind: 'unit',
          cents: '0.3333',
          unit: 'row',
          at_most: 7,
          base_cents: '1',
          minimum_cents: '2',
        },
        outcome: [
          { when: { at: '/more', type: 'boolean' }, is: 'partial', units: { count_at: '/rows' } },
          { else: 'done', units: { number_at: '/count' } },
        ],
        simulate: [{ status: 200, body: { count: 1 } }],
      }),
      await load({
        price: { kind: 'actual', cap_cents: '5' },
        outcome: [{ else: 'done', actual_cents_at: '/cost' }],
        simulate: [{ status: 200, body: { cost: 1 } }],
      }),
    ]
    for (const [seed, { own, action }] of actions.entries()) {
      const trial = tryAnswers(
        own,
        action,
        { id: '7' },
        { count: 10_000, random: seededRandom(seed) },
      )
      assert.deepEqual(trial.misbilled, [])
      assert.ok(
        trial.decided.every((count) => count > 0),
        JSON.stringify(trial.decided),
      )
    }
  })

  test('finds a mis-billed answer if there is one', async () => {
    const { own, action } = await load()
    const generous: CallAction = {
      ...action,
      outcome: ({ body }) => ({ kind: 'done', data: { body }, units: 1 }),
    }
    const { misbilled, wrong } = tryAnswers(
      own,
      generous,
      { id: '7' },
      { count: 1_000, random: seededRandom(1) },
    )
    assert.ok(wrong > misbilled.length && misbilled.length > 0)
  })
})

describe('the request of an own action', () => {
  const requestOf = async (
    request: Json,
    properties: Json,
    input: Data,
    required: string[] = [],
  ) => {
    const { action, own } = await load({
      params: { type: 'object', required, properties },
      request,
      price: { kind: 'flat', cents: '1' },
      outcome: [{ else: 'done' }],
      example: input,
      simulate: [{ status: 200, body: { a: 'b' } }],
    })
    return { ...action.request(createValidator().validate(action.input, input)), own }
  }

  test('sends the parameters that it does not name as query or JSON', async () => {
    const properties = { id: { type: 'string' }, lang: { type: 'string', default: 'en' } }
    const get = await requestOf({ method: 'GET', path: '/c/{id}' }, properties, { id: 'a/b c' }, [
      'id',
    ])
    assert.equal(get.path, '/c/a%2Fb%20c')
    assert.deepEqual(get.query, { lang: 'en' })
    const post = await requestOf({ method: 'POST', path: '/c' }, properties, { id: 'x' })
    assert.deepEqual(post.json, { id: 'x', lang: 'en' })
  })

  test('writes lists and objects in every style of OpenAPI', async () => {
    const list = { type: 'array', items: { type: 'string' } }
    const object = {
      type: 'object',
      properties: { a: { type: 'integer' }, b: { type: 'boolean' } },
      additionalProperties: false,
    }
    const styled = async (from: Json, schema: Json, value: unknown) =>
      (
        await requestOf(
          { method: 'GET', path: '/', query: { q: { from: '/v', ...from } } },
          { v: schema },
          { v: value },
        )
      ).query
    assert.deepEqual(await styled({}, list, ['x', 'y']), { q: ['x', 'y'] })
    assert.deepEqual(await styled({ explode: false }, list, ['x', 'y']), { q: 'x,y' })
    assert.deepEqual(await styled({ style: 'pipeDelimited' }, list, ['x', 'y']), { q: 'x|y' })
    assert.deepEqual(await styled({ style: 'spaceDelimited' }, list, ['x', 'y']), { q: 'x y' })
    assert.deepEqual(await styled({ style: 'deepObject' }, object, { a: 1, b: true }), {
      'q[a]': '1',
      'q[b]': 'true',
    })
    assert.deepEqual(await styled({}, object, { a: 1, b: true }), { a: '1', b: 'true' })
    assert.deepEqual(await styled({ explode: false }, object, { a: 1, b: true }), {
      q: 'a,1,b,true',
    })
  })

  test('fills a body by its template, without members that have no value', async () => {
    const { json } = await requestOf(
      {
        method: 'POST',
        path: '/',
        body: {
          fixed: 1,
          deep: { id: { from: '/id' }, none: { from: '/lang' } },
          all: [{ from: '/id' }],
        },
      },
      { id: { type: 'string' }, lang: { type: 'string' } },
      { id: 'x' },
    )
    assert.deepEqual(json, { fixed: 1, deep: { id: 'x' }, all: ['x'] })
    const { form } = await requestOf(
      { method: 'POST', path: '/', form: { i: { from: '/id' } } },
      { id: { type: 'integer' } },
      { id: 5 },
    )
    assert.deepEqual(form, { i: '5' })
  })

  test('rejects values that would reach another path or split a header, before the hold', async () => {
    const { action } = await load()
    for (const id of ['..', '.', '']) assert.throws(() => action.check({ id }), AppError, id)
    const header = await load({
      request: {
        method: 'GET',
        path: '/companies/{id}',
        headers: { 'X-Lang': { from: '/lang' } },
        query: { t: { from: '/tags' }, l: { from: '/limit' } },
      },
    })
    for (const lang of ['a\r\nb: c', 'ä'])
      assert.throws(() => header.action.check({ id: '7', lang }), AppError)
    assert.throws(() => header.action.check({ id: '7', tags: [{}] }), AppError)
  })

  test('is recognized by its values in every place, for simulated answers', async () => {
    const { own } = await requestOf(
      {
        method: 'POST',
        path: '/c/{id}',
        query: { t: { from: '/tags' } },
        headers: { 'X-L': { from: '/lang' } },
        body: { a: { from: '/n' }, k: 1 },
      },
      {
        id: { type: 'string' },
        tags: { type: 'array' },
        lang: { type: 'string' },
        n: { type: 'integer' },
      },
      { id: 'x y', tags: ['a', 'b'], lang: 'de', n: 5 },
      ['id'],
    )
    const sent = asSent({
      method: 'POST',
      path: '/c/x%20y',
      query: { t: ['a', 'b'] },
      headers: { 'x-l': 'de' },
      json: { a: 5, k: 1 },
    })
    for (const when of [
      { id: 'x y' },
      { tags: ['a', 'b'] },
      { lang: 'de' },
      { n: 5 },
      { id: 'x y', n: 5 },
    ])
      assert.ok(hasValues(own.request, sent, when), JSON.stringify(when))
    for (const when of [
      { id: 'x' },
      { tags: ['a'] },
      { lang: 'en' },
      { n: 6 },
      { id: 'x y', n: 6 },
    ])
      assert.ok(!hasValues(own.request, sent, when), JSON.stringify(when))
  })
})

test('the record of an own action publishes the price that it charges', async () => {
  const { services } = await readFiles(acmeFile())
  const [service] = services
  assert.ok(service !== undefined)
  const published = {
    services,
    laneOf: () => ({ live: 'vendor' as const, lanes: ['vendor'] }),
    publicUrl: 'https://gate.example',
  }
  const { price, billing } = descriptor(published, service, 'company') as unknown as {
    price: Json
    billing: Json
  }
  assert.equal(price['unit_price_cents'], 0.5)
  assert.equal(billing['on_miss'], 'free')
  assert.equal(createCatalog(services).findAction('acme', 'company').service, service)
})
