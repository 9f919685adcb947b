import { Type } from '../../lib/schema.ts'
import { call, defineService, params } from '../../catalog/vocabulary/define.ts'
import { text } from '../../catalog/vocabulary/fields.ts'
import { done } from '../../catalog/vocabulary/outcome.ts'
import { found } from '../shared/records.ts'
import { get } from '../../catalog/vocabulary/wire.ts'
import { listReply, openAlex, search, shared, withAbstract, works } from './source.ts'
import { returns } from './returns.ts'

/** The vendor's path for an id in any form. */
function workPath(id: string): string {
  if (/^10\.\d/.test(id)) return `doi:${id}`
  return id
    .replace(/^https?:\/\/(dx\.)?doi\.org\//i, 'doi:')
    .replace(/^https?:\/\/(api\.)?openalex\.org\/(works\/)?/i, '')
}

export const service = defineService({
  id: 'scholar',
  title: 'Scholarly works and authors',
  category: 'research',
  vendor: openAlex,
  returns,
  actions: {
    works,
    work: call({
      ...shared,
      title: 'Scholarly work',
      summary: 'Read one scholarly work by OpenAlex id, DOI or PubMed id.',
      keywords: ['doi lookup', 'paper metadata', 'abstract', 'pmid'],
      input: params({
        id: text('"W2741809807", "10.7717/peerj.4375", "doi:…", "pmid:…" or a URL of one.', 300, {
          pattern: '^[^\\s?#]+$',
        }),
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
      title: 'Search scholarly authors',
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
