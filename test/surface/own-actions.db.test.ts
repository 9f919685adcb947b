/** Own actions of two gateway processes on one database: called, published, replaced while calls run. */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { announce } from '../../src/app/wiring/own/own-catalog.ts'
import { readOwn } from '../../src/app/wiring/own/read-own.ts'
import { acmeAction, acmeFile, writeOwn } from '../../src/catalog/own/testing/acme.ts'
import { openFireBed, type FireAccount } from '../fire/bed.ts'
import { dataFolder, type GatewayProcess } from '../harness/clients/gateway-process.ts'
import { eventually } from '../harness/eventually.ts'
import { startVendor } from '../harness/vendors/vendor.ts'

type Json = Record<string, unknown>
type Answer = { readonly status: number; readonly body: Json & { readonly data: Json } }

const bed = await openFireBed()
const api = await startVendor()
const folders = ['one', 'two'].map((name) => join(dataFolder(), name))
const prices = join(dataFolder(), 'prices.json')
const SETTINGS = {
  PRICES_FILE: prices,
  UPSTREAM_ACME_KEY: 'acme-secret-key',
  IN_HOUSE: 'none',
}

/** Writes the file of the service to the folders of the processes. */
function write(file: Json | string, places: readonly string[] = folders): void {
  for (const folder of places) writeOwn(folder, 'acme.json', file)
}

function setPrices(...rules: Json[]): void {
  writeFileSync(prices, JSON.stringify({ version: 1, rules }))
}

const acme = (action: Json = {}, file: Json = {}): Json =>
  acmeFile({
    base_url: api.url,
    private: true,
    limits: { at_once: 5_000 },
    actions: [acmeAction(action)],
    ...file,
  })
const priced = (cents: string): Json =>
  acme({ price: { kind: 'unit', cents, unit: 'row', at_most: { param: 'limit', default: 10 } } })

describe('own actions', { concurrency: false }, () => {
  let gateways: readonly GatewayProcess[]
  let account: FireAccount

  const ask = async (
    gateway: GatewayProcess,
    path: string,
    body?: Json,
    key = account.key,
  ): Promise<Answer> => {
    const response = await fetch(`${gateway.url}${path}`, {
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    })
    const text = await response.text()
    return {
      status: response.status,
      body: (text.startsWith('{') ? JSON.parse(text) : { text }) as Answer['body'],
    }
  }
  const first = (): GatewayProcess => gateways[0] ?? assert.fail('a gateway is started')
  const call = (gateway: GatewayProcess, body: Json = { id: '7' }, key = account.key) =>
    ask(gateway, '/api/run/acme/company', body, key)
  const priceIdAt = async (gateway: GatewayProcess): Promise<unknown> =>
    (await ask(gateway, '/api/run/acme/company')).body['price_id']
  const stateOf = async (gateway: GatewayProcess) =>
    (await ask(gateway, '/readyz')).body['own_actions'] as Json
  const reload = async (): Promise<void> => {
    const own = await readOwn({ actionsDir: folders[0] ?? '', pricesFile: prices })
    assert.deepEqual(own.faults, [])
    await announce(bed.database, own.hash, Date.now())
  }
  const useEverywhere = async (file: Json): Promise<void> => {
    const former = await priceIdAt(first())
    write(file)
    await reload()
    await eventually(async () => {
      for (const gateway of gateways) assert.notEqual(await priceIdAt(gateway), former)
    })
  }

  before(async () => {
    for (const folder of folders) mkdirSync(folder)
    setPrices()
    write(acme())
    api.answerWith(() => ({ body: { rows: [{ name: 'Acme' }, { name: 'Acme 2' }, {}] } }))
    account = await bed.account('10000')
    gateways = await Promise.all(
      folders.map((ACTIONS_DIR) => bed.start({ ...SETTINGS, ACTIONS_DIR })),
    )
  })

  test('are called, charged and replayed like any action, at every process', async () => {
    for (const gateway of gateways) {
      const { status, body } = await call(gateway, { id: 'a/b', lang: 'de', tags: ['x', 'y'] })
      assert.equal(status, 200, JSON.stringify(body))
      assert.equal(body['charged_micros'], 10_000)
    }
    const sent = api.requests.at(-1)
    assert.equal(sent?.path, '/companies/a%2Fb?lang=de&tags=x%2Cy')
    assert.equal(sent.headers['authorization'], 'Bearer acme-secret-key')
    assert.equal((await call(first(), { id: 7 })).status, 400)
    assert.equal((await call(first(), { id: '..' })).status, 400)
    api.answerWith(() => ({ status: 404, body: { error: 'no such company' } }))
    assert.equal((await call(first())).body['charged_micros'], 0)
    api.answerWith(() => ({ body: { rows: ['Acme', 'Acme 2'] } }))
  })

  test('answer test keys from the simulation, with faults on demand', async () => {
    const found = await call(first(), { id: '7' }, account.testKey)
    assert.deepEqual(found.body.data['rows'], [{ name: 'Acme' }])
    assert.equal(found.body['test'], true)
    assert.equal((await call(first(), { id: '8' }, account.testKey)).body['charged_micros'], 0)
    assert.equal((await call(first(), { id: 'sim:503' }, account.testKey)).status, 502)
  })

  test('are published wherever the other actions are', async () => {
    for (const path of [
      '/api/run',
      '/openapi.json',
      '/llms.txt',
      '/llms-full.txt',
      '/llms/acme.txt',
      '/catalog',
      '/catalog/acme/company',
      '/pricing',
    ])
      assert.match(
        JSON.stringify((await ask(first(), path)).body),
        path === '/pricing' ? /./ : /acme/,
        path,
      )
    const search = await ask(first(), '/api/run/core/discover', {
      query: 'facts of one acme company',
    })
    assert.match(JSON.stringify(search.body.data), /"service":"acme","action":"company"/)
  })

  test('are replaced under 64 calls in flight, each at the price of its quote', async () => {
    const answers: Answer[] = []
    const ids = new Set([await priceIdAt(first())])
    const over = new AbortController()
    const callers = Array.from({ length: 64 }, async (_, index) => {
      const gateway = gateways[index % 2] ?? first()
      while (!over.signal.aborted) answers.push(await call(gateway))
    })
    for (const cents of ['0.6', '0.7', '0.8']) {
      await useEverywhere(priced(cents))
      ids.add(await priceIdAt(first()))
    }
    over.abort()
    await Promise.all(callers)
    // On a busy machine the gateway rejects calls beyond its capacity.
    const failed = answers.filter(
      ({ status, body }) =>
        status !== 200 && (body['error'] as Json | undefined)?.['code'] !== 'overloaded',
    )
    assert.deepEqual(failed.slice(0, 1), [])
    const { rows } = await bed.database.query<{ price_id: string; amount: bigint; n: bigint }>(
      "select price_id, -amount_micros as amount, count(*) as n from transactions join wallets on wallets.id = wallet_id where mode = 'live' and service = 'acme' and amount_micros < 0 group by 1, 2",
    )
    const charged = Map.groupBy(rows, ({ price_id: id }) => id)
    assert.deepEqual(new Set(charged.keys()), ids)
    for (const [id, amounts] of charged)
      assert.equal(
        amounts.length,
        1,
        JSON.stringify(amounts.map(({ amount, n }) => [id, Number(amount), Number(n)])),
      )
    await bed.assertSound()
  })

  test('have the price of the latest reload on every page', async () => {
    const paths = [
      '/api/run',
      '/api/run/acme/company',
      '/llms/acme.txt',
      '/llms-full.txt',
      '/catalog',
      '/catalog/acme/company',
      '/pricing',
    ]
    const read = async (path: string) => JSON.stringify((await ask(first(), path)).body)
    for (const path of paths) await read(path)
    await useEverywhere(priced('0.8123'))
    for (const path of paths) assert.match(await read(path), /0\.8123|0\.008123/, path)
    assert.match(await read('/sitemap.xml'), /acme\/company/)
    await useEverywhere(priced('0.8'))
  })

  test('and all others have the price of PRICES_FILE from the reload on', async () => {
    const former = await priceIdAt(first())
    setPrices(
      { match: 'acme/*', margin_percent: '12.5' },
      { match: 'semantic/search', cents: '3.21' },
    )
    await reload()
    await eventually(async () => {
      for (const gateway of gateways) assert.notEqual(await priceIdAt(gateway), former)
    })
    for (const gateway of gateways) {
      assert.equal((await call(gateway)).body['charged_micros'], 18_000)
      const found = await ask(gateway, '/api/run/semantic/search', { query: 'x' })
      assert.equal(found.body['charged_micros'], 32_100, JSON.stringify(found.body))
      const price = (await ask(gateway, '/api/run/semantic/search')).body['price'] as Json
      assert.equal(price['price_micros'], 32_100)
    }
    setPrices()
    await reload()
    await eventually(async () => {
      for (const gateway of gateways) assert.equal(await priceIdAt(gateway), former)
    })
  })

  test('stay as they are while a file has a fault', async () => {
    const present = await priceIdAt(first())
    write('{"service": "acme"', folders.slice(0, 1))
    first().process.kill('SIGHUP')
    await eventually(() => assert.match(first().output(), /files of own actions have faults/))
    assert.equal(await priceIdAt(first()), present)
    assert.equal((await call(first())).status, 200)
    assert.equal((await stateOf(first()))['agrees'], true)
    write(priced('0.8'))
  })

  test('of a process with other files stay its own, and /readyz shows it', async () => {
    const [one, two] = gateways
    assert.ok(one !== undefined && two !== undefined)
    const former = await priceIdAt(two)
    write(priced('0.9'), folders.slice(0, 1))
    one.process.kill('SIGHUP')
    await eventually(async () => assert.equal((await stateOf(two))['agrees'], false))
    assert.notEqual(await priceIdAt(one), former)
    assert.equal(await priceIdAt(two), former)
    assert.equal((await call(two)).status, 200)
    write(priced('0.9'))
    await reload()
    await eventually(async () => assert.equal((await stateOf(two))['agrees'], true))
  })

  test('show no credential of the operator, even if the vendor repeats it', async () => {
    const secret = SETTINGS.UPSTREAM_ACME_KEY
    api.answerWith(() => ({ body: { rows: [{ name: `Bearer ${secret}` }] } }))
    const echoed = await call(first())
    api.answerWith(() => ({ status: 403, body: { error: `bad key ${secret}` } }))
    const refused = await call(first())
    assert.deepEqual([echoed.status, refused.status >= 500], [200, true])
    api.answerWith(() => ({ body: { rows: ['Acme', 'Acme 2'] } }))
    const shown = await Promise.all(
      ['/readyz', '/api/run/acme/company', '/api/v1/transactions', '/openapi.json'].map((path) =>
        ask(first(), path),
      ),
    )
    for (const text of [JSON.stringify([echoed, refused, shown]), first().output()])
      assert.doesNotMatch(text, new RegExp(secret))
  })

  test('end when their file is gone, except calls in flight, and search forgets them', async () => {
    const asked = Promise.withResolvers<void>()
    const gone = Promise.withResolvers<void>()
    let isInFlight = true
    api.answerWith(async () => {
      asked.resolve()
      if (isInFlight) {
        isInFlight = false
        await gone.promise
      }
      return { body: { rows: ['Acme', 'Acme 2'] } }
    })
    const keyed = () =>
      fetch(`${first().url}/api/run/acme/company`, {
        method: 'POST',
        body: JSON.stringify({ id: '7' }),
        headers: {
          authorization: `Bearer ${account.key}`,
          'content-type': 'application/json',
          'idempotency-key': 'before-the-end',
        },
      }).then(async (response) => [response.status, await response.text()])
    const inFlight = keyed()
    await asked.promise
    write(acme({}, { service: 'other', title: 'Other' }))
    await reload()
    await eventually(async () => assert.equal((await call(first())).status, 404))
    gone.resolve()
    const answered = await inFlight
    assert.equal(answered[0], 200)
    assert.match(String(answered[1]), /"charged_micros":18000/)
    assert.deepEqual(await keyed(), answered)
    const { body, status } = await ask(first(), '/api/run/core/discover', {
      query: 'facts of one acme company',
    })
    assert.equal(status, 200)
    assert.doesNotMatch(JSON.stringify(body.data), /"service":"acme"/)
    assert.doesNotMatch(JSON.stringify(await ask(first(), '/sitemap.xml')), /acme\/company/)
  })

  test('with a fault prevent the start, with file and line', async () => {
    write(acme({ price: undefined }), folders.slice(1))
    await assert.rejects(
      bed.start({ ...SETTINGS, ACTIONS_DIR: folders[1] ?? '' }),
      /acme\.json:\d+: "\/actions\/0\/price" is required/,
    )
  })
})
