/**
 * The public registers and sources that answer a check while no vendor key is set. Keyed by the
 * last part of the path.
 */
import type { OpenSource } from '../../catalog/vocabulary/define.ts'
import { publicSource, withCheck, withParams, anyReply } from '../shared/open-sources.ts'
import { type Data } from '../../catalog/vocabulary/outcome.ts'
import { asText } from '../../catalog/answers/vendor-failure.ts'
import { get, type WireRequest } from '../../catalog/vocabulary/wire.ts'
import { goPlus } from '../cryptoagent/source.ts'
import { defiLlama } from '../datahub/source.ts'
import { alternativeMe } from '../markets/source.ts'
import { ares, brreg, registerRecord, krs, prh, sirene, usitc, vies, word } from './registers.ts'
import { bankruptcy, leiRecord, relatedCompanies, secCompany } from './company-checks.ts'
import { checkVatNumber, viesRequest, viesVerdict } from './vat-check.ts'
import {
  audit,
  businessDay,
  checkDate,
  lockedValue,
  news,
  rates,
  registration,
} from './other-checks.ts'

const goPlusResult = (path: (input: Data) => WireRequest) =>
  publicSource(goPlus, path, registerRecord('GoPlus', 'result'))

export const openChecks: Readonly<
  Record<string, { readonly source: OpenSource; readonly example: Data }>
> = {
  'lei-lookup': { source: leiRecord, example: { lei: '5493001KJTIIGC8Y1R12' } },
  'gleif-l2-children-lookup': {
    source: relatedCompanies('direct-children'),
    example: { lei: '5493001KJTIIGC8Y1R12' },
  },
  'gleif-l2-ubo-lookup': {
    source: relatedCompanies('ultimate-parent'),
    example: { lei: '5493001KJTIIGC8Y1R12' },
  },
  'vat-validate': {
    source: withCheck(checkVatNumber, publicSource(vies, viesRequest, viesVerdict)),
    example: { vat_number: 'IE6388047V' },
  },
  'exchange-rate': { source: rates, example: { from: 'USD', to: 'EUR' } },
  'currency-convert': { source: rates, example: { from: 'USD', to: 'EUR', amount: 10 } },
  'cve-lookup': {
    source: audit,
    example: { package_name: 'lodash', version: '4.17.15', ecosystem: 'npm' },
  },
  'package-security-audit': { source: audit, example: { name: 'lodash', version: '4.17.15' } },
  'whois-lookup': { source: registration, example: { domain: 'example.com' } },
  'domain-age-check': { source: registration, example: { domain: 'example.com' } },
  'business-day-check': {
    source: withCheck(checkDate, businessDay),
    example: { date: '2026-12-25', country_code: 'DE' },
  },
  'adverse-media-check': {
    source: withParams('name', news(' (fraud OR bribery OR laundering OR sanctions OR indicted)')),
    example: { name: 'Simulated Person' },
  },
  'company-news': {
    source: withParams('company_name timespan max_articles', news('')),
    example: { company_name: 'Example Robotics' },
  },
  'hs-code-lookup': {
    source: publicSource(
      usitc,
      ({ product }) => get('/search', { keyword: asText(product) }),
      registerRecord('USITC'),
    ),
    example: { product: 'bicycle' },
  },
  'fear-greed-index': {
    source: publicSource(
      alternativeMe,
      ({ days = 1 }) => get('/fng/', { limit: Number(days), format: 'json' }),
      registerRecord('alternative.me', 'data'),
    ),
    example: { days: 1 },
  },
  'protocol-tvl-lookup': {
    source: publicSource(
      defiLlama,
      ({ protocol }) => get(`/tvl/${word(protocol)}`),
      lockedValue,
      [],
      anyReply,
    ),
    example: { protocol: 'aave' },
  },
  'token-security-check': {
    source: goPlusResult(({ contract_address: address, chain_id: chain = '1' }) =>
      get(`/token_security/${word(chain)}`, { contract_addresses: asText(address) }),
    ),
    example: { contract_address: '0x0000000000000000000000000000000000000001' },
  },
  'wallet-risk-score': {
    source: goPlusResult(({ address, chain_id: chain = '1' }) =>
      get(`/address_security/${word(address)}`, { chain_id: asText(chain) }),
    ),
    example: { address: '0x0000000000000000000000000000000000000001' },
  },
  'phishing-site-check': {
    source: goPlusResult(({ url }) => get('/phishing_site', { url: asText(url) })),
    example: { url: 'https://example.com/' },
  },
  'norwegian-company-data': {
    source: publicSource(
      brreg,
      ({ org_number: number, company_number: other, company_name: name }) =>
        number === undefined && other === undefined
          ? get('/enheter', { navn: asText(name), size: 5 })
          : get(`/enheter/${word(number ?? other)}`),
      registerRecord('Brønnøysundregistrene'),
    ),
    example: { org_number: '923609016' },
  },
  'no-bankruptcy-check': {
    source: publicSource(
      brreg,
      ({ org_number: number, company_name: name }) =>
        number === undefined
          ? get('/enheter', { navn: asText(name), size: 1 })
          : get(`/enheter/${word(number)}`),
      bankruptcy,
    ),
    example: { org_number: '923609016' },
  },
  'cz-company-data': {
    source: publicSource(
      ares,
      ({ ico }) => get(`/ekonomicke-subjekty/${word(ico)}`),
      registerRecord('ARES'),
    ),
    example: { ico: '45274649' },
  },
  'finnish-company-data': {
    source: publicSource(
      prh,
      ({ business_id: id, org_number: other, company_name: name }) =>
        get('/companies', {
          businessId: id === undefined && other === undefined ? undefined : asText(id ?? other),
          name: name === undefined ? undefined : asText(name),
        }),
      registerRecord('PRH', 'companies'),
    ),
    example: { business_id: '0112038-9' },
  },
  'french-company-data': {
    source: publicSource(
      sirene,
      ({ siren }) => get('/search', { q: asText(siren), per_page: 1 }),
      registerRecord('SIRENE', 'results'),
    ),
    example: { siren: '552032534' },
  },
  'polish-company-data': {
    source: publicSource(
      krs,
      ({ krs_number: number }) =>
        get(`/OdpisAktualny/${word(number).padStart(10, '0')}`, { rejestr: 'P', format: 'json' }),
      registerRecord('KRS', 'odpis'),
    ),
    example: { krs_number: '0000028860' },
  },
  'us-company-data': { source: secCompany, example: { ticker: 'AAPL' } },
}
