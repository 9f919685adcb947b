import { Type } from '../../lib/schema.ts'
import { cents } from '../../lib/money.ts'
import {
  defineService,
  endpoint,
  type EndpointEntry,
  type EndpointParam,
} from '../../catalog/vocabulary/define.ts'
import rows from './endpoints.json' with { type: 'json' }
import { readEndpoints, type CompactEndpoint } from '../../catalog/endpoints/read-endpoints.ts'
import { isFilled } from '../../catalog/answers/filled.ts'
import { tempoMerchant } from '../../catalog/vocabulary/merchant.ts'
import { type Data, done, empty } from '../../catalog/vocabulary/outcome.ts'
import { flat } from '../../catalog/vocabulary/tariff.ts'
import { field, isErrorAlone, vendorFailure } from '../../catalog/answers/vendor-failure.ts'
import type { Vendor } from '../../catalog/vocabulary/wire.ts'
import { returns } from './returns.ts'

const spyFu: Vendor = {
  baseUrl: 'https://api.spyfu.com',
  auth: { in: 'basic', user: 'API_ID', password: 'KEY' },
  docsUrl: 'https://developer.spyfu.com/',
  readFailure: (reply) =>
    vendorFailure(reply, { message: field(reply.body, 'message') ?? field(reply.body, 'title') }),
}

const COUNTRIES =
  'AR AT AU BE BR CA CH DE DK ES FR IE IN IT JP MX NL NO NZ PL PT SE SG TR UA UK US ZA'.split(' ')
/** The vendor bills by row and returns up to ten thousand, but the price here is flat. */
const MAX_ROWS = 100

const LIMITS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  countryCode: { enum: COUNTRIES },
  pageSize: { minimum: 1, maximum: MAX_ROWS },
  startingRow: { minimum: 1 },
}
const WITH_COMMAS = 'Several values in one text, separated by commas'
/** Descriptions of parameters whose name and type do not show their format. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  domains: `${WITH_COMMAS}, such as "example.com,example.org".`,
  includeDomainsCsv: `${WITH_COMMAS}, such as "example.com,example.org".`,
  excludeDomainsCsv: `${WITH_COMMAS}.`,
  keywords: `${WITH_COMMAS}.`,
  includeTerms: `Terms that rows must contain. ${WITH_COMMAS}.`,
  excludeTerms: `Terms that rows must not contain. ${WITH_COMMAS}.`,
  includeAnyTerm: 'Whether a row with any of includeTerms matches.',
}

const DOMAIN = 'example.com'
const TERM = 'accounting software'
/** Working values for required parameters. */
const SAMPLES: Data = {
  domain: DOMAIN,
  compareDomain: 'example.org',
  domains: 'example.com,example.org',
  includeDomainsCsv: 'example.com,example.org',
  isIntersection: true,
  term: TERM,
  keyword: TERM,
  keywords: `${TERM},payroll`,
  year: 2026,
  month: 1,
  showOnlyLatest: true,
}

function exampleOf({ endpoint: path, params }: EndpointEntry): Data {
  // The query of keyword and domain searches is a term, anywhere else a website.
  const query = /\/related\/|getMatchingDomains/.test(path) ? TERM : DOMAIN
  const choices = params.map(({ name, limits }): [string, unknown] => [
    name,
    (limits?.['enum'] as readonly unknown[] | undefined)?.[0],
  ])
  const names = params.filter(({ required }) => required).map(({ name }) => name)
  const known: Data = { ...Object.fromEntries(choices), ...SAMPLES, query }
  return Object.fromEntries(names.map((name) => [name, known[name]]))
}

function withLimits(entry: EndpointEntry): EndpointEntry {
  return {
    ...entry,
    example: exampleOf(entry),
    params: entry.params.map((param): EndpointParam => {
      const limits = LIMITS[param.name]
      const description = DESCRIPTIONS[param.name]
      return {
        ...param,
        ...(limits === undefined ? {} : { limits }),
        ...(description === undefined ? {} : { description }),
      }
    }),
  }
}

/**
 * Most answers have a row count. The few without one have lists under other names, or a page of
 * totals.
 */
function hasRows({ resultCount, ...body }: { readonly resultCount?: number | undefined }): boolean {
  const values = Object.values(body)
  const lists = values.filter((value) => Array.isArray(value))
  if (lists.length > 0) return resultCount !== 0 && lists.some((list) => isFilled(list))
  return resultCount === undefined
    ? values.some((value) => typeof value === 'number' && value !== 0)
    : resultCount > 0
}

export const service = defineService({
  id: 'seodata',
  title: 'Search rankings, keywords and competitors of websites',
  category: 'market data',
  vendor: spyFu,
  returns,
  actions: {
    query: endpoint({
      groups: [
        [/ad_history|\/ppc\/|AlsoBuysAds|CompetingPpc/, 'Ads and paid search'],
        [/competitors|OutRank|Outrank|Surpassed/, 'Competitors'],
        [/domain_stats/, 'Domain metrics'],
        [/keyword_api/, 'Keywords'],
        [
          /organic_history|RanksKeywords|ClicksKeywords|JustMadeIt|JustFellOff|NewlyRanked/,
          'Ranking changes',
        ],
        [/serp_api/, 'Organic search'],
      ],
      title: 'Rankings, keywords and competitors',
      summary:
        'Query rankings, keywords, competitors, ads and their history for any website, by upstream path.',
      description:
        '"endpoint" names the path; its parameters are the other fields. A page has at most 100 rows, and five if pageSize is omitted.',
      keywords: [
        'seo',
        'keyword research',
        'search volume',
        'backlinks',
        'ppc',
        'google ads',
        'organic traffic',
        'serp',
      ],
      endpoints: readEndpoints(rows as readonly CompactEndpoint[]).map(withLimits),
      example: {
        endpoint: '/apis/domain_stats_api/v2/getLatestDomainStats',
        domain: 'example.com',
      },
      price: flat(cents('3')),
      priceSource:
        'List price of this gateway, 2026-11: 1¢ for statistics, organic keywords and competitors, 2¢ for paid keywords, 3¢ for history.',
      timeoutMs: 60_000,
      untrustedContent: true,
      merchant: { at: tempoMerchant('https://spyfu.mpp.tempo.xyz') },
      reply: Type.Object({ resultCount: Type.Optional(Type.Integer()) }),
      outcome: (reply) =>
        hasRows(reply.body) && !isErrorAlone(reply) ? done(reply.body) : empty(reply.body),
    }),
  },
})
