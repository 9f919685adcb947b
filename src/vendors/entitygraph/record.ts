import { Type } from '../../lib/schema.ts'
import { cents } from '../../lib/money.ts'
import { call, defineService, params } from '../../catalog/vocabulary/define.ts'
import { text, whole } from '../../catalog/vocabulary/fields.ts'
import { done } from '../../catalog/vocabulary/outcome.ts'
import { found } from '../shared/records.ts'
import { flat } from '../../catalog/vocabulary/tariff.ts'
import { vendorFailure } from '../../catalog/answers/vendor-failure.ts'
import { wikimediaError } from '../shared/wikimedia-errors.ts'
import { get, noAuth, type Vendor } from '../../catalog/vocabulary/wire.ts'
import { returns } from './returns.ts'

const wikidata: Vendor = {
  label: 'entitygraph',
  baseUrl: 'https://www.wikidata.org',
  origins: { query: 'https://query.wikidata.org' },
  auth: noAuth,
  limits: { concurrent: 5 },
  docsUrl: 'https://www.wikidata.org/wiki/Wikidata:Data_access',
  readFailure: (reply) => {
    const words = typeof reply.body === 'string' ? reply.body : ''
    return vendorFailure(reply, {
      code: reply.status >= 500 && /TimeoutException/.test(words) ? 'upstream_timeout' : undefined,
      message: reply.status === 400 ? words : undefined,
    })
  },
}

const shared = {
  price: flat(cents('1')),
  priceSource: 'Own price; the source is free, 2026-11.',
  untrustedContent: true,
}

export const service = defineService({
  id: 'entitygraph',
  title: 'Wikidata',
  category: 'public records',
  vendor: wikidata,
  returns,
  actions: {
    search: call({
      ...shared,
      title: 'Search Wikidata',
      summary: 'Find the Wikidata item of a person, place, organization or thing by name.',
      keywords: ['knowledge graph', 'entity id', 'qid', 'entity resolution'],
      input: params({
        q: text('Name or alias.', 300),
        lang: text('Language of the name and of the labels.', 12, {
          pattern: '^[a-z]{2,3}(-[a-z]+)*$',
          default: 'en',
        }),
        limit: whole('Maximum number of items.', 1, 50, { default: 10 }),
      }),
      example: { q: 'Luca Pacioli', limit: 3 },
      timeoutMs: 20_000,
      request: ({ q, lang, limit }) =>
        get('/w/api.php', {
          action: 'wbsearchentities',
          type: 'item',
          format: 'json',
          search: q,
          language: lang,
          uselang: lang,
          limit,
        }),
      reply: Type.Union([
        Type.Object({ search: Type.Array(Type.Unknown()) }),
        Type.Object({ error: Type.Object({}) }),
      ]),
      outcome: ({ body }) =>
        wikimediaError(body, 'entitygraph') ?? found(body, 'search' in body ? body.search : []),
    }),
    entity: call({
      ...shared,
      title: 'Wikidata item',
      summary:
        'Read one Wikidata item or property: labels, aliases, claims and links to Wikipedia.',
      keywords: ['qid', 'claims', 'statements', 'knowledge graph'],
      input: params({
        id: text('Id of the item or property, such as "Q42".', 15, {
          pattern: '^[QPL][1-9][0-9]*$',
        }),
      }),
      example: { id: 'Q42' },
      timeoutMs: 20_000,
      request: ({ id }) => ({
        ...get(`/wiki/Special:EntityData/${id}.json`),
        followsRedirects: true,
      }),
      reply: Type.Object({ entities: Type.Record(Type.String(), Type.Unknown()) }),
      outcome: ({ body }) => found(body, Object.values(body.entities)),
    }),
    sparql: call({
      ...shared,
      title: 'Query Wikidata with SPARQL',
      summary: 'Run a SPARQL query on Wikidata. The source stops after 60 seconds.',
      keywords: ['linked data', 'graph query', 'wdqs'],
      input: params({ query: text('The query: SELECT or ASK.', 20_000) }),
      example: { query: 'SELECT ?item WHERE { ?item wdt:P31 wd:Q146 } LIMIT 2' },
      timeoutMs: 65_000,
      request: ({ query }) => ({
        method: 'POST',
        path: '/sparql',
        origin: 'query',
        form: { query },
        headers: { accept: 'application/sparql-results+json' },
      }),
      reply: Type.Object({
        results: Type.Optional(Type.Object({ bindings: Type.Array(Type.Unknown()) })),
        boolean: Type.Optional(Type.Boolean()),
      }),
      outcome: ({ body }) =>
        body.boolean === undefined ? found(body, body.results?.bindings ?? []) : done(body),
    }),
  },
})
