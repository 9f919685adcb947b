/** Filings and trades from EDGAR. */
import { AppError } from '../../errors/app-error.ts'
import type { EndpointEntry } from '../../catalog/vocabulary/define.ts'
import {
  publicSource,
  anyReply,
  openPath,
  referenceRows,
  pathLike,
  unreadableReply,
} from '../shared/open-sources.ts'
import type { Data, Outcome } from '../../catalog/vocabulary/outcome.ts'
import { found } from '../shared/records.ts'
import { asText, field } from '../../catalog/answers/vendor-failure.ts'
import { get, type Reply, type WireRequest } from '../../catalog/vocabulary/wire.ts'
import { elements, elementText } from '../shared/xml-text.ts'
import { document, edgar, filings as listFilings, fulltext, tickers } from '../secfilings/source.ts'

/** The submissions of the filer in `cik` or `ticker`. */
function submissionsOf({ body }: Reply, { cik, ticker }: Data): WireRequest {
  const symbol = asText(ticker).toUpperCase()
  const listed = referenceRows(body).find((row) => field(row, 'ticker') === symbol)
  const key = cik === undefined ? field(listed, 'cik_str') : asText(cik).replace(/^cik/i, '')
  if (key === undefined || !/^\d{1,10}$/.test(asText(key)))
    throw new AppError('upstream_not_found', 'The SEC lists no such filer.', {
      param: cik === undefined ? 'ticker' : 'cik',
    })
  return { ...get(`/submissions/CIK${asText(key).padStart(10, '0')}.json`), origin: 'data' }
}

type Filing = { readonly folder: string; readonly document: string }

/** The nth latest filing of one of these forms. */
function filingOf(body: unknown, forms: readonly string[], skip: unknown): Filing | null {
  const recent = field(field(body, 'filings'), 'recent')
  const column = (name: string): unknown[] => {
    const values = field(recent, name)
    return Array.isArray(values) ? (values as unknown[]) : []
  }
  const rows = column('form').flatMap((form, index) =>
    forms.includes(asText(form)) ? [index] : [],
  )
  const index = rows[typeof skip === 'number' ? skip : 0]
  if (index === undefined) return null
  const accession = asText(column('accessionNumber')[index]).replaceAll('-', '')
  // The first part of the name is a style sheet. The file itself is in the parent folder.
  const primary = asText(column('primaryDocument')[index]).split('/').at(-1) ?? ''
  return {
    folder: `/Archives/edgar/data/${Number(asText(field(body, 'cik')))}/${accession}`,
    document: primary,
  }
}

const inXml = { headers: { accept: 'application/xml' } }

function valueIn(xml: string, name: string): string | null {
  const [inside = ''] = elements(xml, name)
  return elementText(inside, 'value') ?? (inside === '' ? null : (elementText(xml, name) ?? null))
}

function insiderTrades({ body }: Reply): Outcome {
  if (typeof body !== 'string') return found({ transactions: [] }, [])
  if (!body.includes('<ownershipDocument')) return unreadableReply()
  const transactions = [
    ...elements(body, 'nonDerivativeTransaction'),
    ...elements(body, 'derivativeTransaction'),
  ].map((row) => ({
    security: valueIn(row, 'securityTitle'),
    date: valueIn(row, 'transactionDate'),
    code: valueIn(row, 'transactionCode'),
    shares: valueIn(row, 'transactionShares'),
    price: valueIn(row, 'transactionPricePerShare'),
    acquired_disposed: valueIn(row, 'transactionAcquiredDisposedCode'),
    shares_after: valueIn(row, 'sharesOwnedFollowingTransaction'),
  }))
  const owners = elements(body, 'reportingOwner').map((owner) => ({
    name: elementText(owner, 'rptOwnerName') ?? null,
    cik: elementText(owner, 'rptOwnerCik') ?? null,
    title: elementText(owner, 'officerTitle') ?? null,
  }))
  return found(
    {
      issuer: elementText(body, 'issuerName') ?? null,
      ticker: elementText(body, 'issuerTradingSymbol') ?? null,
      form: elementText(body, 'documentType') ?? null,
      period: elementText(body, 'periodOfReport') ?? null,
      owners,
      transactions,
    },
    [...owners, ...transactions],
  )
}

/** The file with the holdings of a 13F filing: the XML file that is not its cover. */
function holdingsFile({ body }: Reply): WireRequest | null {
  const items = field(field(body, 'directory'), 'item')
  const names: unknown[] = Array.isArray(items) ? items.map((item) => field(item, 'name')) : []
  const file = names.find(
    (name) =>
      typeof name === 'string' && /^[\w.-]+\.xml$/i.test(name) && name !== 'primary_doc.xml',
  )
  const folder = field(field(body, 'directory'), 'name')
  return file === undefined || typeof folder !== 'string'
    ? null
    : { ...get(`${folder}/${asText(file)}`), ...inXml }
}

function holdings({ body }: Reply, { limit }: Data): Outcome {
  if (typeof body !== 'string') return found({ holdings: [] }, [])
  if (!/<([a-z0-9]+:)?informationTable/i.test(body)) return unreadableReply()
  const rows = elements(body.replaceAll(/<(\/?)[a-z0-9]+:/gi, '<$1'), 'infoTable').map((row) => ({
    issuer: elementText(row, 'nameOfIssuer') ?? null,
    class: elementText(row, 'titleOfClass') ?? null,
    cusip: elementText(row, 'cusip') ?? null,
    value: Number(elementText(row, 'value') ?? 0),
    shares: Number(elementText(row, 'sshPrnamt') ?? 0),
    put_call: elementText(row, 'putCall') ?? null,
  }))
  const largest = rows
    .toSorted((one, other) => other.value - one.value)
    .slice(0, typeof limit === 'number' && limit >= 1 ? limit : 200)
  return found({ total: rows.length, holdings: largest }, rows)
}

const oneFiler = { oneOf: ['cik', 'ticker'] } as const

const insiderSource = publicSource(
  edgar,
  () => tickers,
  insiderTrades,
  [
    submissionsOf,
    ({ body }, { skip }) => {
      const filing = filingOf(body, ['3', '4', '5'], skip)
      return filing === null ? null : { ...get(`${filing.folder}/${filing.document}`), ...inXml }
    },
  ],
  anyReply,
)

const institutionalSource = publicSource(
  edgar,
  () => tickers,
  holdings,
  [
    submissionsOf,
    ({ body }, { skip }) => {
      const filing = filingOf(body, ['13F-HR'], skip)
      return filing === null ? null : get(`${filing.folder}/index.json`)
    },
    holdingsFile,
  ],
  anyReply,
)

export const filings: readonly EndpointEntry[] = [
  pathLike(fulltext, edgar, [
    '/filings/search',
    '2',
    'Search the full text of SEC filings since 2001.',
    'q* forms startdt enddt from:integer',
    { q: '"going concern"', forms: '10-K' },
  ]),
  pathLike(listFilings, edgar, [
    '/filings/company',
    '1',
    'List the SEC filings of a company.',
    'cik*',
    { cik: '320193' },
  ]),
  pathLike(document, edgar, [
    '/filings/document',
    '1',
    'Read one document of an SEC filing.',
    'cik* accession* filename*',
    { cik: '320193', accession: '0000320193-23-000106', filename: 'report.htm' },
  ]),
  {
    ...openPath(
      '/trades/insider',
      '5',
      'Read the latest insider trade, such as a director buying or selling shares (forms 3, 4 and 5): owner, code, shares, price.',
      'cik ticker skip:integer',
      { ticker: 'AAPL' },
      insiderSource,
    ),
    ...oneFiler,
  },
  {
    ...openPath(
      '/trades/institutional',
      '21',
      'Read the holdings in the latest report of an institution such as a hedge fund (form 13F), largest first.',
      'cik ticker skip:integer limit:integer',
      { cik: '1111111', limit: 2 },
      institutionalSource,
    ),
    ...oneFiler,
  },
]
