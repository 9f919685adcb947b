import assert from 'node:assert/strict'
import { basename } from 'node:path'
import { describe, test } from 'node:test'
import { faultText, readFolder } from './read-folder.ts'
import { acmeAction, acmeFile, readFiles, withFolder } from './testing/acme.ts'

/** The faults of a file as "line pointer problem". */
async function faultsOf(file: unknown): Promise<string[]> {
  const { faults, services } = await readFiles(file)
  if (faults.length > 0) assert.deepEqual(services, [])
  return faults.map(({ line, pointer, problem }) => `${line} ${pointer} ${problem}`)
}

async function assertFault(file: unknown, pointer: string | null, problem: RegExp): Promise<void> {
  const { faults } = await readFiles(file)
  const at = faults.filter((fault) => fault.pointer === pointer)
  assert.ok(
    at.some((fault) => problem.test(fault.problem)),
    `${pointer} ${problem}: ${JSON.stringify(faults.map(({ pointer: p, problem: q }) => [p, q]))}`,
  )
}

const withAction = (changes: Record<string, unknown>) =>
  acmeFile({ actions: [acmeAction(changes)] })
const request = acmeAction()['request'] as Record<string, unknown>
const params = acmeAction()['params'] as Record<string, unknown>
const properties = params['properties'] as Record<string, unknown>

describe('a file of ACTIONS_DIR', () => {
  test('becomes a service of the catalog', async () => {
    const { services, faults, hash } = await readFiles(acmeFile())
    assert.deepEqual(faults, [])
    assert.equal(services[0]?.actions['company']?.kind, 'call')
    assert.match(hash, /^[0-9a-f]{64}$/)
  })

  test('has a hash of its meaning, not of its layout', async () => {
    const { title, ...rest } = acmeFile()
    const [one, same, other] = await Promise.all([
      readFiles(acmeFile()),
      readFiles(JSON.stringify({ ...rest, title })),
      readFiles(acmeFile({ title: 'Other' })),
    ])
    assert.equal(one.hash, same.hash)
    assert.notEqual(one.hash, other.hash)
  })

  test('reports file, line and pointer of a missing price', async () => {
    const { price: _, ...unpriced } = acmeAction()
    await withFolder({ 'acme.json': acmeFile({ actions: [unpriced] }) }, async (folder) => {
      const { faults, services } = await readFolder(folder, new Set())
      assert.deepEqual(services, [])
      assert.equal(faults.length, 1)
      assert.ok(faults[0] !== undefined)
      assert.match(
        faultText({ ...faults[0], file: basename(faults[0].file) }),
        /^acme\.json:14: "\/actions\/0\/price" is required\./,
      )
    })
  })

  test('names the line of broken JSON, of a repeated name and of a value on one line', async () => {
    assert.match((await faultsOf('{\n"service": "acme",\n}'))[0] ?? '', /^3 null is not JSON/)
    const repeated = JSON.stringify(acmeFile(), null, 1).replace(
      '"title"',
      '"title": "A",\n"title"',
    )
    assert.deepEqual(await faultsOf(repeated), ['4 /title occurs twice in its object.'])
    assert.match(
      (await faultsOf(JSON.stringify(acmeFile({ base_url: 'x' }))))[0] ?? '',
      /^1 \/base/,
    )
  })

  test('finds nothing to use in a folder that cannot be read, or with one broken file', async () => {
    assert.equal((await readFolder('/nowhere/actions', new Set())).faults.length, 1)
    const { services, faults } = await readFiles(acmeFile(), '{')
    assert.equal(faults.length, 1)
    assert.equal(services.length, 1, 'the caller uses nothing while there are faults')
  })

  test('rejects a service that exists, here or in the gateway', async () => {
    await assertFault(acmeFile({ service: 'semantic' }), '/service', /built-in/)
    const { faults } = await readFiles(acmeFile(), acmeFile())
    assert.match(faults[0]?.problem ?? '', /another file/)
  })

  test('rejects secrets in clear, wherever they may stand', async () => {
    const auths: [unknown, string][] = [
      [{ header: 'Authorization', value: 'Bearer sk-12345' }, '/auth/value'],
      [{ header: 'X-Key', value: 'sk-${KEY}-x' }, '/auth/value'],
      [{ query: 'key', value: 'abc' }, '/auth/value'],
      [{ basic: { user: '${USER}', password: 'abc' } }, '/auth/basic/password'],
      [{ headers: [{ header: 'X-Id', value: 'Id ${ID}' }] }, '/auth/headers/0/value'],
      [{ header: 'X-Key', value: '${A_KEY}' }, '/auth/value'],
      [{ header: 'X-Key', value: '${URL}' }, '/auth/value'],
    ]
    for (const [auth, pointer] of auths) await assertFault(acmeFile({ auth }), pointer, /\$\{KEY\}/)
    await assertFault(acmeFile({ headers: { 'X-Api-Key': 'abc' } }), '/headers/X-Api-Key', /secret/)
    await assertFault(
      withAction({ request: { ...request, headers: { Authorization: 'abc' } } }),
      '/actions/0/request/headers/Authorization',
      /secret/,
    )
    await assertFault(
      acmeFile({ base_url: 'https://u:p@api.acme.example' }),
      '/base_url',
      /password/,
    )
    await assertFault(acmeFile({ base_url: 'https://api.acme.example/?k=1' }), '/base_url', /"\?"/)
    await assertFault(acmeFile({ base_url: 'http://api.acme.example' }), '/base_url', /https/)
  })

  test('requires "private" for every form of a private address', async () => {
    for (const host of [
      '127.0.0.1',
      '10.1.2.3',
      '[::1]',
      '[::ffff:10.0.0.1]',
      'localhost',
      'db.internal',
      '2130706433',
      '169.254.169.254',
    ])
      await assertFault(acmeFile({ base_url: `https://${host}/v1` }), '/base_url', /private/)
    const { faults } = await readFiles(acmeFile({ base_url: 'http://10.1.2.3', private: true }))
    assert.deepEqual(faults, [])
  })

  test('rejects headers that decide where or how a request ends', async () => {
    for (const name of [
      'Host',
      'content-length',
      'Transfer-Encoding',
      'Connection',
      'Proxy-Authorization',
    ])
      await assertFault(
        acmeFile({ auth: { header: name, value: '${KEY}' } }),
        '/auth/header',
        /gateway sets/,
      )
  })

  test('accepts only closed parameters without references', async () => {
    const at = '/actions/0/params'
    await assertFault(
      withAction({ params: { ...params, additionalProperties: true } }),
      `${at}/additionalProperties`,
      /false/,
    )
    await assertFault(withAction({ params: { ...params, type: 'array' } }), `${at}/type`, /object/)
    await assertFault(
      withAction({ params: { ...params, required: ['id', 'x'] } }),
      `${at}/required/1`,
      /properties/,
    )
    for (const name of ['max_cost_cents', 'price_id', 'webhook_url', 'maxCost'])
      await assertFault(
        withAction({ params: { ...params, properties: { ...properties, [name]: {} } } }),
        `${at}/properties/${name}`,
        /gateway/,
      )
    await assertFault(
      withAction({ params: { ...params, properties: { ...properties, id: { $ref: '#' } } } }),
      `${at}/properties/id/$ref`,
      /not supported/,
    )
    await assertFault(
      withAction({ params: { ...params, properties: { ...properties, lang: { type: 'text' } } } }),
      at,
      /schema/i,
    )
  })

  test('rejects paths and places that no input fills', async () => {
    const at = '/actions/0/request'
    for (const path of ['/a/../b', '//evil.example', '/a?b=c', '/a#b', '/{id', '/a b'])
      await assertFault(
        withAction({ request: { ...request, path } }),
        `${at}/path`,
        /must be a path/,
      )
    await assertFault(
      withAction({ request: { ...request, path: '/{lang}' } }),
      `${at}/path`,
      /required/,
    )
    await assertFault(
      withAction({ request: { ...request, path: '/{tags}' } }),
      `${at}/path`,
      /text or a number/,
    )
    await assertFault(
      withAction({ request: { ...request, query: { a: { from: '/b' } } } }),
      `${at}/query/a/from`,
      /unknown parameter/,
    )
    await assertFault(
      withAction({ request: { ...request, query: {} } }),
      '/actions/0/params/properties/lang',
      /nowhere/,
    )
    await assertFault(withAction({ request: { ...request, body: { a: 1 } } }), `${at}/body`, /GET/)
  })

  test('requires a price that holds the most that a call can cost', async () => {
    const at = '/actions/0/price'
    const unit = { kind: 'unit', cents: '1', unit: 'row' }
    const most = async (at_most: unknown, pointer: string, problem: RegExp, changes = {}) =>
      assertFault(withAction({ price: { ...unit, at_most, ...changes } }), pointer, problem)
    await most({ param: 'nope' }, `${at}/at_most/param`, /integer/)
    await most({ param: 'limit' }, `${at}/at_most`, /default/)
    await most({ param: 'limit', default: 51 }, `${at}/at_most/default`, /1 to 50/)
    await most({ param: 'tags' }, `${at}/at_most/param`, /required/)
    await most(1_000_000, `${at}/at_most`, /\$1,000,000/, { cents: '100000000' })
    await assertFault(withAction({ price: { kind: 'flat', cents: '0' } }), `${at}/cents`, /above 0/)
    for (const cents of [1, '-1', '1.00001', '1e3', ''])
      await assertFault(withAction({ price: { kind: 'flat', cents } }), `${at}/cents`, /./)
    await assertFault(withAction({ price: { kind: 'free' } }), `${at}/kind`, /./)
  })

  test('rejects rules that could charge for nothing, or never decide', async () => {
    const rules = (...outcome: unknown[]) => withAction({ outcome })
    const last = { else: 'done', units: { count_at: '/rows' } }
    const at = '/actions/0/outcome'
    await assertFault(rules({ when: { status: [404] }, is: 'empty' }), `${at}/0`, /every other/)
    await assertFault(rules(last, last), `${at}/0`, /"when" and "is"/)
    await assertFault(rules({ else: 'done' }), `${at}/0`, /units/)
    await assertFault(
      rules({ when: { status: [404] }, is: 'done', units: 1 }, last),
      `${at}/0/when`,
      /2xx/,
    )
    await assertFault(rules({ when: { status: ['5xx'] }, is: 'empty' }, last), `${at}/0`, /5xx/)
    await assertFault(rules({ when: { status: [429] }, is: 'empty' }, last), `${at}/0`, /429/)
    await assertFault(
      rules({ when: { at: '/a' }, is: 'empty' }, last),
      `${at}/0/when`,
      /exactly one/,
    )
    await assertFault(
      rules({ when: { exists: true }, is: 'empty' }, last),
      `${at}/0/when`,
      /exactly one/,
    )
    await assertFault(
      rules({ when: { at: 'a', exists: true }, is: 'empty' }, last),
      `${at}/0/when/at`,
      /./,
    )
    await assertFault(
      rules({ when: { at: '/a', matches: '.*' }, is: 'empty' }, last),
      `${at}/0/when/matches`,
      /./,
    )
    await assertFault(
      rules({ when: { at: '/a', blank: true }, is: 'empty', code: 'no_results' }, last),
      `${at}/0/code`,
      /failed/,
    )
    await assertFault(
      rules({ when: { at: '/a', blank: true }, is: 'failed', code: 'internal' }, last),
      `${at}/0/code`,
      /./,
    )
    const deep = { all: [{ all: [{ all: [{ at: '/a', exists: true }] }] }] }
    await assertFault(rules({ when: deep, is: 'empty' }, last), `${at}/0/when/all/0/all/0/all`, /./)
    await assertFault(
      withAction({ price: { kind: 'flat', cents: '1' }, outcome: [{ else: 'partial' }] }),
      `${at}/0`,
      /partial/,
    )
    await assertFault(
      withAction({ price: { kind: 'actual', cap_cents: '5' }, outcome: [{ else: 'done' }] }),
      `${at}/0`,
      /actual_cents_at/,
    )
  })

  test('rejects an example that its parameters, or its simulated answer, do not fit', async () => {
    await assertFault(withAction({ example: { id: 7 } }), '/actions/0/example', /rejected/)
    await assertFault(withAction({ example: { id: '8' } }), '/actions/0/example', /empty/)
    await assertFault(
      withAction({ simulate: [{ when: { id: '7' }, status: 200 }] }),
      '/actions/0/simulate/0',
      /no "when"/,
    )
    await assertFault(
      withAction({
        simulate: [
          { when: { x: 1 }, status: 200 },
          { status: 200, body: { rows: [{ a: 'b' }] } },
        ],
      }),
      '/actions/0/simulate/0/when/x',
      /unknown/,
    )
  })

  test('rejects fields that it does not know, and names those to come', async () => {
    await assertFault(acmeFile({ webhook: 1 }), '/webhook', /./)
    await assertFault(
      withAction({ cache: { max_age_s: 5 } }),
      '/actions/0/cache',
      /not supported yet/,
    )
    await assertFault(withAction({ code: 'x => x' }), '/actions/0/code', /./)
  })

  test('survives any JSON', async () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    for (const text of [
      '',
      'null',
      '[]',
      '"x"',
      '1',
      '{}',
      deep,
      '{"actions":[null]}',
      '{"__proto__":1}',
    ])
      assert.ok((await readFiles(text)).faults.length > 0, text.slice(0, 20))
  })
})
