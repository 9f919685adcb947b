/**
 * EDGAR's three hosts: the archive, "/data" for submissions and facts, "/search" for the full text.
 */
import { isMiss, json, openData, SIMULATED, text } from '../../simulators/open-data.ts'
import type { SimulatedReply, SimulatedRequest } from '../../simulators/vendor.ts'

const COMPANIES = [
  { cik_str: 320193, ticker: 'AAPL', title: 'Apple Inc.' },
  { cik_str: 789019, ticker: 'MSFT', title: 'MICROSOFT CORP' },
  { cik_str: 1111111, ticker: 'SIMX', title: 'Simulated Example Holdings Inc.' },
]
const NO_SUCH_FILE =
  '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>'

const secfilings = openData(
  {
    'GET /files/company_tickers.json': () =>
      json(Object.fromEntries(COMPANIES.map((company, index) => [String(index), company]))),
    'GET /data/submissions/:file': (_, { file = '' }) => {
      const company = COMPANIES.find(
        ({ cik_str: key }) => file === `CIK${String(key).padStart(10, '0')}.json`,
      )
      return company === undefined ? noSuchFile(404) : json(submissions(company))
    },
    'GET /data/api/xbrl/companyconcept/:cik/:taxonomy/:file': (
      _,
      { cik = '', taxonomy, file = '' },
    ) => {
      const tag = file.replace(/\.json$/, '')
      if (tag === 'NeverReported') return noSuchFile(404)
      const units = {
        USD: [
          {
            end: '2025-09-27',
            val: 359241000000,
            accn: '0000320193-25-000079',
            fy: 2025,
            fp: 'FY',
            form: '10-K',
            filed: '2025-10-31',
          },
        ],
      }
      return json({
        cik: Number(cik.slice(3)),
        taxonomy,
        tag,
        label: tag,
        description: SIMULATED,
        entityName: 'Apple Inc.',
        units,
      })
    },
    'GET /search/LATEST/search-index': (request) => search(request),
    'GET /Archives/edgar/daily-index/:year/:quarter/:file': (_, { file = '' }) => dailyIndex(file),
    // Some files are in a subfolder of the filing.
    'GET /Archives/edgar/data/:cik/:accession/:file*': (_, { file = '' }) =>
      document(file.slice(file.lastIndexOf('/') + 1)),
  },
  (status) =>
    text(`<html><body>Simulated failure with status ${status}.</body></html>`, 'text/html', status),
)

function noSuchFile(status: number): SimulatedReply {
  return text(NO_SUCH_FILE, 'application/xml', status)
}

function submissions({ cik_str: key, ticker, title }: (typeof COMPANIES)[number]): unknown {
  const recent = {
    accessionNumber: ['79', '80', '81'].map(
      (number) => `${String(key).padStart(10, '0')}-25-0000${number}`,
    ),
    filingDate: ['2025-10-31', '2025-10-15', '2025-11-14'],
    reportDate: ['2025-09-27', '2025-10-13', '2025-09-30'],
    form: ['10-K', '4', '13F-HR'],
    primaryDocument: ['report-2025.htm', 'xslF345X05/form4.xml', 'xslForm13F_X02/primary_doc.xml'],
    primaryDocDescription: [SIMULATED, SIMULATED, SIMULATED],
  }
  return {
    cik: String(key),
    name: title,
    tickers: [ticker],
    exchanges: ['Nasdaq'],
    sic: '3571',
    sicDescription: 'Electronic Computers',
    formerNames: [],
    filings: { recent, files: [] },
  }
}

function search(request: SimulatedRequest): SimulatedReply {
  const typed = request.query.get('keysTyped')
  if (typed !== null)
    return json({
      hits: {
        hits: /fund/i.test(typed)
          ? [
              {
                _id: '1222222',
                _source: { entity: 'Simulated Fund (CIK 0001222222)', tickers: null },
              },
            ]
          : [],
      },
    })
  const hits = Array.from({ length: isMiss(request, 'secfilings') ? 0 : 12 }, (_, index) => ({
    _id: `0001111111-26-${String(index).padStart(6, '0')}:simulated-${index}.htm`,
    _score: 10 - index,
    _source: {
      ciks: ['0001111111'],
      display_names: ['Simulated Example Holdings Inc. (SIMX)'],
      form: '10-K',
      root_forms: ['10-K'],
      file_date: '2026-02-01',
      adsh: `0001111111-26-${String(index).padStart(6, '0')}`,
    },
  }))
  return json({ hits: { total: { value: hits.length, relation: 'eq' }, hits } })
}

function dailyIndex(file: string): SimulatedReply {
  const [, date = ''] = /^master\.(\d{8})\.idx$/.exec(file) ?? []
  const day = new Date(
    `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}T00:00:00Z`,
  ).getUTCDay()
  if (day === 0 || day === 6 || date.endsWith('1225')) return noSuchFile(403)
  return text(
    `Description: Simulated daily index\n\nCIK|Company Name|Form Type|Date Filed|File Name\n${'-'.repeat(80)}\n1111111|Simulated Example Holdings Inc.|8-K|${date}|edgar/data/1111111/0001111111-26-000001.txt\n`,
  )
}

const FORM_4 = `<?xml version="1.0"?><ownershipDocument><documentType>4</documentType><periodOfReport>2025-10-13</periodOfReport><issuer><issuerName>Simulated Issuer</issuerName><issuerTradingSymbol>SIMX</issuerTradingSymbol></issuer>
<reportingOwner><reportingOwnerId><rptOwnerCik>0001</rptOwnerCik><rptOwnerName>Simulated Officer</rptOwnerName></reportingOwnerId><reportingOwnerRelationship><officerTitle>CFO</officerTitle></reportingOwnerRelationship></reportingOwner>
<nonDerivativeTable><nonDerivativeTransaction><securityTitle><value>Common Stock</value></securityTitle><transactionDate><value>2025-10-13</value></transactionDate><transactionCoding><transactionCode>S</transactionCode></transactionCoding><transactionAmounts><transactionShares><value>100</value></transactionShares><transactionPricePerShare><value>12.5</value></transactionPricePerShare><transactionAcquiredDisposedCode><value>D</value></transactionAcquiredDisposedCode></transactionAmounts><postTransactionAmounts><sharesOwnedFollowingTransaction><value>900</value></sharesOwnedFollowingTransaction></postTransactionAmounts></nonDerivativeTransaction></nonDerivativeTable></ownershipDocument>`
const HOLDINGS = `<?xml version="1.0"?><ns1:informationTable xmlns:ns1="x">${['SMALL', 'LARGE'].map((name, index) => `<ns1:infoTable><ns1:nameOfIssuer>SIMULATED ${name}</ns1:nameOfIssuer><ns1:titleOfClass>COM</ns1:titleOfClass><ns1:cusip>00000000${index}</ns1:cusip><ns1:value>${(index + 1) * 1000}</ns1:value><ns1:shrsOrPrnAmt><ns1:sshPrnamt>${index + 10}</ns1:sshPrnamt></ns1:shrsOrPrnAmt></ns1:infoTable>`).join('')}</ns1:informationTable>`

function document(file: string): SimulatedReply {
  if (file === 'form4.xml') return text(FORM_4, 'application/xml')
  if (file === 'holdings.xml') return text(HOLDINGS, 'application/xml')
  if (file === 'index.json')
    return json({
      directory: {
        name: '/Archives/edgar/data/1111111/000111111125000081',
        item: [{ name: 'primary_doc.xml' }, { name: 'holdings.xml' }],
      },
    })
  if (file.startsWith('missing')) return noSuchFile(404)
  if (file.endsWith('.pdf')) return text('%PDF-1.4 simulated', 'application/pdf')
  return text(`<html><body><h1>Annual report</h1><p>${SIMULATED}</p></body></html>`, 'text/html')
}

export const simulators = { secfilings }
