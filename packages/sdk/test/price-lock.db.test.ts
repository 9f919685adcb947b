/** Calls with a price lock: the bodies that the client sends, and the replies of a gateway. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createCatalog } from '../../../src/catalog/index.ts'
import { priceIdOf } from '../../../src/catalog/prices/price-id.ts'
import { Tollgate, type PriceLock, type TollgateError } from '../src/index.ts'
import { openGateway } from './open-gateway.ts'
import { GOOD, startScriptedGateway } from './scripted-gateway.ts'

const OTHER = 'price_000000000000'
const PAGE = { urls: ['https://example.com/'] }
const catalog = createCatalog()

function lockOf(entries: PriceLock['actions']): PriceLock {
  return { actions: entries }
}

describe('a call with a price lock', () => {
  const lock = lockOf({
    'core/onescrape': { price_id: OTHER, max_cents: 4 },
    'trends/fetch /trend': { price_id: OTHER, max_cents: 2 },
  })
  const open = async () => {
    const gateway = await startScriptedGateway([GOOD])
    const client = new Tollgate({ key: 'tg_test_x', url: gateway.url, lock })
    return { client, bodies: () => gateway.requests.map(({ body }) => JSON.parse(body) as unknown) }
  }

  test('sends the locked price and its limit, or a lower limit of the call', async () => {
    const { client, bodies } = await open()
    await client.core.onescrape(PAGE)
    await client.core.onescrape({ ...PAGE, max_cost_cents: 1 })
    await client.trends.fetch({ endpoint: '/trend', keyword: 'ledger' })
    assert.deepEqual(bodies(), [
      { ...PAGE, price_id: OTHER, max_cost_cents: 4 },
      { ...PAGE, price_id: OTHER, max_cost_cents: 1 },
      { endpoint: '/trend', keyword: 'ledger', price_id: OTHER, max_cost_cents: 2 },
    ])
  })

  test('is not sent above the locked price, or without an entry', async () => {
    const { client, bodies } = await open()
    const calls = [
      [() => client.core.onescrape({ ...PAGE, max_cost_cents: 5 }), 'above_locked_price'],
      [() => client.core.onesearch({ query: 'x' }), 'action_not_locked'],
      [() => client.run('trends/fetch', { endpoint: '/growth' }), 'action_not_locked'],
    ] as const
    for (const [call, code] of calls)
      await assert.rejects(call, (error: TollgateError) => {
        assert.equal(error.code, code)
        assert.match(error.fix, /\.\/tollgate lock/)
        return true
      })
    assert.deepEqual(bodies(), [])
  })

  test('leaves the calls of helpers as they are', async () => {
    const { client, bodies } = await open()
    await client.files.download('file_1').catch(() => {})
    assert.deepEqual(bodies()[0], { file_id: 'file_1' })
  })

  test('rejects another object as a lock', () => {
    for (const wrong of [{}, { actions: null }, JSON.parse('null')])
      assert.throws(
        () => new Tollgate({ key: 'tg_test_x', url: 'http://a.example', lock: wrong as PriceLock }),
        {
          code: 'invalid_settings',
        },
      )
  })
})

describe('a price lock and a gateway', async () => {
  const gateway = await openGateway()
  const client = (id: string) =>
    new Tollgate({
      key: gateway.testKey,
      url: gateway.url,
      lock: lockOf({ 'core/onescrape': { price_id: id, max_cents: 2 } }),
    })

  test('run the call at the locked price', async () => {
    const current = priceIdOf(catalog.findAction('core', 'onescrape'))
    assert.equal((await client(current).core.onescrape(PAGE)).charged.cents, 2)
  })

  test('reject the call at another price, free', async () => {
    const before = await gateway.chargesOf('onescrape')
    await assert.rejects(client(OTHER).core.onescrape(PAGE), {
      code: 'price_changed',
      status: 402,
      chargedMicros: 0,
    })
    assert.equal((await gateway.chargesOf('onescrape')).length, before.length)
  })

  test('reject a call that costs more than the limit', async () => {
    const current = priceIdOf(catalog.findAction('core', 'onescrape'))
    const urls = ['https://example.com/', 'https://example.org/']
    await assert.rejects(client(current).core.onescrape({ urls }), { code: 'max_cost_exceeded' })
  })
})
