import { Type } from 'typebox'
import { cents } from '../../lib/money.ts'
import { defineService, endpoint, type EndpointEntry } from '../define.ts'
import rows from '../endpoints/seodata.json' with { type: 'json' }
import { readEndpoints, type CompactEndpoint } from '../endpoints/read-endpoints.ts'
import { done, empty } from '../outcome.ts'
import { flat } from '../tariff.ts'
import { field, vendorFailure } from '../vendor-failure.ts'
import type { Vendor } from '../wire.ts'

const spyFu: Vendor = {
  baseUrl: 'https://api.spyfu.com',
  auth: { in: 'basic', user: 'API_ID', password: 'KEY' },
  docsUrl: 'https://developer.spyfu.com/',
  readFailure: (reply) => vendorFailure(reply, { message: field(reply.body, 'message') ?? field(reply.body, 'title') }),
}

const COUNTRIES = 'AR AT AU BE BR CA CH DE DK ES FR IE IN IT JP MX NL NO NZ PL PT SE SG TR UA UK US ZA'.split(' ')
/** The vendor bills by the row and takes up to ten thousand; the price here is flat. */
const MOST_ROWS = 100

function limited(entry: EndpointEntry): EndpointEntry {
  const limits: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    countryCode: { enum: COUNTRIES },
    pageSize: { minimum: 1, maximum: MOST_ROWS },
    startingRow: { minimum: 1 },
  }
  return { ...entry, params: entry.params.map((param) => (limits[param.name] === undefined ? param : { ...param, limits: limits[param.name] ?? {} })) }
}

export const seodata = defineService({
  id: 'seodata',
  title: 'Search rankings, keywords and competitors of websites',
  category: 'market data',
  vendor: spyFu,
  actions: {
    query: endpoint({
      summary: 'Query rankings, keywords, competitors, ads and their history of any website, by upstream path.',
      description: '"endpoint" names the path, its own parameters stand beside it. A page holds at most 100 rows; five when pageSize is left out.',
      keywords: ['seo', 'keyword research', 'search volume', 'backlinks', 'ppc', 'google ads', 'organic traffic', 'serp'],
      endpoints: readEndpoints(rows as readonly CompactEndpoint[]).map(limited),
      example: { endpoint: '/apis/domain_stats_api/v2/getLatestDomainStats', domain: 'example.com' },
      price: flat(cents('3')),
      priceSource: 'List price of this gateway, 2026-11: 1¢ for statistics, organic keywords and competitors, 2¢ for paid keywords, 3¢ for history.',
      timeoutMs: 60_000,
      reply: Type.Object({ resultCount: Type.Optional(Type.Integer()) }),
      outcome: ({ body }) => (body.resultCount === 0 ? empty(body) : done(body)),
    }),
  },
})
