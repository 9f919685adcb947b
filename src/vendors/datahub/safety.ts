/** Recalls, adverse events, clinical trials, rules, and software vulnerabilities. */
import { AppError } from '../../errors/app-error.ts'
import { DAY_MS } from '../../lib/clock.ts'
import type { EndpointEntry } from '../../catalog/vocabulary/define.ts'
import {
  publicSource,
  withCheck,
  fieldContains,
  openPath,
  pickQuery,
  rowsAt,
  pathLike,
  selectRows,
} from '../shared/open-sources.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { asText, textField, vendorFailure } from '../../catalog/answers/vendor-failure.ts'
import { get, noAuth, post, type Vendor } from '../../catalog/vocabulary/wire.ts'
import { FDA_NO_MATCH, fdaPhrase, openFda } from '../drugs/source.ts'
import { federalRegister, search as searchRules } from '../fedrules/source.ts'
import { cpsc, search as searchRecalls } from '../recalls/source.ts'
import { osv } from './source.ts'

const nhtsa: Vendor = {
  label: 'nhtsa',
  baseUrl: 'https://api.nhtsa.gov',
  auth: noAuth,
  limits: { perSecond: 2 },
  docsUrl: 'https://www.nhtsa.gov/nhtsa-datasets-and-apis',
}

const nvd: Vendor = {
  label: 'nvd',
  baseUrl: 'https://services.nvd.nist.gov/rest/json',
  auth: { in: 'header', name: 'apikey', credential: 'KEY', optional: true },
  // Five requests in thirty seconds; fifty with a free key.
  limits: { perSecond: 5 / 30 },
  limitsWithKey: { perSecond: 50 / 30 },
  docsUrl: 'https://nvd.nist.gov/developers/vulnerabilities',
  // A header contains the reason for a rejected request.
  readFailure: (reply) =>
    vendorFailure(reply, {
      code: reply.status === 403 ? 'upstream_busy' : undefined,
      message: reply.headers['message'],
    }),
}

const cisa: Vendor = {
  label: 'cisa',
  baseUrl: 'https://www.cisa.gov',
  auth: noAuth,
  docsUrl: 'https://www.cisa.gov/known-exploited-vulnerabilities-catalog',
}

const fda = (path: string, search: (input: Data) => string) =>
  publicSource(
    openFda,
    (input) => ({
      ...get(path, { search: search(input), ...pickQuery(input, 'limit skip') }),
      acceptedStatuses: FDA_NO_MATCH,
    }),
    rowsAt('results'),
  )

const enforcement = (kind: string) =>
  fda(
    `/${kind}/enforcement.json`,
    ({ q }) =>
      `product_description:${fdaPhrase(String(q))} reason_for_recall:${fdaPhrase(String(q))}`,
  )

const day = (date: unknown, time: string) =>
  date === undefined ? undefined : `${asText(date)}T${time}`

/**
 * The source requires both ends of a time range or none, and at most 120 days between them.
 * Otherwise it returns 404.
 */
function checkPublished({ published_from: from, published_to: to }: Data): void {
  if (from === undefined && to === undefined) return
  if (from === undefined || to === undefined)
    throw new AppError(
      'invalid_params',
      '"published_from" and "published_to" must be sent together.',
      {
        param: from === undefined ? 'published_from' : 'published_to',
      },
    )
  const days = (Date.parse(asText(to)) - Date.parse(asText(from))) / DAY_MS
  if (!(days >= 0 && days < 120))
    throw new AppError(
      'invalid_params',
      'The publication range requires two days, YYYY-MM-DD, at most 120 days apart.',
      { param: 'published_to' },
    )
}

const cveSearch = publicSource(
  nvd,
  ({ keyword, severity, published_from: from, published_to: to, limit = 20, start }) =>
    get('/cves/2.0', {
      keywordSearch: String(keyword),
      cvssV3Severity: severity as string | undefined,
      pubStartDate: day(from, '00:00:00.000'),
      pubEndDate: day(to, '23:59:59.999'),
      resultsPerPage: limit as number,
      startIndex: start as number | undefined,
    }),
  rowsAt('vulnerabilities'),
)

const exploited = publicSource(
  cisa,
  () => ({
    ...get('/sites/default/files/feeds/known_exploited_vulnerabilities.json'),
    cacheSeconds: 3_600,
  }),
  selectRows({
    at: 'vulnerabilities',
    keep: (row, { q, vendor }) =>
      fieldContains(row, 'vendorProject', vendor) &&
      (q === undefined ||
        ['cveID', 'vulnerabilityName', 'product', 'shortDescription'].some((name) =>
          fieldContains(row, name, q),
        )),
  }),
)

export const safety: readonly EndpointEntry[] = [
  pathLike(searchRecalls, cpsc, [
    '/recalls/cpsc',
    '2',
    'Find recalls of consumer products.',
    'q* limit:integer',
    { q: 'stroller', limit: 2 },
  ]),
  openPath(
    '/recalls/food',
    '2',
    'Find recalls of food.',
    'q* limit:integer=1 skip:integer',
    { q: 'peanut', limit: 2 },
    enforcement('food'),
  ),
  openPath(
    '/recalls/drug',
    '2',
    'Find recalls of drugs.',
    'q* limit:integer=1 skip:integer',
    { q: 'tablets', limit: 2 },
    enforcement('drug'),
  ),
  openPath(
    '/recalls/device',
    '2',
    'Find recalls of medical devices.',
    'q* limit:integer=1 skip:integer',
    { q: 'pump', limit: 2 },
    enforcement('device'),
  ),
  openPath(
    '/recalls/vehicle',
    '2',
    'List the recalls of a vehicle.',
    'make* model* year*:integer',
    { make: 'Toyota', model: 'Camry', year: 2020 },
    publicSource(
      nhtsa,
      (input) => get('/recalls/recallsByVehicle', pickQuery(input, 'make model year>modelYear')),
      rowsAt('results'),
    ),
  ),
  openPath(
    '/adverse-events/drug',
    '2',
    'Find reports of adverse events (side effects) of a drug.',
    'drug* limit:integer=1 skip:integer',
    { drug: 'ibuprofen', limit: 2 },
    fda(
      '/drug/event.json',
      ({ drug }) => `patient.drug.medicinalproduct:${fdaPhrase(String(drug))}`,
    ),
  ),
  pathLike(searchRules, federalRegister, [
    '/rules/search',
    '1',
    'Search rules and notices of the Federal Register.',
    'term type(RULE|PRORULE|NOTICE|PRESDOCU) agency date_gte date_lte per_page:integer page:integer',
    { term: 'drinking water', per_page: 2 },
  ]),
  openPath(
    '/cve/search',
    '2',
    'Find vulnerabilities (CVE) by keyword, severity and publication date, within at most 120 days.',
    'keyword* severity(LOW|MEDIUM|HIGH|CRITICAL) published_from published_to limit:integer=20 start:integer',
    { keyword: 'openssl', severity: 'HIGH', limit: 2 },
    withCheck(checkPublished, cveSearch),
  ),
  openPath(
    '/cve/get',
    '1',
    'Read one vulnerability by its CVE id.',
    'id*',
    { id: 'CVE-2021-44228' },
    publicSource(
      nvd,
      ({ id }) => get('/cves/2.0', { cveId: String(id) }),
      rowsAt('vulnerabilities'),
    ),
  ),
  openPath(
    '/cve/kev',
    '1',
    'List vulnerabilities that are known to be exploited.',
    'q vendor limit:integer=50',
    { vendor: 'Apache', limit: 2 },
    exploited,
  ),
]

const packageOf = ({ name, ecosystem, version }: Data) => ({
  package: { name, ecosystem },
  version,
})

export const submissions: readonly EndpointEntry[] = [
  {
    ...openPath(
      '/vulns/package',
      '1',
      'List known vulnerabilities of a package version.',
      'name* ecosystem* version*',
      { name: 'lodash', ecosystem: 'npm', version: '4.17.15' },
      publicSource(osv, (input) => post('/query', packageOf(input)), rowsAt('vulns')),
    ),
    method: 'POST',
  },
  {
    ...openPath(
      '/vulns/commit',
      '1',
      'List known vulnerabilities of a repository commit.',
      'commit*',
      { commit: '6879efc2c1596d11a6a6ad296f80063b558d5e0f' },
      publicSource(osv, ({ commit }) => post('/query', { commit }), rowsAt('vulns')),
    ),
    method: 'POST',
  },
]

/** One vulnerability by its OSV id. */
export const advisory = openPath(
  '/vulns/get',
  '1',
  'Read one vulnerability of a package by its OSV or GHSA id.',
  'id*',
  { id: 'GHSA-p6mc-m468-83gw' },
  publicSource(
    osv,
    ({ id }) => get(`/vulns/${encodeURIComponent(String(id))}`),
    ({ body }) =>
      textField(body, 'id') !== ''
        ? { kind: 'done', data: body as Data }
        : { kind: 'empty', data: {} },
  ),
)
