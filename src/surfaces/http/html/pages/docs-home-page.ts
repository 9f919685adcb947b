import type { Audience } from '../../documentation/documentation-sections.ts'
import type { Documentation } from '../../documentation/open-documentation.ts'
import { html, type Html } from '../html.ts'
import { layout, type Site } from '../layout/layout.ts'
import { AUDIENCES, docsFrame } from './docs-frame.ts'

const LEADS: Readonly<Record<Audience, Html>> = {
  members: html`From the first call to agents with budgets. <a href="/docs/getting-started">Get started</a> in five minutes.`,
  operators: html`Install, vendors, payments, people, backups and scale. Begin with <a href="/docs/install">the installation</a>.`,
  contributors: html`How the gateway is built and tested, and why.`,
}

/** /docs: all pages by audience. */
export function docsHomePage(site: Site, documentation: Documentation): string {
  const { pages } = documentation
  const top = pages.filter(({ parent }) => parent === null)
  return layout(site, {
    path: '/docs',
    title: 'Documentation',
    description: 'Guides for callers and operators of this gateway, and the reference.',
    frame: 'bare',
    islands: ['docs'],
    main: docsFrame(documentation, {
      content: html`<article class="docs-article">
<h1>Documentation</h1>
<p class="lead">Everything about calling and running this gateway. Each page is also available <a href="/docs.md">as Markdown for agents</a>.</p>
${[...Map.groupBy(top, ({ audience }) => audience)].map(
  ([audience, entries]) => html`<section aria-labelledby="${audience}">
<h2 id="${audience}">${AUDIENCES[audience]}</h2>
<p>${LEADS[audience]}</p>
<div class="docs-cards">
${[...Map.groupBy(entries, ({ section }) => section)].map(
  ([section, listed]) => html`<div class="card"><h3>${section}</h3><ul>
${listed.map(
  ({ slug, label }) => html`<li><a href="/docs/${slug}">${label}</a></li>
`,
)}</ul></div>
`,
)}</div>
</section>
`,
)}</article>`,
    }),
  })
}
