/** Files that would harm the gateway, its operator or its callers. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { sampleOf } from '../../../test/harness/sample.ts'
import { cents } from '../../lib/money.ts'
import { leastPrice } from '../prices/price.ts'
import { readFolder } from './read-folder.ts'
import { acmeAction, acmeFile, readFiles, withFolder } from './testing/acme.ts'

type Json = Record<string, unknown>

async function assertFault(file: unknown, pointer: string | null, problem: RegExp): Promise<void> {
  const { faults } = await readFiles(file)
  assert.ok(
    faults.some((fault) => fault.pointer === pointer && problem.test(fault.problem)),
    `${pointer} ${problem}: ${JSON.stringify(faults)}`,
  )
}

const withAction = (changes: Json) => acmeFile({ actions: [acmeAction(changes)] })
const request = acmeAction()['request'] as Json
const params = acmeAction()['params'] as Json & { readonly properties: Json }
const withProperty = (name: string, schema: unknown) =>
  withAction({
    params: { ...params, properties: { ...params.properties, [name]: schema } },
    request: { ...request, query: { all: { from: '/lang' } }, method: 'POST', body: undefined },
    price: { kind: 'unit', cents: '1', unit: 'row', at_most: 5 },
  })

describe('a file of ACTIONS_DIR', () => {
  test('counts units from one, because a call of none would be free', async () => {
    const price = (param: string) => ({ kind: 'unit', cents: '1', unit: 'row', at_most: { param } })
    const counted = (name: string, schema: unknown) =>
      withAction({
        params: {
          ...params,
          required: ['id', name],
          properties: { ...params.properties, [name]: schema },
        },
        price: price(name),
        example: { id: '7', limit: 5, tags: ['a'] },
      })
    const at = '/actions/0/price/at_most/param'
    const limit = { type: 'integer', maximum: 50 }
    for (const minimum of [undefined, 0, -5])
      await assertFault(counted('limit', { ...limit, minimum }), at, /"minimum" of at least 1/)
    const tags = { type: 'array', items: { type: 'string' }, maxItems: 5 }
    for (const minItems of [undefined, 0])
      await assertFault(counted('tags', { ...tags, minItems }), at, /"minItems" of at least 1/)
    for (const schema of [
      { ...limit, minimum: 1 },
      { ...tags, minItems: 1 },
    ])
      assert.deepEqual(
        (await readFiles(counted(schema.type === 'array' ? 'tags' : 'limit', schema))).faults,
        [],
      )
  })

  test('is not delivered whole for a part of its price', async () => {
    const least = async (price: Json, outcome: Json) => {
      const { services } = await readFiles(
        withAction({
          price,
          outcome: [outcome],
          simulate: [{ status: 200, body: { cost: 1, rows: ['a'] } }],
        }),
      )
      const action = services[0]?.actions['company']
      return action === undefined ? null : leastPrice(action, { id: '7' })
    }
    const units = { else: 'done', units: { count_at: '/rows' } }
    assert.equal(
      await least({ kind: 'unit', cents: '1', unit: 'row', at_most: 7 }, units),
      cents('7'),
    )
    assert.equal(
      await least({ kind: 'actual', cap_cents: '5' }, { else: 'done', actual_cents_at: '/cost' }),
      cents('5'),
    )
  })

  test('is never sent a lowered count below its minimum', async () => {
    const limit = { type: 'integer', minimum: 5, maximum: 50 }
    const { services } = await readFiles(
      withAction({ params: { ...params, properties: { ...params.properties, limit } } }),
    )
    const action = services[0]?.actions['company']
    assert.ok(action !== undefined)
    assert.equal(leastPrice(action, { id: '7', limit: 20 }), cents('2.5'))
  })

  test('with limits that are no whole numbers has a fault, and does not stop the reader', async () => {
    for (const maximum of [10.5, '50', null, 1e300, [], true])
      await assertFault(
        withAction({
          params: {
            ...params,
            properties: { ...params.properties, limit: { type: 'integer', minimum: 1, maximum } },
          },
        }),
        '/actions/0/price/at_most/param',
        /"maximum"/,
      )
  })

  test('has no pattern that can take long for the text of a caller', async () => {
    const at = '/actions/0/params/properties/code/pattern'
    const text = (pattern: string, maxLength: number | undefined = 100) =>
      withProperty('code', { type: 'string', maxLength, pattern })
    for (const pattern of [
      '^(a+)+$',
      '^(a|a)*$',
      '^(a|ab)(c|bcd)(d*)+$',
      '(x+x+)+y',
      '^(?:a?){20}a{20}$',
      '^a*a*a*a*a*b$',
      'a*a*a*b',
      '^(?=a+b)a+$',
      '^(a*)\\1$',
      '^((a{1,9}){1,9}){1,9}$',
      '^a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?aaaaaaaaaa$',
      '^[^]]*x*y*z*w*$',
    ])
      await assertFault(text(pattern), at, /could take long/)
    await assertFault(
      withProperty('code', { type: 'string', pattern: '^\\w+\\d+$' }),
      at,
      /could take long/,
    )
    await assertFault(
      withProperty('code', { type: 'object', patternProperties: { 'a+b': {} } }),
      '/actions/0/params/properties/code/patternProperties/a+b',
      /could take long/,
    )
    for (const pattern of [
      '^[a-z]{2,8}$',
      '^\\d{4}-\\d{2}-\\d{2}$',
      '^(desc|asc)$',
      '^[\\w.+-]+@[\\w-]+\\.[a-z]{2,9}$',
      '^[A-Z]{2}(-[A-Z]{2})?$',
      '^https?://',
      '^[(|)*+?{}]$',
      '^\\(\\+\\)$',
    ])
      assert.deepEqual((await readFiles(text(pattern))).faults, [], pattern)
  })

  test('compares the items of a list only up to a bounded number', async () => {
    const at = '/actions/0/params/properties/list/uniqueItems'
    const list = { type: 'array', items: { type: 'object' }, uniqueItems: true }
    await assertFault(withProperty('list', list), at, /"maxItems"/)
    await assertFault(withProperty('list', { ...list, maxItems: 100_000 }), at, /"maxItems"/)
    assert.deepEqual((await readFiles(withProperty('list', { ...list, maxItems: 100 }))).faults, [])
  })

  test('has no name that schemas or programs read as another thing', async () => {
    const at = '/actions/0/params/properties'
    for (const name of ['$id', '$anchor', '$dynamicAnchor'])
      await assertFault(withProperty('x', { [name]: 'a' }), `${at}/x/${name}`, /not supported/)
    const proto = JSON.stringify(acmeFile()).replace('"lang":{"from"', '"__proto__":{"from"')
    await assertFault(
      proto,
      '/actions/0/request/query/__proto__',
      /is not a name that JSON files may use/,
    )
    const hidden = JSON.stringify(acmeFile()).replace('"title"', '"\\u005f_proto__":1,"title"')
    await assertFault(hidden, '/__proto__', /is not a name/)
  })

  test('lets no caller replace a fixed or secret part of the request', async () => {
    const at = '/actions/0/request'
    const open = { type: 'object' }
    const filter = (schema: Json, query: Json, file: Json = {}) => ({
      ...withAction({
        params: { ...params, properties: { id: { type: 'string' }, filter: schema } },
        request: { method: 'GET', path: '/c/{id}', query },
        price: { kind: 'flat', cents: '1' },
        outcome: [{ else: 'done' }],
      }),
      ...file,
    })
    const closed = (...names: string[]) => ({
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
      additionalProperties: false,
    })
    const from = { from: '/filter' }
    await assertFault(filter(open, { f: from }), `${at}/query/f`, /additionalProperties/)
    await assertFault(filter(closed('max'), { f: from, max: 5 }), `${at}/query/f`, /"max"/)
    assert.deepEqual((await readFiles(filter(closed('year'), { f: from, max: 5 }))).faults, [])
    assert.deepEqual(
      (await readFiles(filter(open, { f: { ...from, style: 'deepObject' }, max: 5 }))).faults,
      [],
    )
    const keyed = { auth: { query: 'key', value: '${KEY}' } }
    await assertFault(filter(closed('key'), { f: from }, keyed), `${at}/query/f`, /"key"/)
    await assertFault(
      filter(closed('a'), { f: from, key: 5 }, keyed),
      `${at}/query/key`,
      /credential/,
    )
    await assertFault(
      withAction({
        request: { ...request, headers: { AUTHORIZATION: { from: '/lang' } } },
      }),
      `${at}/headers/AUTHORIZATION`,
      /credential/,
    )
  })

  test('is a regular file within the folder, of bounded size', async () => {
    await withFolder({ 'acme.json': acmeFile() }, async (folder) => {
      const inside = join(folder, 'in')
      mkdirSync(inside)
      symlinkSync(join(folder, 'acme.json'), join(inside, 'linked.json'))
      const linked = await readFolder(inside, new Set())
      assert.match(linked.faults[0]?.problem ?? '', /link that leaves the folder/)
      assert.deepEqual(linked.services, [])
      execFileSync('mkfifo', [join(folder, 'pipe.json')])
      mkdirSync(join(folder, 'folder.json'))
      writeFileSync(join(folder, 'big.json'), Buffer.alloc(2 * 1024 * 1024 + 1, ' '))
      const { faults } = await readFolder(folder, new Set())
      assert.deepEqual(
        faults.map(({ problem }) => problem),
        ['is larger than 2 MiB.', 'is not a regular file.', 'is not a regular file.'],
      )
    })
  })

  test('may be a link within the folder, as volumes of Kubernetes make them', async () => {
    await withFolder({ 'acme.json': acmeFile() }, async (folder) => {
      mkdirSync(join(folder, '..version-1'))
      renameSync(join(folder, 'acme.json'), join(folder, '..version-1', 'acme.json'))
      symlinkSync('..version-1', join(folder, '..data'))
      symlinkSync(join('..data', 'acme.json'), join(folder, 'acme.json'))
      const { faults, services } = await readFolder(folder, new Set())
      assert.deepEqual(faults, [])
      assert.equal(services.length, 1)
    })
  })

  test('is refused with the line of its mistake, and without its text', async () => {
    const secret = JSON.stringify(acmeFile(), null, 1).replace('"${KEY}"', 'x').split('\n')
    secret[2] = ' "base_url": sk-live-1234567890,'
    const { faults } = await readFiles(secret.join('\n'))
    assert.equal(faults[0]?.line, 3)
    assert.match(faults[0].problem, /^is not JSON/)
    assert.doesNotMatch(JSON.stringify(faults), /sk-live|1234567890/)
  })

  test('returns faults for any change of any part, and never throws', async () => {
    const odd = [null, true, -1, 10.5, 1e300, '', 'x', [], {}, [null], { type: 5 }, { from: 5 }]
    for (const path of sampleOf(pathsIn(acmeFile()), 6))
      for (const value of odd) {
        const file = changed(acmeFile(), path, value)
        await assert.doesNotReject(readFiles(file), JSON.stringify([path, value]))
      }
  })
})

function pathsIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([name, part]) => pathsIn(part, [...path, name]))]
}

function changed(value: unknown, [name, ...rest]: readonly string[], by: unknown): unknown {
  if (name === undefined) return by
  const copy = structuredClone(value) as Json
  copy[name] = changed(copy[name], rest, by)
  return copy
}
