/** Public registers and sources that answer a check while no vendor key is set, by the last part of its path. */
import { AppError } from '../../errors/app-error.ts'
import { cents } from '../../lib/money.ts'
import { isFields } from '../../lib/json-fields.ts'
import type { OpenSource } from '../../catalog/vocabulary/define.ts'
import { isFilled } from '../../catalog/answers/filled.ts'
import { asked, checked, heeding, inText, rowsToGoOn, unreadable } from '../shared/open-answers.ts'
import { failed, type Data, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import { foundOpenly } from '../shared/records.ts'
import { asText, field, textField } from '../../catalog/answers/vendor-failure.ts'
import {
  get,
  noAuth,
  post,
  type Reply,
  type Vendor,
  type WireRequest,
} from '../../catalog/vocabulary/wire.ts'
import { goPlus } from '../cryptoagent/source.ts'
import { defiLlama, frankfurter, osv } from '../datahub/source.ts'
import { gdelt, isAway } from '../globalnews/source.ts'
import { alternativeMe } from '../markets/source.ts'
import { edgar, isCompany, matching, tickers } from '../secfilings/source.ts'

const open = (
  label: string,
  baseUrl: string,
  docsUrl: string,
  more: Partial<Vendor> = {},
): Vendor => ({ label, baseUrl, docsUrl, auth: noAuth, limits: { perSecond: 2 }, ...more })
const gleif = open(
  'gleif',
  'https://api.gleif.org/api/v1',
  'https://www.gleif.org/en/lei-data/gleif-api',
  { limits: { perSecond: 1 } },
)
const vies = open(
  'vies',
  'https://ec.europa.eu/taxation_customs/vies/rest-api',
  'https://ec.europa.eu/taxation_customs/vies/',
)
const rdap = open('rdap', 'https://rdap.org', 'https://about.rdap.org/')
const nager = open('nager', 'https://date.nager.at/api/v3', 'https://date.nager.at/Api')
const usitc = open('usitc', 'https://hts.usitc.gov/reststop', 'https://hts.usitc.gov/')
const brreg = open(
  'brreg',
  'https://data.brreg.no/enhetsregisteret/api',
  'https://data.brreg.no/enhetsregisteret/api/dokumentasjon/en/index.html',
)
const ares = open(
  'ares',
  'https://ares.gov.cz/ekonomicke-subjekty-v-be/rest',
  'https://ares.gov.cz/swagger-ui/',
)
const prh = open(
  'prh',
  'https://avoindata.prh.fi/opendata-ytj-api/v3',
  'https://avoindata.prh.fi/en',
)
const sirene = open(
  'sirene',
  'https://recherche-entreprises.api.gouv.fr',
  'https://recherche-entreprises.api.gouv.fr/docs/',
  { limits: { perSecond: 5 } },
)
const krs = open('krs', 'https://api-krs.ms.gov.pl/api/krs', 'https://prs.ms.gov.pl/krs/openApi')

const word = (value: unknown) => encodeURIComponent(asText(value).trim())

/** What a public register knows, with its name; nothing found is free. */
function known(source: string, at = ''): (reply: Reply) => Outcome {
  return ({ body }) => {
    const record = at === '' ? body : at.split('.').reduce(field, body)
    return isFilled(record)
      ? foundOpenly({ source, result: record }, [record])
      : failed('no_results', 'The public register knows nothing of it. Nothing was charged.')
  }
}

/** The list of a source that tells "nothing" as {}; undefined where the answer holds something else, such as an error or the token of a later page. */
function listIn(body: unknown, name: string): readonly unknown[] | undefined {
  const list = field(body, name) ?? []
  return isFields(body) &&
    Array.isArray(list) &&
    list.every((row) => isFilled(row)) &&
    (list.length > 0 || !isFilled(body))
    ? (list as unknown[])
    : undefined
}

/** A verdict is an answer whatever it is. */
function verdict(fields: Data): Outcome {
  return { kind: 'done', data: fields, actual: cents('1') }
}

const leiRecord = asked(
  gleif,
  ({ lei, company_name: name }) =>
    lei === undefined
      ? get('/lei-records', { 'filter[entity.legalName]': asText(name), 'page[size]': 10 })
      : get(`/lei-records/${word(lei)}`),
  known('GLEIF', 'data'),
)
const relatives = (relation: string) =>
  heeding(
    'lei company_name',
    checked(
      ({ lei }) => {
        if (lei === undefined)
          throw new AppError(
            'upstream_not_configured',
            'Without the vendor this gateway finds relatives by LEI alone. Nothing was charged.',
            { param: 'lei' },
          )
      },
      asked(
        gleif,
        ({ lei }) => get(`/lei-records/${word(lei)}/${relation}`),
        known('GLEIF', 'data'),
      ),
    ),
  )

/** An authority that does not answer says so in `userError`; the number may be valid all the same. */
function viesVerdict({ body }: Reply, { vat_number: vat }: Data): Outcome {
  const error = asText(field(body, 'userError'))
  if (/UNAVAILABLE|MAX_CONCURRENT|TIMEOUT|BUSY/.test(error))
    return failed(
      'upstream_busy',
      'The tax authority of that country does not answer at the moment. Nothing was charged.',
    )
  const valid = field(body, 'isValid')
  if (typeof valid !== 'boolean')
    return failed(
      'upstream_error',
      'The tax authority answered in an unknown form. Nothing was charged.',
    )
  return verdict({
    valid,
    vat_number: vat,
    name: field(body, 'name') ?? null,
    address: field(body, 'address') ?? null,
    request_date: field(body, 'requestDate') ?? null,
    source: 'VIES',
  })
}

const vatParts = (vat: unknown) =>
  /^([A-Z]{2})([A-Z0-9+*]{2,14})$/.exec(
    asText(vat)
      .toUpperCase()
      .replaceAll(/[\s.-]/g, '')
      .replace(/^GR/, 'EL'),
  )
function checkVatNumber({ vat_number: vat }: Data): void {
  if (vatParts(vat) === null)
    throw new AppError(
      'invalid_params',
      'This is no VAT number: it begins with the two letters of its country.',
      { param: 'vat_number' },
    )
}
function viesRequest({ vat_number: vat }: Data): WireRequest {
  const [, country = '', number = ''] = vatParts(vat) ?? []
  return get(`/ms/${country}/vat/${encodeURIComponent(number)}`)
}

function rate({ body }: Reply, { from, to, amount = 1 }: Data): Outcome {
  const value = field(field(body, 'rates'), asText(to).toUpperCase())
  if (typeof value !== 'number')
    return failed('no_results', 'There is no rate between these currencies. Nothing was charged.')
  return verdict({
    from: asText(from).toUpperCase(),
    to: asText(to).toUpperCase(),
    rate: value,
    amount,
    converted: Number((Number(amount) * value).toFixed(6)),
    date: field(body, 'date') ?? null,
    source: 'European Central Bank',
  })
}
const rates = asked(
  frankfurter,
  ({ from, to }) =>
    get('/latest', { base: asText(from).toUpperCase(), symbols: asText(to).toUpperCase() }),
  rate,
)

const audit = asked(
  osv,
  ({ name, package_name: packageName, version, ecosystem = 'npm' }) =>
    post('/query', { package: { name: name ?? packageName, ecosystem }, version }),
  ({ body }) => {
    const vulnerabilities = listIn(body, 'vulns')
    if (vulnerabilities === undefined) return unreadable()
    return verdict({
      vulnerable: vulnerabilities.length > 0,
      vulnerability_count: vulnerabilities.length,
      vulnerabilities,
      source: 'OSV',
    })
  },
)

/** Registration of a domain; the register of each ending answers for itself. */
const registration = asked(
  rdap,
  ({ domain }) => ({
    ...get(`/domain/${word(domain)}`),
    headers: { accept: 'application/rdap+json' },
    followsRedirects: 'anywhere',
  }),
  ({ body }, { domain }) => {
    const events = field(body, 'events')
    const dated = (action: string) =>
      Array.isArray(events)
        ? (field(
            events.find((event) => field(event, 'eventAction') === action),
            'eventDate',
          ) ?? null)
        : null
    if (textField(body, 'ldhName') === '')
      return failed('no_results', 'The register knows nothing of this domain. Nothing was charged.')
    return verdict({
      domain,
      registered_at: dated('registration'),
      expires_at: dated('expiration'),
      changed_at: dated('last changed'),
      status: field(body, 'status') ?? [],
      nameservers: names(field(body, 'nameservers')),
      source: 'RDAP',
    })
  },
)

function names(list: unknown): unknown[] {
  return Array.isArray(list) ? list.map((item) => field(item, 'ldhName') ?? null) : []
}

function checkDate({ date }: Data): void {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(asText(date)))
    throw new AppError('invalid_params', '"date" is not a day.', {
      param: 'date',
      fix: 'Send a day such as "2026-12-25".',
    })
}

const businessDay = asked(
  nager,
  ({ date, country_code: country }) => {
    const [year = ''] = asText(date).split('-')
    return {
      ...get(`/PublicHolidays/${year}/${word(country).toUpperCase()}`),
      cacheSeconds: 86_400,
    }
  },
  ({ body }, { date, country_code: country }) => {
    if (!Array.isArray(body))
      return failed(
        'no_results',
        'The holidays of this country are not known. Nothing was charged.',
      )
    if (body.some((row) => textField(row, 'date') === '')) return unreadable()
    const holiday: unknown = body.find(
      (row) => field(row, 'date') === date && field(row, 'global') !== false,
    )
    const weekday = new Date(`${asText(date)}T00:00:00Z`).getUTCDay()
    const isWeekend = weekday === 0 || weekday === 6
    return verdict({
      date,
      country_code: country,
      is_business_day: !isWeekend && holiday === undefined,
      is_weekend: isWeekend,
      holiday: field(holiday, 'name') ?? null,
      source: 'Nager.Date',
    })
  },
)

/** Articles and their number; what they mean is for people to judge. */
const news = (words: string) =>
  asked(
    gdelt,
    ({ name, company_name: company, timespan = '3m', max_articles: most = 25 }) =>
      get('/doc/doc', {
        query: `"${asText(name ?? company).replaceAll('"', ' ')}"${words}`,
        mode: 'artlist',
        format: 'json',
        sort: 'datedesc',
        timespan: asText(timespan),
        maxrecords: Math.min(Number(most), 100),
      }),
    ({ body }) => {
      if (isAway(body)) return unreadable()
      if (typeof body === 'string')
        return failed('upstream_rejected', 'The source refused the query. Nothing was charged.')
      const articles = listIn(body, 'articles')
      if (articles === undefined) return unreadable()
      return verdict({
        article_count: articles.length,
        articles,
        source: 'GDELT',
        note: 'Articles that hold the name; no verdict.',
      })
    },
    [],
    inText,
  )

/** A company that files with the SEC, by ticker, key or name, without the list of its filings. */
const secCompany = asked(
  edgar,
  () => tickers,
  ({ body }) => {
    if (asText(field(body, 'cik')) === '') return unreadable()
    const facts =
      'cik name tickers exchanges sic sicDescription ein category fiscalYearEnd stateOfIncorporation addresses phone formerNames'
        .split(' ')
        .map((name) => [name, field(body, name) ?? null] as const)
    return verdict({ source: 'SEC EDGAR', result: Object.fromEntries(facts) })
  },
  [
    ({ body }, { ticker, cik, company, company_name: name }) => {
      const [found] = matching(
        rowsToGoOn(body).filter((row) => isCompany(row)),
        asText(ticker ?? cik ?? company ?? name),
      )
      if (found === undefined)
        throw new AppError(
          'upstream_not_found',
          'The SEC knows no such company. Nothing was charged.',
        )
      return {
        ...get(`/submissions/CIK${String(found.cik_str).padStart(10, '0')}.json`),
        origin: 'data',
      }
    },
  ],
)

/** The figure alone, as text. */
function lockedValue({ body }: Reply, { protocol }: Data): Outcome {
  const usd = asText(body).trim() === '' ? Number.NaN : Number(asText(body))
  if (Number.isNaN(usd)) return unreadable()
  return usd > 0
    ? verdict({ protocol, tvl_usd: usd, source: 'DefiLlama' })
    : failed('no_results', 'There is no such protocol. Nothing was charged.')
}

const goPlusResult = (path: (input: Data) => WireRequest) =>
  asked(goPlus, path, known('GoPlus', 'result'))

export const openChecks: Readonly<
  Record<string, { readonly source: OpenSource; readonly example: Data }>
> = {
  'lei-lookup': { source: leiRecord, example: { lei: '5493001KJTIIGC8Y1R12' } },
  'gleif-l2-children-lookup': {
    source: relatives('direct-children'),
    example: { lei: '5493001KJTIIGC8Y1R12' },
  },
  'gleif-l2-ubo-lookup': {
    source: relatives('ultimate-parent'),
    example: { lei: '5493001KJTIIGC8Y1R12' },
  },
  'vat-validate': {
    source: checked(checkVatNumber, asked(vies, viesRequest, viesVerdict)),
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
    source: checked(checkDate, businessDay),
    example: { date: '2026-12-25', country_code: 'DE' },
  },
  'adverse-media-check': {
    source: heeding('name', news(' (fraud OR bribery OR laundering OR sanctions OR indicted)')),
    example: { name: 'Simulated Person' },
  },
  'company-news': {
    source: heeding('company_name timespan max_articles', news('')),
    example: { company_name: 'Example Robotics' },
  },
  'hs-code-lookup': {
    source: asked(
      usitc,
      ({ product }) => get('/search', { keyword: asText(product) }),
      known('USITC'),
    ),
    example: { product: 'bicycle' },
  },
  'fear-greed-index': {
    source: asked(
      alternativeMe,
      ({ days = 1 }) => get('/fng/', { limit: Number(days), format: 'json' }),
      known('alternative.me', 'data'),
    ),
    example: { days: 1 },
  },
  'protocol-tvl-lookup': {
    source: asked(
      defiLlama,
      ({ protocol }) => get(`/tvl/${word(protocol)}`),
      lockedValue,
      [],
      inText,
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
    source: asked(
      brreg,
      ({ org_number: number, company_number: other, company_name: name }) =>
        number === undefined && other === undefined
          ? get('/enheter', { navn: asText(name), size: 5 })
          : get(`/enheter/${word(number ?? other)}`),
      known('Brønnøysundregistrene'),
    ),
    example: { org_number: '923609016' },
  },
  'no-bankruptcy-check': {
    source: asked(
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
    source: asked(ares, ({ ico }) => get(`/ekonomicke-subjekty/${word(ico)}`), known('ARES')),
    example: { ico: '45274649' },
  },
  'finnish-company-data': {
    source: asked(
      prh,
      ({ business_id: id, org_number: other, company_name: name }) =>
        get('/companies', {
          businessId: id === undefined && other === undefined ? undefined : asText(id ?? other),
          name: name === undefined ? undefined : asText(name),
        }),
      known('PRH', 'companies'),
    ),
    example: { business_id: '0112038-9' },
  },
  'french-company-data': {
    source: asked(
      sirene,
      ({ siren }) => get('/search', { q: asText(siren), per_page: 1 }),
      known('SIRENE', 'results'),
    ),
    example: { siren: '552032534' },
  },
  'polish-company-data': {
    source: asked(
      krs,
      ({ krs_number: number }) =>
        get(`/OdpisAktualny/${word(number).padStart(10, '0')}`, { rejestr: 'P', format: 'json' }),
      known('KRS', 'odpis'),
    ),
    example: { krs_number: '0000028860' },
  },
  'us-company-data': { source: secCompany, example: { ticker: 'AAPL' } },
}

/** A list of one, or the company itself. */
function bankruptcy({ body }: Reply): Outcome {
  const listed = field(field(body, '_embedded'), 'enheter')
  const company: unknown = Array.isArray(listed) ? listed[0] : body
  const state = field(company, 'konkurs')
  if (typeof state !== 'boolean')
    return failed('no_results', 'The public register knows no such company. Nothing was charged.')
  return verdict({
    bankrupt: state,
    org_number: field(company, 'organisasjonsnummer') ?? null,
    name: field(company, 'navn') ?? null,
    winding_up: field(company, 'underAvvikling') ?? null,
    source: 'Brønnøysundregistrene',
  })
}
