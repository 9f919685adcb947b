import type { Published } from '../../../../catalog/published/catalog-index.ts'
import { curlExample } from '../../../../catalog/published/curl-example.ts'
import { html, type Html } from '../html.ts'
import { layout, type Site } from '../layout/layout.ts'
import { anchor, codeBlock } from '../components/text.ts'

export function landingPage(site: Site, published: Published): string {
  return layout(site, {
    path: '/',
    title: 'Tollgate: pay-per-call actions for software agents',
    description:
      'One key, one balance and one API for everything a software agent needs. Pay per call, only for calls that succeed.',
    main: html`<div class="landing">
<section class="hero">
<div>
<h1>One key. One balance.<br>One API.</h1>
<p class="lead">Pay-per-call actions for software agents: search the web, read pages, find people and companies, run language models. Agents call every action the same way, see its price beforehand, and never pay for a failure.</p>
<p class="calls-to-action"><a class="button" href="/guide">Get started</a> <a class="button quiet" href="/catalog">Browse ${countText(published)}</a></p>
</div>
${sample(site.publicUrl)}
</section>
<section aria-labelledby="rules">
<h2 id="rules">Guarantees</h2>
<div class="cards">
${RULES.map(
  ([title, text]) => html`<div class="card"><h3>${title}</h3><p>${text}</p></div>
`,
)}</div>
</section>
<section aria-labelledby="catalog">
<h2 id="catalog">Catalog</h2>
${categories(published)}
<p>Every action has a page with its price, billing rule, parameters and an example. <a href="/catalog">See the whole catalog</a>, or <a href="/sign-in">sign in</a> to see your balance and create keys.</p>
</section>
</div>`,
  })
}

const RULES = [
  [
    'Failures are free',
    'A call that fails, times out or is rejected is not charged. Most actions are also free when they find nothing, as their pages state.',
  ],
  [
    'Hard limits',
    'Limit the cost of a call with max_cost_cents, or the spending of a key per day, week or month. Concurrent calls never exceed a limit.',
  ],
  [
    'Public prices',
    'The price and billing rule of every action are public. They come from the same record that the gateway charges by.',
  ],
  [
    'Safe retries',
    'With an Idempotency-Key, a repeated request gets the first response again and is charged once.',
  ],
  [
    'Helpful errors',
    'Each error names the invalid field, how to fix it, and whether a retry can succeed.',
  ],
  [
    'Free test mode',
    'A test key runs a simulation of every service, with a separate test balance.',
  ],
] as const

function countText({ services }: Published): string {
  const count = services.reduce((sum, { actions }) => sum + Object.keys(actions).length, 0)
  return count === 1 ? '1 action' : `${count} actions`
}

function sample(publicUrl: string): Html {
  const call = curlExample(`${publicUrl}/api/run/core/onescrape`, { urls: [`${publicUrl}/guide`] })
  const answer =
    '{\n  "ok": true,\n  "data": {\n    "rows": [{\n      "title": "Getting started",\n      "content": "…"\n    }]\n  },\n  "charged_cents": 2\n}'
  return html`<figure class="sample"><figcaption>Request</figcaption>
${codeBlock(call, 'sh')}
<p class="sample-label">Response</p>
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
