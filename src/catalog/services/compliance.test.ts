/** Compliance checks: caps, what was really charged, and who answers without a vendor key. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checks } from '../../core/compliance/checks.ts'
import { AppError } from '../../errors/app-error.ts'
import { cents } from '../../lib/money.ts'
import type { Data } from '../outcome.ts'
import { billable, worstCase } from '../price.ts'
import { prepared, refusal, withSimulators } from '../testing/run-call.ts'
import { openChecks } from './compliance/open-checks.ts'

const { run, runOpen } = withSimulators()
const ID = 'compliance/check'
const path = (name: string) => `/x402/${name}`
const IBAN = { endpoint: path('iban-validate'), iban: 'DE89370400440532013000' }

function action() {
  const found = prepared(ID, IBAN).action
  assert.ok(found.kind === 'endpoint')
  return found
}

async function openData(name: string, sent: Data): Promise<Data> {
  const result = await runOpen(ID, { endpoint: path(name), ...sent })
  assert.ok('outcome' in result && result.outcome.kind === 'done', name)
  return result.outcome.data
}

test('caps are 3¢ to $1.19; sanctions and adverse media 30¢, PEP 8¢, AML score 3¢', () => {
  const { endpoints } = action()
  assert.ok(endpoints.length >= 191)
  for (const { endpoint, price } of endpoints) assert.ok(price !== undefined && price >= cents('3') && price <= cents('119'), endpoint)
  const capOf = (name: string) => endpoints.find(({ endpoint }) => endpoint === path(name))?.price
  assert.deepEqual(['sanctions-check', 'pep-check', 'aml-risk-score', 'adverse-media-check'].map(capOf), [cents('30'), cents('8'), cents('3'), cents('30')])
})

test('every family stays within its range of caps: e-mail and domain trust 5¢ to 60¢, composites 30¢ to $1.19, registers up to $1.19', () => {
  const ranges: readonly (readonly [family: RegExp, least: string, most: string, known: string])[] = [
    [/^(email|domain)-|^(dns|mx|whois)-lookup$|^ssl-check$/, '5', '60', 'email-validate'],
    [/^solutions\//, '30', '119', 'solutions/lead-email-verify'],
    [/-company-data$/, '3', '119', 'japanese-company-data'],
    [/^(wallet|token|contract|approval|ens|vasp|protocol)-/, '3', '119', 'wallet-risk-score'],
    [/-validate$/, '3', '119', 'vat-validate'],
  ]
  const caps = new Map(action().endpoints.map(({ endpoint, price }) => [endpoint.replace('/x402/', ''), price ?? 0n]))
  for (const [family, least, most, known] of ranges) {
    const members = [...caps].filter(([name]) => family.test(name))
    assert.ok(members.some(([name]) => name === known), known)
    for (const [name, cap] of members) assert.ok(cap >= cents(least) && cap <= cents(most), `${name}: ${cap}`)
  }
})

test('a cap above the list price is only held: what the check cost is charged, and the list price where nothing says what', () => {
  const { action: record, input } = prepared(ID, { endpoint: path('solutions/web3-token-safety'), contract_address: '0x1' })
  const chargeOf = (payment: unknown) => billable(record, input, record.outcome({ status: 200, headers: {}, body: { safe: true, _meta: { payment } } }, input))
  assert.equal(worstCase(record, input), cents('30'))
  assert.deepEqual([chargeOf({ price_usd: 0.08 }), chargeOf(undefined)], [cents('8'), cents('10')])
})

test('every check of our own and every public register belongs to a listed path', () => {
  const own = action().endpoints.flatMap(({ endpoint, inHouse }) => (inHouse === undefined ? [] : [endpoint.replace('/x402/', '')]))
  assert.deepEqual(own.toSorted(), Object.keys(checks).toSorted())
  const open = action().endpoints.flatMap(({ endpoint, openSource }) => (openSource === undefined ? [] : [endpoint.replace('/x402/', '')]))
  assert.deepEqual(open.toSorted(), Object.keys(openChecks).toSorted())
})

test('the cap is held and what the merchant charged is settled', async () => {
  const { action: record, input } = prepared(ID, IBAN)
  assert.equal(worstCase(record, input), cents('6'))
  const result = await run(ID, IBAN)
  assert.ok('outcome' in result)
  assert.equal(result.charged, cents('2'))
})

test('a check that the merchant gives away is free, one that tells no price costs the cap, and none costs more', () => {
  const { action: record, input } = prepared(ID, IBAN)
  const chargeOf = (payment: unknown) => billable(record, input, record.outcome({ status: 200, headers: {}, body: { valid: true, _meta: { payment } } }, input))
  assert.deepEqual([chargeOf({ price_usd: 0 }), chargeOf(undefined), chargeOf({ price_usd: 0.01 }), chargeOf({ price_usd: 5 })], [0n, cents('6'), cents('1'), cents('6')])
})

test('a check that could not be carried out is free, whatever status says so', async () => {
  const result = await run(ID, { endpoint: path('swedish-company-data'), org_number: 'sim:miss' })
  assert.ok('failure' in result && result.failure?.code === 'upstream_error')
  const { action: record, input } = prepared(ID, IBAN)
  assert.equal(record.outcome({ status: 200, headers: {}, body: { error: 'no' } }, input).kind, 'failed')
})

test('the vendor is asked by the name of the check, with the fields beside it', () => {
  const { action: record, input } = prepared(ID, IBAN)
  assert.deepEqual(record.request(input), { method: 'POST', path: '/v1/do', json: { capability_slug: 'iban-validate', inputs: { iban: IBAN.iban } } })
})

test('a field that is missing or misnamed is refused before anything is held', () => {
  assert.equal(refusal(ID, { endpoint: path('iban-validate') }).param, 'iban')
  assert.equal(refusal(ID, { endpoint: path('iban-validate'), iban: 'x', bic: 'y' }).param, 'bic')
  assert.equal(refusal(ID, { endpoint: path('lei-lookup') }).code, 'invalid_params')
})

describe('public registers', () => {
  test('cost one cent, and nothing when they know nothing', async () => {
    const known = await runOpen(ID, { endpoint: path('lei-lookup'), lei: '5493001KJTIIGC8Y1R12' })
    assert.ok('outcome' in known && known.charged === cents('1'))
    for (const [name, sent] of [['lei-lookup', { company_name: 'nobody' }], ['french-company-data', { siren: 'nobody' }], ['protocol-tvl-lookup', { protocol: 'nobody' }], ['token-security-check', { contract_address: '0x0404' }]] as const) {
      const result = await runOpen(ID, { endpoint: path(name), ...sent })
      assert.ok('failure' in result || (result.outcome.kind === 'failed' && result.charged === 0n), name)
    }
  })

  test('a tax authority that does not answer is busy, not a verdict', async () => {
    assert.equal((await openData('vat-validate', { vat_number: 'IE 6388047V' }))['valid'], true)
    assert.equal((await openData('vat-validate', { vat_number: 'DE123456789' }))['valid'], false)
    const silent = await runOpen(ID, { endpoint: path('vat-validate'), vat_number: 'DE000000000' })
    assert.ok('outcome' in silent && silent.outcome.kind === 'failed' && silent.outcome.code === 'upstream_busy')
    await assert.rejects(runOpen(ID, { endpoint: path('vat-validate'), vat_number: '123' }), (error) => error instanceof AppError && error.param === 'vat_number')
  })

  test('a business day is neither weekend nor holiday of the whole country', async () => {
    const isBusinessDay = async (date: string) => (await openData('business-day-check', { date, country_code: 'de' }))['is_business_day']
    assert.deepEqual([await isBusinessDay('2026-12-25'), await isBusinessDay('2026-11-21'), await isBusinessDay('2026-11-20'), await isBusinessDay('2025-08-15')], [false, false, true, true])
  })

  test('an amount is converted at the rate of the central bank', async () => {
    const { rate, converted } = await openData('currency-convert', { from: 'usd', to: 'eur', amount: 10 })
    assert.deepEqual([rate, converted], [0.92, 9.2])
  })

  test('a domain’s age comes from the register of its ending, wherever that is', async () => {
    assert.equal((await openData('domain-age-check', { domain: 'example.com' }))['registered_at'], '1995-08-14T04:00:00Z')
    const { input } = prepared(ID, { endpoint: path('whois-lookup'), domain: 'example.com' })
    assert.equal(openChecks['whois-lookup']?.source.request(input).followsRedirects, 'anywhere')
  })

  test('a company that files with the SEC is found by ticker or name', async () => {
    for (const sent of [{ ticker: 'MSFT' }, { company_name: 'microsoft corp' }]) assert.equal(((await openData('us-company-data', sent))['result'] as Data)['name'], 'MICROSOFT CORP')
  })

  test('adverse media brings articles and no verdict', async () => {
    const { article_count: count, note } = await openData('adverse-media-check', { name: 'Simulated Person' })
    assert.equal(count, 5)
    assert.match(String(note), /no verdict/)
  })
})
