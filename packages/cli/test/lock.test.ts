/** `lock` and `check` against descriptors that change between the two. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { before, beforeEach, describe, it } from 'node:test'
import { cleanUp } from '../../../test/harness/clean-up.ts'
import { createCatalog } from '../../../src/catalog/index.ts'
import { describeAction } from '../../../src/catalog/published/describe-action.ts'
import { AppError } from '../../../src/errors/app-error.ts'
import { compareSchemas, type Side } from '../src/lock/compare-schema.ts'
import { lockSchema, type LockableSchema } from '../src/lock/lock-schema.ts'
import { homeFolder, runLine } from './testing/run-line.ts'

const catalog = createCatalog()
const published = {
  services: catalog.services,
  laneOf: () => ({ live: null, lanes: [] }),
  publicUrl: 'https://gate.example',
}

describe('tollgate.lock', () => {
  const home = homeFolder()
  const file = join(home, 'tollgate.lock')
  const patches = new Map<string, object>()
  const removed = new Set<string>()
  let url: string

  before(async () => {
    const server = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://gate.example')
      const [service = '', action = ''] = pathname.replace('/api/run/', '').split('/')
      response.setHeader('content-type', 'application/json')
      try {
        if (removed.has(`${service}/${action}`)) throw new AppError('unknown_action', 'Unknown.')
        const endpoint = searchParams.get('endpoint') ?? undefined
        const found = describeAction(published, catalog, service, action, endpoint)
        response.end(JSON.stringify({ ...found, ...patches.get(`${service}/${action}`) }))
      } catch (error) {
        assert.ok(error instanceof AppError)
        const { code, message, fix } = error
        response.statusCode = error.spec.status
        response.end(JSON.stringify({ ok: false, error: { code, message, fix, retryable: false } }))
      }
    })
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
    cleanUp(() => void server.close())
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  beforeEach(() => {
    patches.clear()
    removed.clear()
    writeFileSync(file, '{"version":1,"actions":{}}')
  })

  const line = (...words: string[]) =>
    runLine([...words, '--file', file], {
      environment: { HOME: home, TOLLGATE_URL: url },
      columns: 120,
    })
  const content = () =>
    JSON.parse(readFileSync(file, 'utf8')) as {
      actions: Record<string, { price_id: string; max_cents: number; input: { fields: object } }>
    }

  it('stores price, limit and schemas, sorted, and the same text twice', async () => {
    const { code, err } = await line('lock', 'core/onesearch', 'core/onescrape')
    assert.equal(code, 0, err)
    const first = readFileSync(file, 'utf8')
    assert.deepEqual(Object.keys(content().actions), ['core/onescrape', 'core/onesearch'])
    const { price_id, max_cents, input } = content().actions['core/onescrape'] ?? assert.fail()
    assert.match(price_id, /^price_[0-9a-f]{12}$/)
    assert.equal(max_cents, 2)
    assert.match(String((input.fields as Record<string, string>)['urls']), /^array/)
    assert.equal((await line('lock')).code, 0)
    assert.equal(readFileSync(file, 'utf8'), first)
    assert.equal((await line('check')).code, 0)
  })

  it('stores the limit of a call, and leaves it when the action is locked again', async () => {
    await line('lock', 'core/onescrape', '--max-cents', '9')
    await line('lock', 'core/onescrape')
    assert.equal(content().actions['core/onescrape']?.max_cents, 9)
    const low = await line('lock', 'core/onescrape', '--max-cents', '1')
    assert.deepEqual([low.code, content().actions['core/onescrape']?.max_cents], [2, 9])
  })

  it('has an entry per endpoint of a passthrough, and the whole has no entry', async () => {
    assert.equal((await line('lock', 'trends/fetch /trend')).code, 0)
    assert.deepEqual(Object.keys(content().actions), ['trends/fetch /trend'])
    const whole = await line('lock', 'trends/fetch')
    assert.equal(whole.code, 2)
    assert.match(whole.err, /endpoints/)
  })

  it('fails the check when the price changed, until the action is locked again', async () => {
    await line('lock', 'core/onescrape')
    const { price } = describeAction(published, catalog, 'core', 'onescrape')
    patches.set('core/onescrape', {
      price_id: 'price_000000000000',
      price: { ...price, text: '3¢ per page', price_cents: 3, example_cents: 3 },
    })
    const failed = await line('check', '--allow-compatible', '--json')
    assert.equal(failed.code, 1)
    const { error } = JSON.parse(failed.out) as {
      error: {
        code: string
        details: { changes: { action: string; change: string; compatible: boolean }[] }
      }
    }
    assert.equal(error.code, 'lock_drift')
    assert.deepEqual(error.details.changes, [
      {
        action: 'core/onescrape',
        change: `price: changed from ${price.text} to 3¢ per page`,
        compatible: false,
      },
      {
        action: 'core/onescrape',
        change: 'price: max_cents is 2, and a call costs at least 3¢',
        compatible: false,
      },
    ])
    await line('lock')
    assert.equal(content().actions['core/onescrape']?.max_cents, 3)
    assert.equal((await line('check')).code, 0)
  })

  it('fails the check on a compatible change, unless these are allowed', async () => {
    await line('lock', 'core/onescrape')
    const { params } = describeAction(published, catalog, 'core', 'onescrape')
    patches.set('core/onescrape', {
      params: { ...params, properties: { ...params.properties, extra: { type: 'boolean' } } },
    })
    const failed = await line('check')
    assert.equal(failed.code, 1)
    assert.match(failed.err, /compatible {2}input: extra added \(boolean, optional\)/)
    assert.equal((await line('check', '--allow-compatible')).code, 0)
  })

  it('fails the check when an action is gone', async () => {
    await line('lock', 'core/onescrape')
    removed.add('core/onescrape')
    const { code, err } = await line('check', '--allow-compatible')
    assert.equal(code, 1)
    assert.match(err, /breaking {4}removed from the catalog/)
  })

  it('rejects a file that is not a lock, and leaves it unchanged', async () => {
    for (const text of ['<<<<<<< HEAD', '{}', '{"version":2,"actions":{}}']) {
      writeFileSync(file, text)
      assert.equal((await line('lock', 'core/onescrape')).code, 2)
      assert.equal((await line('check')).code, 2)
      assert.equal(readFileSync(file, 'utf8'), text)
    }
  })

  it('locks every action and endpoint of the catalog with a form for each field', () => {
    for (const { service, name, action } of catalog.allActions()) {
      const endpoint = action.kind === 'endpoint' ? action.endpoints[0]?.endpoint : undefined
      const { params, returns } = describeAction(published, catalog, service.id, name, endpoint)
      for (const schema of [params, returns])
        if (schema !== null)
          for (const form of Object.values(lockSchema(schema as LockableSchema).fields))
            assert.doesNotMatch(form, /undefined|\[object/)
    }
  })
})

describe('a change of a schema', () => {
  const base: LockableSchema = {
    type: 'object',
    required: ['q', 'rows'],
    properties: {
      q: { type: 'string', maxLength: 10 },
      limit: { type: 'integer', minimum: 1, maximum: 10 },
      mode: { enum: ['fast', 'deep'] },
      rows: { type: 'array', items: { type: 'object', properties: { title: { type: 'string' } } } },
    },
  }
  const patch = (properties: object, more: object = {}): LockableSchema => ({
    ...base,
    ...more,
    properties: { ...base.properties, ...properties },
  })
  const isBreaking = (side: Side, after: LockableSchema): boolean => {
    const changes = compareSchemas(side, lockSchema(base), lockSchema(after))
    assert.ok(changes.length > 0)
    return changes.some((change) => change.isBreaking)
  }
  const cases: readonly [string, LockableSchema, input: boolean, answer: boolean][] = [
    ['an added optional field', patch({ more: { type: 'string' } }), false, false],
    [
      'an added required field',
      patch({ more: {} }, { required: ['q', 'rows', 'more'] }),
      true,
      false,
    ],
    ['another type', patch({ limit: { type: 'string' } }), true, true],
    ['a wider limit', patch({ limit: { type: 'integer', minimum: 1, maximum: 20 } }), false, true],
    [
      'a narrower limit',
      patch({ limit: { type: 'integer', minimum: 1, maximum: 5 } }),
      true,
      false,
    ],
    ['a further choice', patch({ mode: { enum: ['fast', 'deep', 'auto'] } }), false, true],
    ['a choice less', patch({ mode: { enum: ['fast'] } }), true, false],
    ['a required field that becomes optional', patch({}, { required: ['rows'] }), false, true],
    [
      'an optional field that becomes required',
      patch({}, { required: ['q', 'rows', 'mode'] }),
      true,
      false,
    ],
    [
      'a field that can be null',
      patch({ q: { type: ['string', 'null'], maxLength: 10 } }),
      false,
      true,
    ],
    [
      'a field of rows that is added',
      patch({
        rows: {
          type: 'array',
          items: {
            type: 'object',
            properties: { title: { type: 'string' }, url: { type: 'string' } },
          },
        },
      }),
      false,
      false,
    ],
    ['a removed field', { ...base, properties: { q: base.properties?.['q'] ?? {} } }, true, true],
    [
      'another pattern',
      patch({ q: { type: 'string', maxLength: 10, pattern: 'a' } as LockableSchema }),
      true,
      true,
    ],
  ]
  const word = (isBroken: boolean): string => (isBroken ? 'breaking' : 'compatible')
  for (const [name, after, input, answer] of cases)
    it(`${name}: input ${word(input)}, answer ${word(answer)}`, () => {
      assert.deepEqual([isBreaking('input', after), isBreaking('answer', after)], [input, answer])
    })

  it('counts only what programs see, and not words', () => {
    const described = patch({
      q: { type: 'string', maxLength: 10, description: 'Other words.' } as LockableSchema,
    })
    assert.deepEqual(compareSchemas('input', lockSchema(base), lockSchema(described)), [])
  })
})
