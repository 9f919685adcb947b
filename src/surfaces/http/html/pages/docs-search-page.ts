import type { Documentation } from '../../documentation/open-documentation.ts'
import type { DocumentationHit } from '../../documentation/search-documentation.ts'
import { emptyState } from '../components/note.ts'
import { html } from '../html.ts'
import { layout, type Site } from '../layout/layout.ts'
import { docsFrame } from './docs-frame.ts'

/** /docs/search: the sections that match a query, best first. */
export function docsSearchPage(
  site: Site,
  documentation: Documentation,
  { query, hits }: { readonly query: string; readonly hits: readonly DocumentationHit[] },
): string {
  return layout(site, {
    path: '/docs/search',
    title: query === '' ? 'Search the documentation' : `“${query}” in the documentation`,
    description: 'Search the documentation of this gateway.',
    unlisted: true,
    frame: 'bare',
    islands: ['docs'],
    main: docsFrame(documentation, {
      query,
      content: html`<article class="docs-article">
<h1>${query === '' ? 'Search the documentation' : `Results for “${query}”`}</h1>
${
  query === ''
    ? html`<p>Type a word, such as “refund”, “idempotency” or the code of an error.</p>`
    : hits.length === 0
      ? emptyState(
          'search',
          html`No page mentions “${query}”. Try other words, or <a href="/catalog?${new URLSearchParams({ q: query }).toString()}">search the catalog of actions</a>.`,
        )
      : html`<ol class="docs-hits">
${hits.map(
  ({
    href,
    page,
    heading,
    excerpt,
  }) => html`<li><a href="${href}">${heading}</a>${heading !== page && html`<small>${page}</small>`}<p>${excerpt}</p></li>
`,
)}</ol>`
}
</article>`,
    }),
  })
}
