/** Papers: arXiv, PubMed, Crossref, OpenAlex and Semantic Scholar. */
import { AppError } from '../../errors/app-error.ts'
import type { EndpointEntry } from '../../catalog/vocabulary/define.ts'
import { dropUndefined } from '../shared/fields.ts'
import {
  publicSource,
  withCheck,
  anyReply,
  openPath,
  pickQuery,
  rowsAt,
  pathLike,
  unreadableReply,
} from '../shared/open-sources.ts'
import { failed } from '../../catalog/vocabulary/outcome.ts'
import { found } from '../shared/records.ts'
import { asText, field, messageFrom } from '../../catalog/answers/vendor-failure.ts'
import { get, noAuth, type Vendor } from '../../catalog/vocabulary/wire.ts'
import { elements, elementText } from '../shared/xml-text.ts'
import { openAlex, works } from '../scholar/source.ts'

const arxiv: Vendor = {
  label: 'arxiv',
  baseUrl: 'https://export.arxiv.org/api',
  auth: noAuth,
  limits: { perSecond: 1 / 3 },
  docsUrl: 'https://info.arxiv.org/help/api/user-manual.html',
}
const pubmed: Vendor = {
  label: 'pubmed',
  baseUrl: 'https://eutils.ncbi.nlm.nih.gov/entrez/eutils',
  auth: { in: 'query', name: 'api_key', credential: 'KEY', optional: true },
  limits: { perSecond: 3 },
  limitsWithKey: { perSecond: 10 },
  docsUrl: 'https://www.ncbi.nlm.nih.gov/books/NBK25501/',
  readFailure: messageFrom('error'),
}
const crossref: Vendor = {
  label: 'crossref',
  baseUrl: 'https://api.crossref.org',
  auth: noAuth,
  limits: { perSecond: 5, concurrent: 1 },
  docsUrl: 'https://api.crossref.org/swagger-ui/index.html',
}
const semanticScholar: Vendor = {
  label: 'semanticscholar',
  baseUrl: 'https://api.semanticscholar.org/graph/v1',
  auth: { in: 'header', name: 'x-api-key', credential: 'KEY', optional: true },
  limits: { perSecond: 1 },
  docsUrl: 'https://api.semanticscholar.org/api-docs/graph',
  readFailure: messageFrom('error', 'message'),
}

/** An entry of the Atom feed. */
function arxivPaper(entry: string) {
  const id = elementText(entry, 'id') ?? null
  return {
    id,
    title: elementText(entry, 'title') ?? null,
    summary: elementText(entry, 'summary') ?? null,
    authors: elements(entry, 'author').map((author) => elementText(author, 'name') ?? null),
    published: elementText(entry, 'published') ?? null,
    pdf: id === null ? null : id.replace('/abs/', '/pdf/'),
  }
}

/**
 * Every word and every quoted phrase must occur. Throws AppError invalid_params without any word,
 * because the source would list arbitrary papers.
 */
function termsOf(words: string): string[] {
  const parts = (words.match(/"[^"]+"|[^\s"]+/g) ?? [])
    .map((part) => part.replaceAll('"', '').trim())
    .filter((part) => part !== '')
  if (parts.length === 0)
    throw new AppError('invalid_params', '"q" contains no word.', {
      param: 'q',
      fix: 'Send words that occur in the preprints.',
    })
  return parts.map((part) => `all:"${part}"`)
}

const arxivSource = publicSource(
  arxiv,
  ({ q, category, start, limit = 10 }) => ({
    ...get('/query', {
      search_query: [
        ...termsOf(String(q)),
        ...(category === undefined ? [] : [`cat:${asText(category)}`]),
      ].join(' AND '),
      start: start as number | undefined,
      max_results: limit as number,
      sortBy: 'submittedDate',
    }),
    headers: { accept: 'application/atom+xml' },
  }),
  ({ body }) => {
    if (typeof body !== 'string' || !body.includes('<feed')) return unreadableReply()
    const results = elements(body, 'entry').map(arxivPaper)
    // An error is the only entry, with status 200.
    const mistake = results.find(({ id }) => id?.includes('/api/errors') === true)
    if (mistake !== undefined)
      return failed('upstream_rejected', 'The source rejected the query. Nothing was charged.', {
        upstream: {
          service: 'arxiv',
          status: 200,
          code: null,
          message: mistake.summary?.slice(0, 500) ?? null,
        },
      })
    return found(
      { total: Number(elementText(body, 'opensearch:totalResults') ?? results.length), results },
      results,
    )
  },
  [],
  anyReply,
)

const pubmedSource = publicSource(
  pubmed,
  ({ q, limit = 10, start }) =>
    get('/esearch.fcgi', {
      db: 'pubmed',
      retmode: 'json',
      term: String(q),
      retmax: limit as number,
      retstart: start as number | undefined,
    }),
  ({ body }) => {
    const uids = field(field(body, 'result'), 'uids')
    const results = Array.isArray(uids)
      ? uids
          .map((uid) => field(field(body, 'result'), asText(uid)))
          .filter((row) => row !== undefined)
      : []
    return found({ results }, results)
  },
  [
    ({ body }) => {
      const ids = field(field(body, 'esearchresult'), 'idlist')
      return Array.isArray(ids) && ids.length > 0
        ? get('/esummary.fcgi', { db: 'pubmed', retmode: 'json', id: ids.map(asText).join(',') })
        : null
    },
  ],
)

export const papers: readonly EndpointEntry[] = [
  openPath(
    '/papers/arxiv',
    '2',
    'Find preprints on arXiv, newest first.',
    'q* category start:integer limit:integer=10',
    { q: 'write-ahead logging', limit: 2 },
    withCheck(({ q }) => void termsOf(String(q)), arxivSource),
  ),
  openPath(
    '/papers/pubmed',
    '2',
    'Find papers and articles on medicine and the life sciences in PubMed.',
    'q* start:integer limit:integer=10',
    { q: 'migraine prevention', limit: 2 },
    pubmedSource,
  ),
  openPath(
    '/papers/crossref',
    '2',
    'Find publications with a DOI in Crossref.',
    'q* rows:integer offset:integer filter sort',
    { q: 'double-entry bookkeeping', rows: 2 },
    publicSource(
      crossref,
      (input) => get('/works', pickQuery(input, 'q>query rows offset filter sort')),
      rowsAt('message.items'),
    ),
  ),
  pathLike(works, openAlex, [
    '/papers/openalex',
    '2',
    'Find scholarly works in OpenAlex, with abstracts.',
    'search* filter per_page:integer page:integer sort',
    { search: 'group commit', per_page: 2 },
  ]),
  openPath(
    '/papers/semanticscholar',
    '2',
    'Find papers in Semantic Scholar with abstracts and citation counts.',
    'q* fields limit:integer offset:integer year',
    { q: 'vector clocks', limit: 2 },
    publicSource(
      semanticScholar,
      (input) =>
        get('/paper/search', {
          fields: 'title,abstract,year,authors,citationCount,externalIds,openAccessPdf',
          ...dropUndefined(pickQuery(input, 'q>query fields limit offset year')),
        }),
      rowsAt('data'),
    ),
  ),
]
