import type { Audience } from '../../documentation/documentation-sections.ts'
import type { Documentation, DocumentationPage } from '../../documentation/open-documentation.ts'
import { icon } from '../components/icon.ts'
import { html, type Html } from '../html.ts'

export const AUDIENCES: Readonly<Record<Audience, string>> = {
  members: 'Use Tollgate',
  operators: 'Run a gateway',
  contributors: 'Contribute',
}

/** The columns of a page of the documentation: search and navigation, content, contents of the page. */
export function docsFrame(
  documentation: Documentation,
  view: {
    readonly content: Html
    readonly current?: DocumentationPage
    readonly aside?: Html
    readonly query?: string
  },
): Html {
  return html`<div class="page docs docs-layout">
<div class="docs-side">
${docsSearchForm(view.query)}
<details class="docs-menu"><summary>${icon('menu')}All pages</summary>
${navigation(documentation, view.current)}</details>
</div>
<div class="docs-main">
${view.content}
</div>
${view.aside}
</div>`
}

/** Works without a script; the docs island shows results while people type. */
function docsSearchForm(query = ''): Html {
  return html`<form class="docs-search" action="/docs/search" method="get" role="search" data-docs-search>
${icon('search')}<label class="visually-hidden" for="docs-q">Search the documentation</label><input id="docs-q" name="q" type="search" value="${query}" maxlength="200" placeholder="Search the docs" autocomplete="off">
</form>`
}

function navigation({ pages }: Documentation, current?: DocumentationPage): Html {
  const sections = [...Map.groupBy(pages, ({ section }) => section)]
  return html`<nav class="docs-nav" aria-label="Documentation">${sections.map(
    ([title, members]) => html`<p>${title}</p><ul>
${members.filter(({ parent }) => parent === null).map((page) => entry(page, members, current))}</ul>
`,
  )}</nav>`
}

/** Pages of a folder are listed only inside of it. */
function entry(
  page: DocumentationPage,
  members: readonly DocumentationPage[],
  current?: DocumentationPage,
): Html {
  const isOpen = current !== undefined && (current === page || current.parent === page.slug)
  const children = isOpen ? members.filter(({ parent }) => parent === page.slug) : []
  return html`<li>${link(page, current)}${
    children.length > 0 &&
    html`<ul>
${children.map(
  (child) => html`<li>${link(child, current)}</li>
`,
)}</ul>`
  }</li>
`
}

function link(page: DocumentationPage, current?: DocumentationPage): Html {
  return html`<a href="/docs/${page.slug}"${page === current && html` aria-current="page"`}>${page.label}</a>`
}
