/** The page of one language model, or of a tier. */
import type { Published } from '../../../../../catalog/published/catalog-index.ts'
import { formatDollars } from '../../../../../lib/money.ts'
import type { ModelRates } from '../../../../../llm/lists/model-rates.ts'
import type { Candidate } from '../../../../../llm/lists/model.ts'
import type { TokenRates } from '../../../../../llm/tokens/token-price.ts'
import { facts, stats } from '../../components/card.ts'
import { codeCard } from '../../components/code-card.ts'
import { badge } from '../../components/badge.ts'
import { note } from '../../components/note.ts'
import { pageHeader } from '../../components/page-header.ts'
import { CHAT_ISLANDS, modelChat } from '../../components/playground/model-chat.ts'
import { table, type Cell } from '../../components/table.ts'
import { tabs } from '../../components/tabs.ts'
import { laneBadge } from '../../components/text.ts'
import { html, type Html } from '../../html.ts'
import { layout, type Site } from '../../layout/layout.ts'
import { makerOf, modelPath, tokenRateText, tokensText } from './model-offer.ts'
import { chatSnippets, messagesSnippets, responsesSnippets } from './model-snippets.ts'

export type LanguageModelView = {
  /** A model or a tier. */
  readonly id: string
  /** The models of the tier, the preferred one first; the model itself otherwise. */
  readonly members: readonly [Candidate, ...Candidate[]]
  readonly isTier: boolean
  readonly isLive: boolean
}

export function languageModelPage(
  site: Site,
  { publicUrl }: Published,
  view: LanguageModelView,
): string {
  const { id, members, isTier, isLive } = view
  const [{ model, rates }] = members
  const title = isTier ? id : model.name
  const path = modelPath(id)
  return layout(site, {
    path,
    title,
    description: `${title}: ${formatDollars(rates.prompt)} for a million tokens of input and ${formatDollars(rates.completion)} of output, limits, and example code.`,
    islands: CHAT_ISLANDS,
    main: html`<article class="split wide-side">
<div>
${pageHeader({
  title,
  crumbs: [
    { label: 'Models', href: '/models' },
    ...(isTier ? [] : [{ label: makerOf(id), href: makerAddress(id) }]),
    { label: title },
  ],
  lead: isTier
    ? 'A tier is a list of models. The gateway calls the first, and the next one if a model fails.'
    : 'A language model in the APIs of OpenAI and Anthropic, charged by the token.',
  meta: html`<code>${id}</code>${laneBadge(isLive)}`,
})}
${stats(
  [
    {
      label: 'Input',
      value: tokenRateText(rates.prompt),
      note: isTier ? 'per 1M tokens, first model' : 'per 1M tokens',
    },
    {
      label: 'Output',
      value: tokenRateText(rates.completion),
      note: isTier ? 'per 1M tokens, first model' : 'per 1M tokens',
    },
    { label: 'Context', value: tokensText(model.contextLength) },
  ],
  { look: 'strip' },
)}
${!isLive && note('info', html`This gateway has no upstream for language models. The model is simulated for test keys; the prices are those of the simulation.`)}
${tabs('Parts of this page', [
  ...(isTier
    ? [{ href: '#members', label: 'Models' }]
    : [
        { href: '#prices', label: 'Prices' },
        { href: '#limits', label: 'Limits' },
      ]),
  { href: '#code', label: 'Code' },
  { href: '#billing', label: 'Billing' },
])}
${isTier ? memberSection(members) : html`${priceSection(rates)}${limitSection(members[0])}`}
${codeSection(publicUrl, id)}
${billingSection()}
</div>
<section class="sticky" aria-labelledby="try"><h2 class="visually-hidden" id="try">Try it</h2>
${modelChat({ model: id, live: isLive, path })}
</section>
</article>`,
  })
}

function makerAddress(id: string): string {
  return `/models?${new URLSearchParams({ kind: 'language', maker: makerOf(id) }).toString()}`
}

function memberSection(members: readonly Candidate[]): Html {
  return html`<section aria-labelledby="members"><h2 id="members">Models</h2>
${table(
  'Models of the tier, in order',
  ['Model', { figures: 'Context' }, { figures: 'Input / 1M' }, { figures: 'Output / 1M' }],
  members.map(({ id, model, rates }, at): Cell[] => [
    html`${at + 1}. <a href="${modelPath(id)}">${model.name}</a>`,
    tokensText(model.contextLength),
    tokenRateText(rates.prompt),
    tokenRateText(rates.completion),
  ]),
)}
<p class="muted">The gateway holds the price of the dearest model, and charges that of the model that answered. The response names it in <code>model</code>.</p></section>`
}

const KINDS = [
  ['prompt', 'Input'],
  ['cacheRead', 'Input, read from a cache'],
  ['cacheWrite', 'Input, written to a cache'],
  ['cacheWriteLong', 'Input, written to a cache for an hour'],
  ['completion', 'Output'],
  ['reasoning', 'Thinking'],
  ['audio', 'Audio'],
] as const satisfies readonly (readonly [keyof TokenRates, string])[]

function priceSection(rates: ModelRates): Html {
  const { overrides } = rates
  const tokens = KINDS.flatMap(([kind, label]): Cell[][] => {
    const rate = rates[kind]
    if (rate === undefined) return []
    return [
      [
        label,
        formatDollars(rate),
        ...overrides.map((one) => formatDollars(one.rates[kind] ?? rate)),
      ],
    ]
  })
  return html`<section aria-labelledby="prices"><h2 id="prices">Prices</h2>
${table(
  'Prices of a million tokens',
  [
    'Tokens',
    { figures: 'Per 1M tokens' },
    ...overrides.map((one) => ({ figures: overrideText(one) })),
  ],
  tokens,
)}
${rates.request !== undefined && html`<p>Each call also costs ${perOne(rates.request)}.</p>`}
${rates.image !== undefined && html`<p>Each image of a prompt also costs ${perOne(rates.image)}.</p>`}
<p class="muted">Kinds of tokens without a row cost as much as the input or the output that contains them.</p></section>`
}

/** Rates per call or image are in pico-dollars, and may be below a micro-dollar. */
function perOne(picos: bigint): string {
  return `$${Number(picos) / 1e12}`
}

function overrideText({ minPromptTokens, hours }: ModelRates['overrides'][number]): string {
  const clock = (time: number): string =>
    String(time)
      .padStart(4, '0')
      .replace(/(\d{2})$/, ':$1')
  return [
    ...(minPromptTokens > 0 ? [`From ${tokensText(minPromptTokens)} input tokens`] : []),
    ...(hours === null ? [] : [`${clock(hours.start)} to ${clock(hours.end)} UTC`]),
  ].join(', ')
}

function limitSection({ model }: Candidate): Html {
  const { contextLength, maxCompletionTokens, inputModalities, parameters } = model
  const count = (tokens: number | null): string =>
    tokens === null ? 'Not listed' : `${tokens.toLocaleString('en')} tokens`
  return html`<section aria-labelledby="limits"><h2 id="limits">Limits</h2>
${facts([
  ['Context', count(contextLength)],
  ['Longest output', count(maxCompletionTokens)],
  ['Accepts', inputModalities.join(', ')],
  ['Returns', 'text'],
  [
    'Parameters',
    parameters === null || parameters.length === 0
      ? 'Not listed'
      : html`${parameters.map((name, at) => html`${at > 0 && ', '}<code>${name}</code>`)}`,
  ],
])}</section>`
}

function codeSection(publicUrl: string, model: string): Html {
  const ask = { publicUrl, model }
  return html`<section aria-labelledby="code"><h2 id="code">Code</h2>
<p>The same model answers in three APIs. Use the client that you have.</p>
<h3>Chat Completions</h3>
${codeCard({ id: 'chat', label: 'Chat Completions', snippets: chatSnippets(ask) })}
<h3>Messages</h3>
${codeCard({ id: 'messages', label: 'Messages', snippets: messagesSnippets(ask) })}
<h3>Responses</h3>
${codeCard({ id: 'responses', label: 'Responses', snippets: responsesSnippets(ask) })}
<p class="small muted"><a href="/docs/clients">Tested clients</a> and their settings.</p></section>`
}

function billingSection(): Html {
  return html`<section aria-labelledby="billing"><h2 id="billing">Billing</h2>
${facts([
  ['A response', html`${badge('charged', 'Charged')} the tokens that the model read and wrote`],
  ['A failed or rejected call', badge('free', 'Not charged')],
  ['The same request with the same Idempotency-Key', badge('free', 'Charged once')],
  ['A call with a test key', badge('test', 'Play money')],
])}
<p>Before a call, the gateway holds the price of the prompt and of <code>max_tokens</code>. <code>max_cost_cents</code> limits the cost of one call: the response ends early instead. <a href="/docs/router#billing">Details</a></p></section>`
}
