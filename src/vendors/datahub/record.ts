import { Type } from '../../lib/schema.ts'
import { cents } from '../../lib/money.ts'
import { defineService, endpoint, type EndpointGroups } from '../../catalog/vocabulary/define.ts'
import { flat } from '../../catalog/vocabulary/tariff.ts'
import { unreadableReply } from '../shared/open-sources.ts'
import { filings } from './filings.ts'
import { money } from './money.ts'
import { papers } from './papers.ts'
import { advisory, safety, submissions } from './safety.ts'
import { returns } from './returns.ts'

const GROUPS: EndpointGroups = [
  [/^\/papers/, 'Papers'],
  [/^\/(?:filings|trades)/, 'SEC filings and trades'],
  [/^\/(?:recalls|adverse-events)/, 'Recalls and safety'],
  [/^\/rules/, 'Federal rules'],
  [/^\/(?:cve|vulns)/, 'Vulnerabilities'],
  [/^\/(?:defi|crypto)/, 'Crypto'],
  [/^\/(?:fx|macro)/, 'Currencies and economy'],
  [/^\/quakes/, 'Earthquakes'],
]

const shared = {
  groups: GROUPS,
  price: flat(cents('1')),
  priceSource: 'Own prices, 2026-11: 1¢ per lookup, 2¢ per search, 5¢ and 21¢ for several steps.',
  timeoutMs: 60_000,
  untrustedContent: true,
  // Every path has its own source, so this schema is unused.
  reply: Type.Unknown(),
  outcome: unreadableReply,
}

export const service = defineService({
  id: 'datahub',
  title: 'Open data: papers, filings, trades, recalls, vulnerabilities, finance',
  category: 'data',
  returns,
  actions: {
    fetch: endpoint({
      ...shared,
      title: 'Open data by path',
      summary:
        'Read public data by path: papers, filings, insider trades, recalls, CVE, DeFi, exchange rates and more.',
      keywords: [
        'arxiv',
        'pubmed',
        'sec',
        'nvd',
        'defillama',
        'coingecko',
        'world bank',
        'open data',
      ],
      endpoints: [...papers, ...filings, ...safety, advisory, ...money],
      example: { endpoint: '/cve/get', id: 'CVE-2021-44228' },
    }),
    submit: endpoint({
      ...shared,
      title: 'Vulnerabilities of packages and commits',
      summary:
        'Query public databases by content instead of path: vulnerabilities of a package or a commit.',
      keywords: ['osv', 'dependency audit', 'package security'],
      endpoints: submissions,
      example: { endpoint: '/vulns/package', name: 'lodash', ecosystem: 'npm', version: '4.17.15' },
    }),
  },
})
