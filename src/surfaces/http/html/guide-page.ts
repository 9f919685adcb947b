import { html } from './html.ts'
import { layout, type Site } from './layout.ts'
import { chargingSection, firstCallSection, jobsSection, shapeSection } from './guide-calls.ts'
import { modelsSection } from './guide-models.ts'
import {
  errorsSection,
  keysSection,
  nextSection,
  repeatSection,
  testSection,
  trustSection,
} from './guide-rules.ts'

/** The address that this page tells readers to read is its own, so its example works on a gateway without any vendor. */
export function guidePage(site: Site): string {
  const { publicUrl } = site
  const sections = [
    firstCallSection(publicUrl),
    shapeSection(publicUrl),
    chargingSection(),
    jobsSection(publicUrl),
    modelsSection(publicUrl),
    keysSection(publicUrl),
    repeatSection(),
    errorsSection(),
    testSection(),
    trustSection(),
    nextSection(),
  ]
  return layout(site, {
    path: '/guide',
    title: 'Getting started',
    description:
      'The first call, keys and ceilings, what is charged and when, jobs, language models, safe repeats, errors and test mode.',
    main: html`<div class="guide">
<nav class="contents" aria-label="On this page"><p>On this page</p><ol>
${sections.map(
  ({ id, title }) => html`<li><a href="#${id}">${title}</a></li>
`,
)}</ol></nav>
<article>
<h1>Getting started with Tollgate</h1>
<p class="lead">Tollgate is a gateway that sells actions by the call. You bring one key and one balance; in return every action, from a web search to reading a page, is called in the same way, priced in the open, and charged only when it worked. This page takes you from the first call to running it unattended.</p>
${sections.map(
  ({ id, title, body }) => html`<section aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
${body}
</section>
`,
)}</article>
</div>`,
  })
}
