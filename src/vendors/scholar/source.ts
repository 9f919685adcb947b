/** OpenAlex and its search, shared with the records of other vendors. */
import { Type } from '../../lib/schema.ts'
import { cents } from '../../lib/money.ts'
import { call, params } from '../../catalog/vocabulary/define.ts'
import { optional, text, whole } from '../../catalog/vocabulary/fields.ts'
import { found } from '../shared/records.ts'
import { flat } from '../../catalog/vocabulary/tariff.ts'
import { field, textField, messageFrom } from '../../catalog/answers/vendor-failure.ts'
import { get, type Vendor } from '../../catalog/vocabulary/wire.ts'

const wordsOf = messageFrom('message', 'error')

export const openAlex: Vendor = {
  label: 'scholar',
  baseUrl: 'https://api.openalex.org',
  // Without a key it answers a few calls per day. A free key includes calls worth one dollar.
  auth: { in: 'query', name: 'api_key', credential: 'KEY', optional: true },
  limits: { perSecond: 10 },
  docsUrl: 'https://developers.openalex.org/',
  readFailure: (reply) => {
    const failure = wordsOf(reply)
    // An unknown filter has the same status as a wrong key.
    return reply.status === 403 && /invalid query/i.test(textField(reply.body, 'error'))
      ? { ...failure, code: 'upstream_rejected' }
      : failure
  },
}

export const search = {
  search: optional(text('Words to search for.', 500)),
  filter: optional(
    text(
      'Conditions such as "publication_year:2024,is_oa:true": a comma means and, "|" or, "!" not.',
      1_000,
    ),
  ),
  per_page: whole('Results per page.', 1, 50, { default: 25 }),
  page: optional(
    whole('Page number, from 1. Only the first 10,000 results are accessible this way.', 1, 10_000),
  ),
  cursor: optional(
    text('Send "*" first, then meta.next_cursor of the previous page. Reaches all results.', 500),
  ),
  sort: optional(text('Order, such as "cited_by_count:desc".', 100)),
}

export const listReply = Type.Object({ results: Type.Array(Type.Unknown()) })

export const shared = {
  price: flat(cents('1')),
  priceSource: 'Own price; the vendor charges at most $0.001 per search, 2026-02.',
  timeoutMs: 30_000,
  untrustedContent: true,
}

const MAX_WORDS = 20_000

/** Adds the text of an abstract, which the vendor stores as word positions. */
export function withAbstract(work: unknown): unknown {
  const index = field(work, 'abstract_inverted_index')
  if (typeof index !== 'object' || index === null || typeof work !== 'object') return work
  const words: string[] = []
  for (const [word, places] of Object.entries(index)) {
    for (const place of Array.isArray(places) ? (places as unknown[]) : [])
      if (Number.isInteger(place) && Number(place) >= 0 && Number(place) < MAX_WORDS)
        words[Number(place)] = word
  }
  return { ...work, abstract: words.filter((word) => word !== undefined).join(' ') }
}

export const works = call({
  ...shared,
  title: 'Search scholarly works',
  summary:
    'Find scholarly works: papers, books and datasets, with authors, citations and abstracts.',
  keywords: [
    'search research papers',
    'academic papers',
    'scientific literature',
    'openalex',
    'citations',
    'science',
  ],
  input: params(search),
  example: {
    search: 'group commit database',
    filter: 'publication_year:2020-2026',
    per_page: 2,
  },
  request: (input) => get('/works', input),
  reply: listReply,
  outcome: ({ body }) => found({ ...body, results: body.results.map(withAbstract) }, body.results),
})
