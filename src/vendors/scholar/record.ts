import { Type } from 'typebox'
import { cents } from '../../lib/money.ts'
import { call, defineService, params } from '../../catalog/vocabulary/define.ts'
import { optional, text, whole } from '../../catalog/vocabulary/fields.ts'
import { done } from '../../catalog/vocabulary/outcome.ts'
import { found } from '../shared/records.ts'
import { flat } from '../../catalog/vocabulary/tariff.ts'
import { field, textField, wordsIn } from '../../catalog/answers/vendor-failure.ts'
import { get, type Vendor } from '../../catalog/vocabulary/wire.ts'

const wordsOf = wordsIn('message', 'error')

export const openAlex: Vendor = {
  label: 'scholar',
  baseUrl: 'https://api.openalex.org',
  // Without a key it answers a handful of calls a day; a free key has a dollar's worth of them.
  auth: { in: 'query', name: 'api_key', credential: 'KEY', optional: true },
  limits: { perSecond: 10 },
  wantsUserAgent: true,
  docsUrl: 'https://developers.openalex.org/',
  readFailure: (reply) => {
    const failure = wordsOf(reply)
    // A filter that it does not know is refused with the status of a wrong key.
    return reply.status === 403 && /invalid query/i.test(textField(reply.body, 'error'))
      ? { ...failure, code: 'upstream_rejected' }
      : failure
  },
}

const search = {
  search: optional(text('Words to look for.', 500)),
  filter: optional(
    text(
      'Conditions, such as "publication_year:2024,is_oa:true": a comma means and, "|" or, "!" not.',
      1_000,
    ),
  ),
  per_page: whole('Results per page.', 1, 50, { default: 25 }),
  page: optional(
    whole('Page, from 1; only the first 10 000 results can be paged through.', 1, 10_000),
  ),
  cursor: optional(
    text('"*" first, then meta.next_cursor of the page before; reaches all results.', 500),
  ),
  sort: optional(text('Order, such as "cited_by_count:desc".', 100)),
}
const listReply = Type.Object({ results: Type.Array(Type.Unknown()) })
const shared = {
  price: flat(cents('1')),
  priceSource: 'Own price; the vendor asks at most $0.001 a search, 2026-02.',
  timeoutMs: 30_000,
  untrustedContent: true,
}

const MAX_WORDS = 20_000

/** The vendor keeps abstracts as places of words; their text is put beside. */
function withAbstract(work: unknown): unknown {
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

/** The vendor's path of an id in any of its forms. */
function workPath(id: string): string {
  if (/^10\.\d/.test(id)) return `doi:${id}`
  return id
    .replace(/^https?:\/\/(dx\.)?doi\.org\//i, 'doi:')
    .replace(/^https?:\/\/(api\.)?openalex\.org\/(works\/)?/i, '')
}

export const scholar = defineService({
  id: 'scholar',
  title: 'Scholarly works and authors',
  category: 'research',
  vendor: openAlex,
  actions: {
    works: call({
      ...shared,
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
      outcome: ({ body }) =>
        found({ ...body, results: body.results.map(withAbstract) }, body.results),
    }),
    work: call({
      ...shared,
      summary: 'Read one scholarly work by OpenAlex id, DOI or PubMed id.',
      keywords: ['doi lookup', 'paper metadata', 'abstract', 'pmid'],
      input: params({
        id: text(
          '"W2741809807", "10.7717/peerj.4375", "doi:…", "pmid:…" or an address of one.',
          300,
          { pattern: '^[^\\s?#]+$' },
        ),
      }),
      example: { id: 'W2741809807' },
      request: ({ id }) =>
        get(
          `/works/${encodeURIComponent(workPath(id)).replaceAll('%2F', '/').replaceAll('%3A', ':')}`,
        ),
      reply: Type.Object({ id: Type.String({ minLength: 1 }) }),
      outcome: ({ body }) => done(withAbstract(body) as typeof body),
    }),
    authors: call({
      ...shared,
      summary:
        'Find authors of scholarly works with their institutions, works and citation counts.',
      keywords: ['researcher', 'scientist', 'orcid', 'h-index'],
      input: params(search),
      example: { search: 'Leslie Lamport', per_page: 2 },
      request: (input) => get('/authors', input),
      reply: listReply,
      outcome: ({ body }) => found(body, body.results),
    }),
  },
})
