/** The page of one endpoint of a passthrough action. */
import type { Published } from '../../../../../catalog/published/catalog-index.ts'
import { endpointExample } from '../../../../../catalog/published/endpoint-example.ts'
import { listEndpointParams } from '../../../../../catalog/published/param-lines.ts'
import { priceText } from '../../../../../catalog/published/price-block.ts'
import {
  requiredEndpointParams,
  requiredText,
} from '../../../../../catalog/published/required-params.ts'
import { endpointName } from '../../../../../catalog/titles/endpoint-names.ts'
import type { EndpointAction, EndpointEntry } from '../../../../../catalog/vocabulary/define.ts'
import { fieldRows, type FieldRow } from '../../components/card.ts'
import { playground, PLAYGROUND_ISLANDS } from '../../components/playground/playground.ts'
import { pageHeader } from '../../components/page-header.ts'
import { tabs } from '../../components/tabs.ts'
import { anchor, prose } from '../../components/text.ts'
import { html, type Html } from '../../html.ts'
import { layout, type Site } from '../../layout/layout.ts'
import { billingSection, factStrip } from './action-facts.ts'
import { endpointPath, type EndpointView } from './endpoint-paths.ts'
import { errorSection } from './error-section.ts'
import { categoryTitle } from './narrow.ts'
import { relatedEndpoints } from './related-endpoints.ts'
import { hasResponse, responseSection } from './response-section.ts'

export function endpointPage(site: Site, published: Published, view: EndpointView): string {
  const { service, name, action, entry } = view
  const { endpoint } = entry
  const id = `${service.id}/${name}`
  const { title, group } = endpointName(service, name, endpoint)
  const alone = narrowTo(action, entry)
  const path = endpointPath(service.id, name, endpoint)
  const price = priceText(alone)
  const lane = published.laneOf(service.id, name, endpoint)
  const described = { service, name, action, endpoint }
  const example = endpointExample(action, entry)
  return layout(site, {
    path,
    title,
    islands: PLAYGROUND_ISLANDS,
    description: `${title}: price ${price}, parameters, response and an example request. One API for software agents.`,
    main: html`<article class="split wide-side">
<div>
${pageHeader({
  title,
  crumbs: [
    { label: 'Catalog', href: '/catalog' },
    { label: categoryTitle(service.category), href: `/catalog#${anchor(service.category)}` },
    { label: action.title, href: `/catalog/${id}` },
    ...(group === null ? [] : [{ label: group, href: `/catalog/${id}#${anchor(group)}` }]),
  ],
  lead: leadOf(view, group),
  meta: html`<code>${id}</code><code>${endpoint}</code>`,
})}
${factStrip(action, price, lane)}
${tabs('Parts of this page', [
  { href: '#parameters', label: 'Inputs' },
  ...(hasResponse(described) ? [{ href: '#response', label: 'Response' }] : []),
  { href: '#billing', label: 'Billing' },
  { href: '#errors', label: 'Errors' },
  { href: '#related', label: 'Related' },
])}
${inputs(entry, id, example)}
${responseSection(described, undefined)}
${billingSection(alone, lane, published, `/api/run/${id}?endpoint=${encodeURIComponent(endpoint)}`)}
${errorSection(
  name,
  action,
  entry.params.map((param) => param.name),
)}
${relatedEndpoints(view)}
</div>
<section class="sticky" aria-labelledby="try"><h2 class="visually-hidden" id="try">Try it</h2>
${playground({
  publicUrl: published.publicUrl,
  service: service.id,
  name,
  action: alone,
  example,
  live: lane.live !== null,
  path,
})}
<p class="small">The example runs in test mode.${Object.values(example).some(isPlaceholder) && html` Replace the values in <code>&lt;…&gt;</code> before a live call.`}</p>
</section>
</article>`,
  })
}

function leadOf({ action, entry }: EndpointView, group: string | null): string {
  if (entry.summary.endsWith('.')) return entry.summary
  const others = group === null ? '' : ` for ${group}`
  return `One of the ${action.endpoints.length} endpoints of “${action.title}”${others}.`
}

function isPlaceholder(value: unknown): boolean {
  return typeof value === 'string'
    ? value.startsWith('<')
    : Array.isArray(value) && value.some(isPlaceholder)
}

function inputs(
  entry: EndpointEntry,
  id: string,
  example: Readonly<Record<string, unknown>>,
): Html {
  const rule = requiredEndpointParams(entry)
  const rows = listEndpointParams(entry).map((line): FieldRow => {
    const value = example[line.name]
    const details = [
      line.limits,
      value === undefined || isPlaceholder(value) ? '' : `Example ${JSON.stringify(value)}.`,
    ]
    const detail = details.filter((text) => text !== '').join(' ')
    return {
      name: line.name,
      type: line.required === 'one of' ? `${line.type} · one of these required` : line.type,
      required: line.required === 'yes',
      text: line.description === '' ? 'Passed on to the endpoint.' : prose(line.description),
      ...(detail === '' ? {} : { detail }),
    }
  })
  return html`<section aria-labelledby="parameters"><h2 id="parameters">Inputs</h2>
${fieldRows([
  {
    name: 'endpoint',
    type: 'string',
    required: true,
    text: html`The endpoint of <code>${id}</code>. The same on every call of this page.`,
    detail: html`<code>${JSON.stringify(entry.endpoint)}</code>`,
  },
  ...rows,
])}
${rule.required_one_of.length > 0 && html`<p>Required: ${requiredText(rule)}.</p>`}
${entry.isOpen === true && html`<p>The vendor may accept further parameters. The gateway passes them on.</p>`}
<p>Every call also accepts <code>max_cost_cents</code>, the maximum cost of the call.</p></section>`
}

/** The action with this endpoint alone. */
function narrowTo(action: EndpointAction, entry: EndpointEntry): EndpointAction {
  const { oneOf = [] } = action.input as { readonly oneOf?: readonly unknown[] }
  const branch = oneOf[action.endpoints.indexOf(entry)]
  return { ...action, endpoints: [entry], input: { ...action.input, oneOf: [branch] } }
}
