import type { Documentation, DocumentationPage } from '../../documentation/open-documentation.ts'
import type { RenderedPage } from '../../documentation/markdown/render-markdown.ts'
import { linkButton } from '../components/button.ts'
import { icon } from '../components/icon.ts'
import { breadcrumb } from '../components/page-header.ts'
import { html, type Html } from '../html.ts'
import { layout, type Site } from '../layout/layout.ts'
import { docsFrame } from './docs-frame.ts'

const MOST_IN_CONTENTS = 40

/** A page of the documentation with its contents and its neighbors. */
export function docsPage(
  site: Site,
  documentation: Documentation,
  view: { readonly page: DocumentationPage; readonly rendered: RenderedPage },
): string {
  const { page, rendered } = view
  return layout(site, {
    path: `/docs/${page.slug}`,
    title: rendered.title,
    description: rendered.summary.slice(0, 200),
    frame: 'bare',
    islands: ['docs'],
    main: docsFrame(documentation, {
      current: page,
      aside: aside(page, rendered),
      content: html`${breadcrumb(crumbs(documentation, page))}
<article class="docs-article">
${rendered.body}</article>
${neighbors(documentation, page)}`,
    }),
  })
}

function crumbs({ find }: Documentation, page: DocumentationPage) {
  const parent = page.parent === null ? undefined : find(page.parent)
  return [
    { label: 'Docs', href: '/docs' },
    ...(parent === undefined ? [] : [{ label: parent.label, href: `/docs/${parent.slug}` }]),
    { label: page.label },
  ]
}

/** The headings of the page, and the page for programs. */
function aside({ slug }: DocumentationPage, { headings }: RenderedPage): Html {
  const wanted = headings.filter(({ level }) => level <= 3)
  const listed =
    wanted.length <= MOST_IN_CONTENTS ? wanted : wanted.filter(({ level }) => level === 2)
  return html`<aside class="docs-aside">
${
  listed.length > 1 &&
  html`<details class="docs-contents" data-contents><summary>On this page</summary><nav aria-label="On this page"><p>On this page</p><ol>
${listed.map(
  ({
    id,
    text,
    level,
  }) => html`<li${level === 3 && html` class="nested"`}><a href="#${id}">${text}</a></li>
`,
)}</ol></nav></details>
`
}<p class="docs-tools"><a href="/docs/${slug}.md">${icon('file')}View as Markdown</a></p>
</aside>`
}

/** The pages before and after this one. */
function neighbors({ pages }: Documentation, page: DocumentationPage): Html {
  const row = pages.filter(
    ({ audience, parent }) => audience === page.audience && parent === page.parent,
  )
  const at = row.indexOf(page)
  const link = (to: DocumentationPage | undefined, name: 'Previous' | 'Next'): Html | false =>
    to !== undefined &&
    html`<a class="neighbor ${name.toLowerCase()}" rel="${name === 'Next' ? 'next' : 'prev'}" href="/docs/${to.slug}"><small>${name}</small>${to.label}</a>`
  return html`<nav class="neighbors" aria-label="Previous and next page">${link(row[at - 1], 'Previous')}${link(row[at + 1], 'Next')}</nav>`
}

export function docsMissingPage(site: Site, documentation: Documentation): string {
  return layout(site, {
    path: '/docs/search',
    title: 'Page not found',
    description: 'This page of the documentation does not exist.',
    unlisted: true,
    frame: 'bare',
    islands: ['docs'],
    main: docsFrame(documentation, {
      content: html`<article class="docs-article"><h1>Page not found</h1><p>The documentation has no such page. Search it, or choose a page from the list.</p><p>${linkButton('/docs', 'Open the documentation')}</p></article>`,
    }),
  })
}
