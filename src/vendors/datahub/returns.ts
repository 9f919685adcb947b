/** From the references of the public sources. */
import {
  address,
  answer,
  count,
  items,
  maybe,
  number,
  oneOf,
  open,
  openAnswer,
  record,
  records,
  text,
  time,
  words,
  type Returns,
} from '../../catalog/vocabulary/returns.ts'
import type { TProperties } from '../../lib/schema.ts'
import { works } from '../shared/scholarly-returns.ts'
import { label, list, total } from './row-list.ts'
import { moneyReturns } from './returns-money.ts'

const openFda = (description: string, fields: TProperties) =>
  answer({
    meta: maybe(open('The state of the data and the number of all matches.')),
    results: maybe(records(description, fields)),
  })
const recall = openFda('The recalls.', {
  recall_number: label('The number of the recall.'),
  status: maybe(oneOf('The state of the recall.', ['Ongoing', 'Completed', 'Terminated'])),
  classification: maybe(
    oneOf('The danger. Class I is the highest.', ['Class I', 'Class II', 'Class III']),
  ),
  product_description: label('The product.'),
  product_quantity: label('The amount, in words.'),
  reason_for_recall: label('The problem.'),
  recalling_firm: label('The company.'),
  distribution_pattern: label('Where the product was sold.'),
  code_info: label('The lots.'),
  recall_initiation_date: maybe(time('When the recall began, as YYYYMMDD.')),
  report_date: maybe(time('When the FDA reported it, as YYYYMMDD.')),
  city: label('The city of the company.'),
  state: label('The state of the company.'),
  country: label('The country of the company.'),
})
const vulnerability = {
  id: text('The id, such as "GHSA-p6mc-m468-83gw" or "CVE-2021-44228".'),
  summary: label('The problem in one line.'),
  details: label('The problem as Markdown.'),
  aliases: maybe(words('The ids of the same problem elsewhere.')),
  published: maybe(time('When the entry was published.')),
  modified: maybe(time('When the entry was last changed.')),
  withdrawn: maybe(time('When the entry was withdrawn.')),
  severity: maybe(
    records('The severity by scoring system.', {
      type: maybe(oneOf('The scoring system.', ['CVSS_V2', 'CVSS_V3', 'CVSS_V4'])),
      score: label('The vector of the score.'),
    }),
  ),
  affected: maybe(items('The packages and versions with the problem.', open('A package.'))),
  references: maybe(items('Pages about the problem.', open('A page with its URL.'))),
  database_specific: maybe(open('Facts of the database.')),
}
const cves = answer({
  resultsPerPage: maybe(count('The size of this page.', 'results')),
  startIndex: maybe(count('The first place of this page, from 0.')),
  totalResults: total,
  format: label("The source's name of the format."),
  version: label('The version of the format.'),
  timestamp: maybe(time('When the source answered.')),
  vulnerabilities: maybe(
    records('The vulnerabilities.', {
      cve: maybe(
        record('A vulnerability.', {
          id: text('The CVE id.'),
          sourceIdentifier: label('The organization that reported it.'),
          published: maybe(time('When it was published.')),
          lastModified: maybe(time('When it was last changed.')),
          vulnStatus: label('The state of the analysis.'),
          descriptions: maybe(
            records('The problem by language.', {
              lang: label('The language.'),
              value: label('The problem in words.'),
            }),
          ),
          metrics: maybe(open('The severity by version of CVSS.')),
          weaknesses: maybe(items('The kinds of mistake (CWE).', open('A kind.'))),
          configurations: maybe(items('The products with the problem.', open('Products.'))),
          references: maybe(items('Pages about the problem.', open('A page with its URL.'))),
          cisaActionDue: maybe(time('The deadline for US agencies, if it is exploited.')),
        }),
      ),
    }),
  ),
})
const advisories = answer({
  vulns: maybe(records('The vulnerabilities.', vulnerability)),
  next_page_token: label('The position after these vulnerabilities.'),
})
export const returns: Returns = {
  fetch: openAnswer(
    'The answer of the source. Its fields depend on the endpoint, and the descriptor of the endpoint lists them.',
  ),
  submit: advisories,
  'fetch /papers/arxiv': list('The papers.', {
    id: label('The page of the paper, which contains its id.'),
    title: label('The title.'),
    summary: label('The abstract.'),
    authors: maybe(words('The authors.')),
    published: maybe(time('When the first version was published.')),
    pdf: maybe(address('The PDF.')),
  }),
  'fetch /papers/pubmed': list('The papers.', {
    uid: label('The PubMed id.'),
    title: label('The title.'),
    source: label('The journal.'),
    pubdate: label('The date of publication in words.'),
    authors: maybe(items('The authors.', open('An author with the name.'))),
    articleids: maybe(items('Ids such as the DOI.', open('An id with its kind.'))),
  }),
  'fetch /papers/crossref': answer({
    status: label('"ok" for a successful search.'),
    'message-type': label("The source's name of the answer."),
    'message-version': label('The version of the answer.'),
    message: maybe(
      record('The works.', {
        'total-results': total,
        items: maybe(
          records('The works, best match first.', {
            DOI: label('The DOI.'),
            title: maybe(words('The title.')),
            author: maybe(items('The authors.', open('An author.'))),
            'container-title': maybe(words('The journal or book.')),
            publisher: label('The publisher.'),
            type: label('The kind of work.'),
            issued: maybe(open('The date of publication in parts.')),
            URL: maybe(address('The DOI as a URL.')),
            abstract: label('The abstract as XML.'),
            'is-referenced-by-count': maybe(count('The number of citations.', 'citations')),
          }),
        ),
      }),
    ),
  }),
  'fetch /papers/openalex': works,
  'fetch /papers/semanticscholar': answer({
    total,
    offset: maybe(count('The first place of this page, from 0.')),
    next: maybe(count('The first place of the next page.')),
    data: maybe(
      records('The papers, best match first.', {
        paperId: label('The id of the paper.'),
        title: label('The title.'),
        abstract: label('The abstract.'),
        year: maybe(count('The year of publication.')),
        authors: maybe(items('The authors.', open('An author with the name.'))),
        citationCount: maybe(count('The number of citations.', 'citations')),
        externalIds: maybe(open('Ids such as the DOI.')),
        url: maybe(address('The page of the paper.')),
        openAccessPdf: maybe(open('The free PDF.')),
      }),
    ),
  }),
  'fetch /trades/insider': answer({
    issuer: label('The company.'),
    ticker: label('Its stock symbol.'),
    form: maybe(oneOf('The form of the filing.', ['3', '4', '5'])),
    period: maybe(time('The day of the report.')),
    owners: maybe(
      records('The people that report.', {
        name: label('The name.'),
        cik: label('The Central Index Key.'),
        title: label('The office at the company.'),
      }),
    ),
    transactions: maybe(
      records('The trades.', {
        security: label('The security.'),
        date: maybe(time('When it was traded.')),
        code: label('The kind of trade: "P" is a purchase, "S" a sale.'),
        shares: label('The number of shares, as text.'),
        price: label('The price of a share in USD, as text.'),
        acquired_disposed: maybe(oneOf('"A" for acquired, "D" for disposed.', ['A', 'D'])),
        shares_after: label('The shares after the trade, as text.'),
      }),
    ),
  }),
  'fetch /trades/institutional': answer({
    total: maybe(count('The number of holdings in the filing.', 'holdings')),
    holdings: records('The holdings, largest first.', {
      issuer: label('The company.'),
      class: label('The kind of security.'),
      cusip: label('The CUSIP.'),
      value: maybe(number('The value of the holding.', 'USD')),
      shares: maybe(number('The number of shares.', 'shares')),
      put_call: maybe(oneOf('The kind of option. Null for shares.', ['Put', 'Call'])),
    }),
  }),
  'fetch /recalls/food': recall,
  'fetch /recalls/device': recall,
  'fetch /cve/search': cves,
  'fetch /cve/get': cves,
  'fetch /cve/kev': list('The exploited vulnerabilities.', {
    cveID: label('The CVE id.'),
    vendorProject: label('The vendor.'),
    product: label('The product.'),
    vulnerabilityName: label('The name.'),
    dateAdded: maybe(time('When it was added to the catalog.')),
    shortDescription: label('The problem.'),
    requiredAction: label('What to do.'),
    dueDate: maybe(time('The deadline for US agencies.')),
    knownRansomwareCampaignUse: maybe(oneOf('Whether ransomware uses it.', ['Known', 'Unknown'])),
    cwes: maybe(words('The kinds of mistake.')),
  }),
  'fetch /vulns/get': answer({
    ...vulnerability,
    schema_version: label('The version of the format.'),
  }),
  ...moneyReturns,
  'submit /vulns/package': advisories,
  'submit /vulns/commit': advisories,
}
