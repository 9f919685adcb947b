import type { Published } from '../../../catalog/published/catalog-index.ts'
import { curlExample } from '../../../catalog/published/curl-example.ts'
import { html, type Html } from './html.ts'
import { layout, type Site } from './layout.ts'
import { anchor, codeBlock } from './components.ts'

export function landingPage(site: Site, published: Published): string {
  return layout(site, {
    path: '/',
    title: 'Tollgate: pay-per-call actions for software agents',
    description:
      'One key, one balance and one call shape for the things that software agents need. Pay per call, only for what succeeds.',
    main: html`<div class="landing">
<section class="hero">
<div>
<h1>One key. One balance.<br>One shape of call.</h1>
<p class="lead">Tollgate sells actions by the call: search the web, read pages, look things up. Software agents call them all in the same way, see every price beforehand, and never pay for a failure.</p>
<p class="calls-to-action"><a class="button" href="/guide">Make the first call</a> <a class="button quiet" href="/catalog">Browse ${countText(published)}</a></p>
</div>
${sample(site.publicUrl)}
</section>
<section aria-labelledby="rules">
<h2 id="rules">What you can rely on</h2>
<div class="cards">
${RULES.map(
  ([title, text]) => html`<div class="card"><h3>${title}</h3><p>${text}</p></div>
`,
)}</div>
</section>
<section aria-labelledby="catalog">
<h2 id="catalog">In the catalog</h2>
${categories(published)}
<p>Every action has a page with its price, its billing rule, its parameters and an example. <a href="/catalog">See the whole catalog</a>, or <a href="/sign-in">sign in</a> to see your balance and to make keys.</p>
</section>
</div>`,
  })
}

const RULES = [
  [
    'Failures are free',
    'A call that fails, is refused or times out charges nothing. Most actions are free as well when they find nothing; each page says so.',
  ],
  [
    'Caps that hold',
    'Put max_cost_cents on a call, or a ceiling per day, week or month on a key. However many calls run at once, no cap is passed.',
  ],
  [
    'Prices in the open',
    'The price and the rule by which it is charged are published for every action, and come from the same record that charges it.',
  ],
  [
    'Safe to repeat',
    'Send an Idempotency-Key, and a repeated request gets the first answer again and is charged once.',
  ],
  [
    'Errors that help',
    'Each error names the field at fault, says what to do about it, and whether trying again makes sense.',
  ],
  [
    'Try before you pay',
    'A test key reaches a simulation of every service, with a test balance of its own.',
  ],
] as const

function countText({ services }: Published): string {
  const count = services.reduce((sum, { actions }) => sum + Object.keys(actions).length, 0)
  return count === 1 ? 'one action' : `${count} actions`
}

function sample(publicUrl: string): Html {
  const call = curlExample(`${publicUrl}/api/run/core/onescrape`, { urls: [`${publicUrl}/guide`] })
  const answer =
    '{\n  "ok": true,\n  "data": {\n    "rows": [{\n      "title": "Getting started",\n      "content": "…"\n    }]\n  },\n  "charged_cents": 2\n}'
  return html`<figure class="sample"><figcaption>A call, as it stands</figcaption>
${codeBlock(call, 'sh')}
<p class="sample-label">Its answer, in short</p>
${codeBlock(answer, 'json')}
</figure>`
}

const TITLES_SHOWN = 3

function contents(services: Published['services']): string {
  const titles = services.slice(0, TITLES_SHOWN).map(({ title }) => title)
  return services.length > TITLES_SHOWN
    ? `${titles.join('; ')}; and ${services.length - TITLES_SHOWN} more.`
    : `${titles.join('; ')}.`
}

function categories({ services }: Published): Html {
  const byCategory = Map.groupBy(services, ({ category }) => category)
  const entries = [...byCategory].map(([category, members]) => {
    const count = members.reduce((sum, { actions }) => sum + Object.keys(actions).length, 0)
    return html`<li><a href="/catalog#${anchor(category)}">${category}</a> <span class="muted">${count}</span><br><span class="muted">${contents(members)}</span></li>
`
  })
  return html`<ul class="categories">
${entries}</ul>`
}
