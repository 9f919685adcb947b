import { html } from '../html.ts'
import { layout, type Site } from '../layout/layout.ts'
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

/** The example on this page reads the page itself, so that it works on a gateway without vendors. */
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
      'The first call, charges, jobs, language models, keys and spending limits, safe retries, errors and test mode.',
    main: html`<div class="guide">
<nav class="contents" aria-label="On this page"><p>On this page</p><ol>
${sections.map(
  ({ id, title }) => html`<li><a href="#${id}">${title}</a></li>
`,
)}</ol></nav>
<article>
<h1>Getting started with Tollgate</h1>
<p class="lead">Tollgate is a gateway for pay-per-call actions, from web search to language models. With one key and one balance you call every action the same way, see its price beforehand, and pay only when it succeeds. This guide covers everything from the first call to running unattended.</p>
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
