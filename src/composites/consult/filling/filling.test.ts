import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCatalog } from '../../../catalog/index.ts'
import { createValidator } from '../../../catalog/validate/validate.ts'
import { NOW_MS } from '../../onesearch/testing/fake-tools.ts'
import { readIntent } from '../reading/intent-reading.ts'
import { draftCandidate } from '../suggest.ts'

const deps = {
  catalog: createCatalog(),
  validator: createValidator(),
  laneOf: () => ({ live: 'vendor', lanes: ['vendor'] }) as const,
  discover: { search: () => ({ query: '', hits: [], next: '' }), nearest: () => [] },
}

/** The parameters of a draft without the endpoint, and the names of those that are missing. */
function draft(intent: string, action: string, endpoint: string | null = null) {
  const [service = '', name = ''] = action.split('/')
  const target = { service, action: name, endpoint }
  const { params, missing } = draftCandidate(deps, target, readIntent(intent, NOW_MS), 1)
  const { endpoint: _, ...rest } = params
  return { params: rest, missing: missing.map((one) => one.name) }
}

test('fills a World Bank indicator with its code, never with plain words', () => {
  const worldBank = (intent: string) => draft(intent, 'datahub/fetch', '/macro/worldbank')
  for (const [intent, indicator] of [
    ['GDP of Portugal', 'NY.GDP.MKTP.CD'],
    ['GDP per capita of Portugal', 'NY.GDP.PCAP.CD'],
    ['PIB de Portugal', 'NY.GDP.MKTP.CD'],
    ['Inflation in Portugal', 'FP.CPI.TOTL.ZG'],
    ['世界银行 葡萄牙 人口', 'SP.POP.TOTL'],
    ['World Bank indicator IT.CEL.SETS.P2 for Portugal', 'IT.CEL.SETS.P2'],
  ] as const)
    assert.equal(worldBank(intent).params['indicator'], indicator, intent)
  assert.equal(worldBank('inflation in Turkey').params['country'], 'TR')
  assert.deepEqual(worldBank('the mood in Portugal').missing, ['indicator'])
})

test('reads countries in the languages of the search', () => {
  for (const [intent, country] of [
    ['aliquota IVA in Germania', 'DE'],
    ['stawka VAT w Niemczech', 'DE'],
    ['Mehrwertsteuersatz in Österreich', 'AT'],
    ['ставка НДС в Испании', 'ES'],
    ['法国的增值税率', 'FR'],
    ['VAT rate in Austria', 'AT'],
  ] as const)
    assert.equal(
      draft(intent, 'compliance/check', '/x402/vat-rate-lookup').params['country_code'],
      country,
      intent,
    )
})

test('fills a ticker with the symbol of a company, never with its name', () => {
  const quote = (intent: string) => draft(intent, 'compliance/check', '/x402/stock-quote')
  assert.equal(quote('share price of Netflix').params['symbol'], 'NFLX')
  assert.equal(quote('엔비디아 주가').params['symbol'], 'NVDA')
  assert.deepEqual(quote('share price of Lena Bakery Holdings').missing, ['symbol'])
})

test('reads job titles and places in the languages of the search', () => {
  assert.deepEqual(
    draft('Stellenangebote für Dachdecker in Bremen', 'platform/linkedin-jobs').params,
    { jobTitles: ['Dachdecker'], maxItems: 10, locations: ['Bremen'] },
  )
  assert.deepEqual(draft('vagas de padeiro em Recife', 'platform/linkedin-jobs').params, {
    jobTitles: ['padeiro'],
    maxItems: 10,
    locations: ['Recife'],
  })
})

test('reads both airports and the flight number in any language', () => {
  assert.deepEqual(draft('vols de NCE à BRU', 'flights/flights').params, {
    dep_iata: 'NCE',
    arr_iata: 'BRU',
  })
  assert.deepEqual(draft('TK 55 uçuşu nerede', 'flights/flights').params, { flight_iata: 'TK55' })
})

test('never passes an advisory of a package to a field for another id', () => {
  const intent = 'details on GHSA-aaaa-1111-bbbb'
  assert.deepEqual(draft(intent, 'datahub/fetch', '/vulns/get').params, {
    id: 'GHSA-aaaa-1111-bbbb',
  })
  assert.equal(draft(intent, 'propdata/property-detail').params['id'], undefined)
})
