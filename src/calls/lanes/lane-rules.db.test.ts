/** Input that only some lanes support is rejected before the hold. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openCallBed } from '../../../test/harness/beds/calls.ts'
import { cleanUp } from '../../../test/harness/clean-up.ts'
import { local, params } from '../../catalog/vocabulary/define.ts'
import type { CallTools, InHouseHandler } from '../../catalog/vocabulary/handlers.ts'
import { createCatalog } from '../../catalog/index.ts'
import { free } from '../../catalog/vocabulary/tariff.ts'
import type { AddressCheck } from '../../catalog/validate/web-address.ts'
import { AppError } from '../../errors/app-error.ts'
import { createGuard } from '../../upstream/guard.ts'
import type { Lanes } from './lanes.ts'
import { readInput } from '../quote/read-input.ts'
import { runCall } from '../run.ts'
import { quoteSale } from '../selling/quote-sale.ts'

const composite = {
  id: 'own',
  title: 'Own',
  category: 'x',
  vendor: undefined,
  actions: {
    look: local({
      summary: 'Looks.',
      input: params({}),
      example: {},
      price: free,
      timeoutMs: 1_000,
      handler: 'own.look',
    }),
  },
}
const services = [...createCatalog().services, composite]
const checked: InHouseHandler = () => assert.fail('a refused check is not made')
const look = async (_input: unknown, tools: CallTools) =>
  (await tools.invoke('vehicles', 'search', { make: 'Toyota' })).outcome

const keyless = await openCallBed({
  services,
  configured: false,
  inHouse: new Map(
    ['compliance.check', 'render.scrape', 'semantic.contents'].map((name) => [name, checked]),
  ),
  local: new Map([['own.look', look]]),
})
const keyed = await openCallBed({ services })

const refused = [
  ['vehicles', 'search', { make: 'Toyota' }, 'invalid_params', 'year'],
  [
    'datahub',
    'fetch',
    { endpoint: '/cve/search', keyword: 'openssl', published_from: '2026-01-01' },
    'invalid_params',
    'published_to',
  ],
  ['datahub', 'fetch', { endpoint: '/papers/arxiv', q: '""' }, 'invalid_params', 'q'],
  [
    'markets',
    'fetch',
    { endpoint: '/api/v1/surf/exchange/klines', pair: 'BTC-USDT', from: 'once' },
    'invalid_params',
    'from',
  ],
  [
    'markets',
    'fetch',
    { endpoint: '/api/v1/surf/exchange/klines', pair: 'BTC-USDT', type: 'swap' },
    'upstream_not_configured',
    'type',
  ],
  ['regs', 'resolve', { citation: '42 U.S.C. 1983' }, 'upstream_not_configured', undefined],
  [
    'compliance',
    'check',
    { endpoint: '/x402/vat-validate', vat_number: '12' },
    'invalid_params',
    'vat_number',
  ],
  [
    'compliance',
    'check',
    { endpoint: '/x402/mx-lookup', domain: 'no domain' },
    'invalid_params',
    'domain',
  ],
] as const

describe('input that the action supports and its lane does not', () => {
  for (const [service, action, body, code, param] of refused) {
    it(`is rejected before its hold: ${service}/${action} ${JSON.stringify(body)}`, async () => {
      const isRefusal = (error: unknown): boolean =>
        error instanceof AppError && error.code === code && error.param === param
      await assert.rejects(
        runCall(keyless.calls, keyless.request(service, action, body)),
        isRefusal,
      )
      assert.deepEqual(await keyless.transactions(), [])
    })
  }

  it('is rejected with test and live keys, unless only a vendor supports it', async () => {
    const withTestKey = { caller: keyless.testCaller }
    await assert.rejects(
      runCall(
        keyless.calls,
        keyless.request('vehicles', 'search', { make: 'Toyota' }, withTestKey),
      ),
      { code: 'invalid_params', param: 'year' },
    )
    const taken = readInput(
      keyless.calls,
      keyless.calls.catalog.findAction('regs', 'resolve'),
      'test',
      { citation: '42 U.S.C. 1983' },
    )
    assert.equal(taken.lane?.kind, 'simulator')
    // With the vendor's key both support it.
    for (const mode of ['live', 'test'] as const)
      readInput(keyed.calls, keyed.calls.catalog.findAction('vehicles', 'search'), mode, {
        make: 'Toyota',
      })
  })

  it('is not sold without a key, so that no buyer pays for a rejection', () => {
    assert.throws(
      () =>
        quoteSale(keyless.calls, {
          service: 'vehicles',
          action: 'search',
          body: { make: 'Toyota' },
          mode: 'live',
        }),
      { code: 'invalid_params' },
    )
  })

  it('rejects a page at an unusual port in-house, and leaves it to a vendor', async () => {
    const guard = createGuard({ allowPrivateNetworks: [] })
    cleanUp(() => guard.close())
    const checkAddress: AddressCheck = (address, _param, fetcher) =>
      void (fetcher === 'gateway' ? guard.checkUrl(address) : guard.checkHost(address))
    const url = 'https://example.com:3000/'
    await assert.rejects(
      runCall({ ...keyless.calls, checkAddress }, keyless.request('render', 'scrape', { url })),
      { code: 'bad_url' },
    )
    await assert.rejects(
      runCall(
        { ...keyless.calls, checkAddress },
        keyless.request('semantic', 'contents', { urls: ['https://example.com/', url] }),
      ),
      { code: 'bad_url' },
    )
    assert.deepEqual(await keyless.transactions(), [])
    assert.equal(
      readInput(
        { ...keyed.calls, checkAddress },
        keyed.calls.catalog.findAction('render', 'scrape'),
        'live',
        { url },
      ).input['url'],
      url,
    )
  })

  it('goes to the vendor if the operator has its key', async () => {
    keyed.vendor.answerWith(() => ({ body: { data: [{ id: '1' }] } }))
    const { body } = await runCall(
      keyed.calls,
      keyed.request('vehicles', 'search', { make: 'Toyota' }),
    )
    assert.match(body, /"id":"1"/)
  })

  it('fails a step of a multi-source action without a vendor request', async () => {
    await assert.rejects(runCall(keyless.calls, keyless.request('own', 'look', {})), {
      code: 'invalid_params',
      param: 'year',
    })
    assert.equal(keyless.vendor.requests.length, 0)
  })

  it('is checked once per call, and once per step of a multi-source action', async () => {
    const looked: string[] = []
    const laneFor: Lanes['laneFor'] = (entry, mode, input) => {
      const lane = keyed.calls.lanes.laneFor(entry, mode, input)
      return lane === null
        ? null
        : { ...lane, check: () => void looked.push(`${entry.service.id}/${entry.name}`) }
    }
    const calls = {
      ...keyed.calls,
      lanes: { ...keyed.calls.lanes, laneFor },
      local: new Map([['own.look', look]]),
    }
    keyed.vendor.answerWith(() => ({ body: { data: [{ id: '1' }] } }))
    await runCall(calls, keyed.request('vehicles', 'search', { make: 'Toyota' }))
    await runCall(calls, keyed.request('own', 'look', {}))
    assert.deepEqual(looked, ['vehicles/search', 'own/look', 'vehicles/search'])
  })
})
