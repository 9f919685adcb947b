import type { Published } from '../../../../catalog/published/catalog-index.ts'
import { callSnippets } from '../code/snippets.ts'
import { linkButton } from '../components/button.ts'
import { stats } from '../components/card.ts'
import { codeBlock, codeCard } from '../components/code-card.ts'
import { icon, type IconName } from '../components/icon.ts'
import { html, type Html } from '../html.ts'
import { layout, type Site } from '../layout/layout.ts'
import { countActions, landingTiles } from './landing-tiles.ts'

/** `lastDay`: null without enough calls to publish a figure, undefined while it is unknown. `succeeded`: 0 to 1. */
export type LandingFigures = {
  readonly languageModels: number
  readonly mediaModels: number
  readonly routerIsLive: boolean
  readonly lastDay: { readonly calls: number; readonly succeeded: number } | null | undefined
}

export function landingPage(site: Site, published: Published, figures: LandingFigures): string {
  const count = countActions(published.services).toLocaleString('en')
  return layout(site, {
    path: '/',
    title: 'Tollgate: one API for everything an agent needs',
    description: `${count} actions and endpoints for software agents with one key, one balance and one API. Pay per call; failed calls are free.`,
    main: html`<div class="landing">
<section class="hero">
<div>
<span class="chip">Open source, runs on your own machine</span>
<h1>One API for everything an agent needs.</h1>
<p class="lead">${count} actions and endpoints with one key and one balance. Agents call every action the same way, see its price beforehand, and never pay for a failure.</p>
<p class="calls-to-action">${linkButton('/signup', 'Get started', { size: 'large' })}${linkButton('/catalog', 'Browse the catalog', { kind: 'quiet', size: 'large' })}</p>
</div>
${sample(site.publicUrl)}
</section>
<section aria-label="Search the catalog">
<form class="hero-search" action="/catalog" method="get" role="search">${icon('search')}<label class="visually-hidden" for="q">What does your agent need?</label><input id="q" name="q" type="search" maxlength="200" placeholder="What does your agent need?" autocomplete="off"><button type="submit">Search</button></form>
<p class="suggestions">Try ${SEARCHES.map((query) => html`<a class="chip" href="/catalog?${new URLSearchParams({ q: query }).toString()}">${query}</a>`)}</p>
${landingTiles(published, figures)}
</section>
<section aria-label="This gateway in figures">${liveFigures(published, figures)}</section>
<section class="two-up" aria-labelledby="budget">
<div>
<h2 id="budget">Hand an agent a budget, not a credit card.</h2>
<p class="lead">Give every agent its own key with a limit and an end. The gateway sets the price aside before a call runs, so a thousand concurrent calls cannot pass the limit by a cent.</p>
</div>
<ul class="promises">
${PROMISES.map(
  ([name, title, text, href, link]) =>
    html`<li>${icon(name)}<div><h3>${title}</h3><p>${text} <a href="${href}">${link}</a></p></div></li>
`,
)}</ul>
</section>
<section aria-labelledby="clients">
<h2 id="clients">Use it from what you already have</h2>
<div class="cards">
${clients(site.publicUrl).map(
  ([
    title,
    text,
    code,
  ]) => html`<div class="card"><h3>${title}</h3><p class="muted">${text}</p>${code}</div>
`,
)}</div>
</section>
<section class="closing">
<div><h2>Make your first call in a minute.</h2><p>A new account gets a live key and a test key. The test key simulates every service, free.</p></div>
<div class="row">${linkButton('/signup', 'Get started', { size: 'large' })}${linkButton('/docs', 'Read the docs', { kind: 'quiet', size: 'large' })}</div>
</section>
</div>`,
  })
}

function liveFigures({ services, laneOf }: Published, figures: LandingFigures): Html {
  const { languageModels, mediaModels, routerIsLive, lastDay } = figures
  const live = services.filter(({ id, actions }) =>
    Object.keys(actions).some((name) => laneOf(id, name).live !== null),
  )
  return stats(
    [
      { label: 'Actions and endpoints', value: countActions(services) },
      {
        label: 'Models',
        value: languageModels + mediaModels,
        note: html`<a href="/models">Language and media</a>`,
      },
      {
        label: 'Live services',
        // The router is a service, too, as on /status.
        value: `${live.length + (routerIsLive ? 1 : 0)} of ${services.length + 1}`,
        note: 'Test keys simulate all of them',
      },
      lastDay == null
        ? {
            label: 'Succeeded, last 24 hours',
            value: '–',
            note: html`${lastDay === null && 'Too few calls for a figure. '}<a href="/status">Status</a>`,
          }
        : {
            label: 'Succeeded, last 24 hours',
            value: `${(Math.floor(lastDay.succeeded * 1_000) / 10).toFixed(1)}%`,
            note: html`Of ${lastDay.calls.toLocaleString('en')} calls. <a href="/status">Status</a>`,
          },
    ],
    { look: 'strip' },
  )
}

const SEARCHES = [
  'check a company’s funding',
  'comments of a TikTok video',
  'a page behind a bot wall',
  'verify an email address',
] as const

const PROMISES: readonly (readonly [IconName, string, string, string, string])[] = [
  [
    'shield',
    'Limits that hold',
    'Per call, per key, per day, week or month. Concurrent calls never exceed a limit.',
    '/docs/keys',
    'Keys and limits',
  ],
  [
    'undo',
    'Failed calls are free',
    'A call that fails, times out or is rejected is not charged. A repeated request with an Idempotency-Key is charged once.',
    '/docs/calls#errors',
    'Errors',
  ],
  [
    'receipt',
    'Public prices',
    'Each action has a page with its price and billing rule, from the same record that the gateway charges by.',
    '/pricing',
    'Prices',
  ],
]

function sample(publicUrl: string): Html {
  return codeCard({
    id: 'first',
    label: 'A first call',
    look: 'raised',
    snippets: callSnippets({
      publicUrl,
      service: 'core',
      action: 'onescrape',
      input: { urls: [`${publicUrl}/guide`], max_cost_cents: 2 },
    }),
    answer: {
      ok: true,
      data: { rows: [{ title: 'Getting started', content: '# Getting started\n…' }] },
      charged_cents: 2,
    },
    foot: html`<span class="ok">200</span><span>charged 2¢</span>${runLink({ urls: [`${publicUrl}/guide`], max_cost_cents: 2 })}`,
  })
}

/** Opens the playground with these values. The reader runs the call there. */
function runLink(input: object): Html {
  const query = new URLSearchParams({ input: JSON.stringify(input) }).toString()
  return html`<a class="code-run" href="/catalog/core/onescrape?${query}">${icon('play')}Run in test mode</a>`
}

function clients(publicUrl: string): readonly (readonly [string, string, Html])[] {
  return [
    [
      'As tools of a model',
      'Claude, Cursor, VS Code and every other MCP client.',
      codeBlock(
        `claude mcp add tollgate \\\n  ${publicUrl}/mcp \\\n  --transport http \\\n  --header "Authorization: Bearer $TOLLGATE_KEY"`,
        'sh',
      ),
    ],
    [
      'As your OpenAI client',
      'Change two lines. Streaming, tools and images work.',
      codeBlock(
        `new OpenAI({\n  baseURL: '${publicUrl}/api/llm/v1',\n  apiKey: process.env.TOLLGATE_KEY,\n}) // model: 'core/mid'`,
        'js',
      ),
    ],
    [
      'As plain HTTP',
      'Every action takes the same request.',
      codeBlock(
        `requests.post(\n  "${publicUrl}/api/run/core/onesearch",\n  headers={"Authorization": f"Bearer {key}"},\n  json={"query": "double-entry bookkeeping"})`,
        'python',
      ),
    ],
  ]
}
