/** Checks by public registers and databases. */
import {
  address,
  anything,
  count,
  flag,
  items,
  maybe,
  number,
  records,
  text,
  time,
  words,
  type Returns,
} from '../../../catalog/vocabulary/returns.ts'
import { check } from './common.ts'

const source = maybe(text('The register or database.'))
const company = check({
  source,
  result: maybe(anything('The entry, or a list of entries, in the format of the public register.')),
})
const news = check({
  article_count: maybe(count('The number of articles.')),
  articles: maybe(
    records('The articles, newest first.', {
      url: maybe(address('The article.')),
      url_mobile: maybe(text('The article for phones.')),
      title: maybe(text('The title.')),
      seendate: maybe(time('When it was found.')),
      socialimage: maybe(text('The main image.')),
      domain: maybe(text('The website.')),
      language: maybe(text('The language.')),
      sourcecountry: maybe(text('The country of the website.')),
    }),
  ),
  source,
  note: maybe(text('How to read the result.')),
})
const audit = check({
  vulnerable: maybe(flag('Whether a vulnerability is known.')),
  vulnerability_count: maybe(count('The number of vulnerabilities.')),
  vulnerabilities: maybe(
    records('The vulnerabilities.', {
      id: maybe(text('The id, such as a GHSA or CVE number.')),
      summary: maybe(text('A summary.')),
      details: maybe(text('The description.')),
      aliases: maybe(words('Other ids of the same.')),
      published: maybe(time('When it was published.')),
      modified: maybe(time('When it was last changed.')),
      severity: maybe(items('The severity by standard.', anything('A severity.'))),
      affected: maybe(items('The affected packages.', anything('A package.'))),
      references: maybe(items('Links.', anything('A link.'))),
    }),
  ),
  source,
})

const REGISTERS = [
  'cz-company-data',
  'finnish-company-data',
  'french-company-data',
  'norwegian-company-data',
  'polish-company-data',
  'us-company-data',
  'lei-lookup',
  'gleif-l2-children-lookup',
  'gleif-l2-ubo-lookup',
]

export const registers: Returns = {
  ...Object.fromEntries(REGISTERS.map((name) => [`check /x402/${name}`, company])),
  'check /x402/company-news': news,
  'check /x402/adverse-media-check': news,
  'check /x402/cve-lookup': audit,
  'check /x402/package-security-audit': audit,
  'check /x402/no-bankruptcy-check': check({
    bankrupt: maybe(flag('Whether the company is bankrupt.')),
    org_number: maybe(text('The number of the company.')),
    name: maybe(text('The company.')),
    winding_up: maybe(flag('Whether the company is being dissolved.')),
    source,
  }),
  'check /x402/protocol-tvl-lookup': check({
    protocol: maybe(text('The protocol.')),
    tvl_usd: maybe(number('The value of the deposits.', 'USD')),
    source,
  }),
}
