/** EDGAR and its actions, shared with the records of other vendors. */
import { Type } from '../../lib/schema.ts'
import { AppError } from '../../errors/app-error.ts'
import { cents } from '../../lib/money.ts'
import { call, params } from '../../catalog/vocabulary/define.ts'
import { isoDate, optional, text, whole } from '../../catalog/vocabulary/fields.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { fileFound, found } from '../shared/records.ts'
import { flat } from '../../catalog/vocabulary/tariff.ts'
import { asText, field, vendorFailure } from '../../catalog/answers/vendor-failure.ts'
import { get, noAuth, type Vendor, type WireRequest } from '../../catalog/vocabulary/wire.ts'

/** SEC EDGAR. The limit of ten requests per second applies to its three hosts together. */
export const edgar: Vendor = {
  label: 'secfilings',
  baseUrl: 'https://www.sec.gov',
  origins: { data: 'https://data.sec.gov', search: 'https://efts.sec.gov' },
  auth: noAuth,
  limits: { perSecond: 10 },
  docsUrl: 'https://www.sec.gov/search-filings/edgar-application-programming-interfaces',
  readFailure: (reply) => {
    if (reply.status !== 403) return vendorFailure(reply, {})
    // A missing file has status 403. Too many requests return a page with the same status.
    const words = typeof reply.body === 'string' ? reply.body : ''
    if (/undeclared automated tool/i.test(words))
      return vendorFailure(reply, {
        code: 'upstream_not_configured',
        message: 'The SEC requires a USER_AGENT with a name and an email address.',
      })
    return vendorFailure(reply, {
      code: /AccessDenied|NoSuchKey/.test(words) ? 'upstream_not_found' : 'upstream_busy',
    })
  },
}

export const price = {
  price: flat(cents('1')),
  priceSource: 'Own price; the SEC is free, 2026-11.',
}

export const cik = () =>
  text('Central Index Key of the filer, such as "320193" or "0000320193".', 13, {
    pattern: '^([Cc][Ii][Kk])?[0-9]{1,10}$',
  })

const digitsOf = (key: string) => key.replace(/^cik/i, '').replace(/^0+(?=.)/, '')

export const padCik = (key: string) => digitsOf(key).padStart(10, '0')

export type Company = { cik_str: number; ticker: string; title: string }

/** Exact tickers and CIKs first, then names with every word, shorter names before longer ones. */
export function matchCompanies(companies: readonly Company[], q: string): Company[] {
  const query = q.trim().toLowerCase()
  const exact = companies.filter(
    ({ ticker, cik_str: key }) => ticker.toLowerCase() === query || String(key) === digitsOf(query),
  )
  if (exact.length > 0) return exact
  const words = query.split(/\s+/)
  const named = companies.filter(({ title }) =>
    words.every((word) => title.toLowerCase().includes(word)),
  )
  return named.toSorted((one, other) => one.title.length - other.title.length).slice(0, 25)
}

/** The matches in the list of tickers. */
function listMatches(body: unknown, q: string): Data[] {
  const companies =
    typeof body === 'object' && body !== null
      ? Object.values(body).filter((row) => isCompany(row))
      : []
  return matchCompanies(companies, q).map(({ cik_str: key, ticker, title }) => ({
    cik: padCik(String(key)),
    ticker,
    name: title,
  }))
}

export function isCompany(row: unknown): row is Company {
  return (
    Number.isInteger(field(row, 'cik_str')) &&
    typeof field(row, 'ticker') === 'string' &&
    typeof field(row, 'title') === 'string'
  )
}

/** The suggestions of the filer index, which puts all tickers into one text. */
function listSuggestions(body: unknown): Data[] {
  const hits = field(field(body, 'hits'), 'hits')
  const rows = Array.isArray(hits) ? (hits as unknown[]) : []
  return rows.flatMap((hit) =>
    /^\d{1,10}$/.test(asText(field(hit, '_id')))
      ? [
          {
            cik: padCik(asText(field(hit, '_id'))),
            ticker: asText(field(field(hit, '_source'), 'tickers')) || null,
            name: field(field(hit, '_source'), 'entity') ?? null,
          },
        ]
      : [],
  )
}

function rejectAmendments({ forms }: { forms?: string }): void {
  if (forms === undefined || !/\/A\b/i.test(forms)) return
  throw new AppError(
    'invalid_params',
    '"forms" accepts only root form types. They include their amendments.',
    { param: 'forms', fix: 'Send "10-K" instead of "10-K/A".' },
  )
}

function documentPath({
  cik: key,
  accession,
  filename,
}: {
  cik: string
  accession: string
  filename: string
}): string {
  return `/Archives/edgar/data/${digitsOf(key)}/${accession.replaceAll('-', '')}/${filename}`
}

export const entities = call({
  ...price,
  title: 'Find a company at the SEC',
  summary:
    'Find a company that files with the SEC by ticker or name, with its CIK number for the other actions.',
  keywords: ['edgar', 'cik lookup', 'ticker', 'stock symbol', 'public company'],
  description:
    'Companies with a ticker come first. Funds, people and other filers are returned if no company matches.',
  input: params({ q: text("Ticker, CIK or words of the company's name.", 200) }),
  example: { q: 'AAPL' },
  timeoutMs: 20_000,
  request: () => ({ ...get('/files/company_tickers.json'), cacheSeconds: 86_400 }),
  // Filers without a ticker, such as funds and people, are in the index of the full-text search.
  followUps: [
    ({ body }, { q }) =>
      listMatches(body, q).length > 0
        ? null
        : {
            ...get('/LATEST/search-index', { keysTyped: q }),
            origin: 'search',
            retry: { times: 2, afterMs: 500 },
          },
  ],
  reply: Type.Record(Type.String(), Type.Unknown()),
  outcome: ({ body }, { q }) => {
    const rows = [...listMatches(body, q), ...listSuggestions(body)]
    return found({ entities: rows }, rows)
  },
})

export const filings = call({
  ...price,
  title: 'SEC filings of a company',
  summary: 'List the filings of a company, with its names, tickers, addresses and industry.',
  description:
    'filings.recent has the latest thousand filings, one list per column. filings.files names the files with older ones.',
  keywords: ['10-K', '10-Q', '8-K', 'annual report', 'edgar submissions'],
  input: params({ cik: cik() }),
  example: { cik: '320193' },
  timeoutMs: 20_000,
  request: (input) => ({ ...get(`/submissions/CIK${padCik(input.cik)}.json`), origin: 'data' }),
  reply: Type.Object({ filings: Type.Unknown() }),
  outcome: ({ body }) => found(body, [body.filings]),
})

export const fulltext = call({
  ...price,
  title: 'Full-text search of SEC filings',
  summary: 'Search the full text of filings since 2001, ten hits per page.',
  description:
    "In a hit's _id, the part before the colon is the accession and the part after it the filename for secfilings/document.",
  keywords: ['edgar full text search', 'efts', 'search 10-K text'],
  input: params({
    q: text('Words to search for. Put a phrase in double quotes.', 500),
    forms: optional(
      text(
        'Root form types, separated by commas, such as "10-K,8-K". Amendments ("/A") are not accepted.',
        200,
      ),
    ),
    startdt: optional(isoDate('Filed on or after this day.')),
    enddt: optional(isoDate('Filed on or before this day.')),
    from: whole('Hits to skip: 0, 10, 20, …', 0, 9_990, { default: 0 }),
  }),
  example: { q: '"going concern"', forms: '10-K', startdt: '2026-01-01', enddt: '2026-06-30' },
  timeoutMs: 30_000,
  untrustedContent: true,
  check: rejectAmendments,
  request: ({ q, forms, startdt, enddt, from }) => ({
    ...get('/LATEST/search-index', {
      q,
      forms,
      dateRange: startdt === undefined && enddt === undefined ? undefined : 'custom',
      startdt,
      enddt,
      from,
    }),
    origin: 'search',
    retry: { times: 2, afterMs: 500 },
  }),
  reply: Type.Object({
    hits: Type.Object({ total: Type.Unknown(), hits: Type.Array(Type.Unknown()) }),
  }),
  // The source returns up to a hundred hits; a page has ten.
  outcome: ({ body }) => {
    const hits = body.hits.hits.slice(0, 10)
    return found({ ...body, hits: { ...body.hits, hits } }, hits)
  },
})

export const document = call({
  ...price,
  title: 'SEC filing document',
  summary: 'Read one document of a filing: text unchanged, other files as base64.',
  description:
    'The source allows about ten requests per second for all accounts together: plan for about five documents per answer.',
  keywords: ['filing html', 'exhibit', 'edgar archive'],
  input: params({
    cik: cik(),
    accession: text(
      'Accession number, with or without dashes, such as "0000320193-23-000106".',
      20,
      { pattern: '^[0-9]{10}-?[0-9]{2}-?[0-9]{6}$' },
    ),
    filename: text(
      'Name of the file within the filing, such as "aapl-20230930.htm". The file "index.json" lists all names.',
      200,
      { pattern: '^[A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)?$' },
    ),
  }),
  example: { cik: '320193', accession: '0000320193-23-000106', filename: 'aapl-20230930.htm' },
  timeoutMs: 30_000,
  untrustedContent: true,
  request: (input) => ({
    ...get(documentPath(input)),
    headers: { accept: '*/*' },
    binary: true,
  }),
  reply: Type.Unknown(),
  outcome: (reply, input) => fileFound(reply, { url: `${edgar.baseUrl}${documentPath(input)}` }),
})

/** The list of all filers with a ticker. */
export const tickers: WireRequest = {
  ...get('/files/company_tickers.json'),
  cacheSeconds: 86_400,
}
