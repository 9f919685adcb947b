import { acceptsMaxChars } from '../../../../catalog/vocabulary/max-chars.ts'
import type { Entry } from '../../../../catalog/index.ts'
import type { Published } from '../../../../catalog/published/catalog-index.ts'
import { exampleNeedsSentences } from '../../../../catalog/published/example-needs.ts'
import { listParams } from '../../../../catalog/published/param-lines.ts'
import { priceText } from '../../../../catalog/published/price-block.ts'
import { requiredParams, requiredText } from '../../../../catalog/published/required-params.ts'
import type { Action } from '../../../../catalog/vocabulary/define.ts'
import { fieldRows } from '../components/card.ts'
import { pageHeader } from '../components/page-header.ts'
import { playground, PLAYGROUND_ISLANDS } from '../components/playground/playground.ts'
import { tabs } from '../components/tabs.ts'
import { anchor, prose } from '../components/text.ts'
import { html, type Html } from '../html.ts'
import { layout, type Site } from '../layout/layout.ts'
import { billingSection, factStrip } from './catalog/action-facts.ts'
import { endpointList } from './catalog/endpoint-list.ts'
import { errorSection } from './catalog/error-section.ts'
import { categoryTitle } from './catalog/narrow.ts'
import { relatedActions, type RelatedAction } from './catalog/related-actions.ts'
import { hasResponse, responseSection } from './catalog/response-section.ts'

export type ActionView = {
  readonly entry: Entry
  /** An example envelope; undefined if none is recorded. */
  readonly answer?: unknown
  /** Best first. */
  readonly related?: readonly RelatedAction[]
  /** Words that filter the endpoints of a passthrough. */
  readonly find?: string
}

export function actionPage(site: Site, published: Published, view: ActionView): string {
  const { entry, answer, related = [], find = '' } = view
  const { service, name, action } = entry
  const id = `${service.id}/${name}`
  const lane = published.laneOf(service.id, name)
  const isPassthrough = action.kind === 'endpoint'
  return layout(site, {
    path: `/catalog/${id}`,
    title: action.title,
    description: action.summary,
    unlisted: find !== '',
    islands: [...PLAYGROUND_ISLANDS, ...(isPassthrough ? ['endpoint-filter'] : [])],
    main: html`<article class="split wide-side">
<div>
${pageHeader({
  title: action.title,
  crumbs: [
    { label: 'Catalog', href: '/catalog' },
    { label: categoryTitle(service.category), href: `/catalog#${anchor(service.category)}` },
    { label: action.title },
  ],
  lead: action.summary,
  meta: html`<code>${id}</code>`,
})}
${action.description !== undefined && html`<p>${prose(action.description)}</p>`}
${factStrip(action, priceText(action), lane)}
${tabs('Parts of this page', [
  isPassthrough
    ? { href: '#endpoints', label: 'Endpoints' }
    : { href: '#parameters', label: 'Inputs' },
  ...(hasResponse(entry) ? [{ href: '#response', label: 'Response' }] : []),
  { href: '#billing', label: 'Billing' },
  { href: '#errors', label: 'Errors' },
  ...(related.length === 0 ? [] : [{ href: '#related', label: 'Related' }]),
])}
${action.kind === 'endpoint' ? endpointList(service, name, action, find) : inputs(action)}
${responseSection(entry, dataOf(answer))}
${billingSection(action, lane, published, `/api/run/${id}`)}
${errorSection(
  name,
  action,
  listParams(action).map((line) => line.name),
)}
${relatedActions(published, entry, related)}
</div>
<section class="sticky" aria-labelledby="try"><h2 class="visually-hidden" id="try">Try it</h2>
${playground({
  publicUrl: published.publicUrl,
  service: service.id,
  name,
  action,
  live: lane.live !== null,
  path: `/catalog/${id}`,
  answer,
})}
${exampleNeedsSentences(action).map((sentence) => html`<p class="small">${prose(sentence)}</p>`)}
</section>
</article>`,
  })
}

function dataOf(answer: unknown): unknown {
  return typeof answer === 'object' && answer !== null && 'data' in answer ? answer.data : undefined
}

function inputs(action: Action): Html {
  const rows = listParams(action).map(({ name, type, required, description, limits }) => ({
    name,
    type: required === 'one of' ? `${type} · one of these required` : type,
    required: required === 'yes',
    text: prose(description),
    ...(limits === '' ? {} : { detail: limits }),
  }))
  const rule = requiredParams(action)
  return html`<section aria-labelledby="parameters"><h2 id="parameters">Inputs</h2>
${rows.length === 0 ? html`<p>None.</p>` : fieldRows(rows)}
${rule.required_one_of.length > 0 && html`<p>Required: ${requiredText(rule)}.</p>`}
<p>Every action also accepts <code>max_cost_cents</code>, the maximum cost of the call.${acceptsMaxChars(action) && html` <code>max_chars</code> limits the length of the answer; the rest becomes a file.`}</p></section>`
}
