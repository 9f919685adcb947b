import type { Action, Service } from '../../../catalog/define.ts'
import type { Published } from '../../../catalog/published/catalog-index.ts'
import { priceText } from '../../../catalog/published/price-block.ts'
import type { ScoredHit } from '../../../core/discover/create-discover.ts'
import { html, type Html } from './html.ts'
import { layout, type Site } from './layout.ts'
import { anchor, laneBadge } from './pieces.ts'

export type CatalogView = {
  /** What was searched for, and what was found; undefined: everything is listed. */
  readonly search: { readonly query: string; readonly hits: readonly ScoredHit[] } | undefined
  readonly onlyLive: boolean
}

export function catalogPage(site: Site, published: Published, view: CatalogView): string {
  return layout(site, {
    path: '/catalog',
    title: view.search === undefined ? 'Catalog' : `“${view.search.query}” in the catalog`,
    description: 'Every action of this gateway with its price, by category and service.',
    unlisted: view.search !== undefined || view.onlyLive,
    main: html`<div class="catalog">
<h1>Catalog</h1>
<p class="lead">Every action is called with <code>POST /api/run/{service}/{action}</code>. Prices are per call unless they say otherwise.</p>
${searchForm(view)}
${view.search === undefined ? everything(published, view.onlyLive) : results(published, view.search, view.onlyLive)}
</div>`,
  })
}

function searchForm({ search, onlyLive }: CatalogView): Html {
  return html`<form class="search" action="/catalog" method="get" role="search">
<label for="q">Search by what you want to do</label>
<div class="search-row"><input id="q" name="q" type="search" value="${search?.query ?? ''}" maxlength="200" placeholder="read a web page" autocomplete="off"><button type="submit">Search</button></div>
<label class="check"><input type="checkbox" name="lane" value="live"${onlyLive ? html` checked` : ''}> Only what is live on this gateway</label>
</form>`
}

function everything(published: Published, onlyLive: boolean): Html {
  const listed = published.services
    .map((service) => ({ service, actions: Object.entries(service.actions).filter(([name]) => !onlyLive || isLive(published, service.id, name)) }))
    .filter(({ actions }) => actions.length > 0)
  if (listed.length === 0) return html`<p class="notice">No action is set up on this gateway yet. <a href="/catalog">Show all actions</a>; a test key reaches a simulation of every one.</p>`
  const byCategory = [...Map.groupBy(listed, ({ service }) => service.category)]
  return html`<nav class="chips" aria-label="Categories"><ul>${byCategory.map(([category]) => html`<li><a href="#${anchor(category)}">${category}</a></li>`)}</ul></nav>
${byCategory.map(([category, members]) => html`<section class="category" aria-labelledby="${anchor(category)}">
<h2 id="${anchor(category)}">${category}</h2>
${members.map(({ service, actions }) => serviceList(published, service, actions))}</section>
`)}`
}

function serviceList(published: Published, service: Service, actions: readonly (readonly [string, Action])[]): Html {
  return html`<section class="service" aria-labelledby="service-${service.id}">
<h3 id="service-${service.id}"><code>${service.id}</code> <span class="service-title">${service.title}</span></h3>
<ul class="actions">
${actions.map(([name, action]) => actionLine({ service: service.id, name, endpoint: null, summary: action.summary, price: priceText(action), live: isLive(published, service.id, name) }))}</ul>
</section>
`
}

function results(published: Published, { query, hits }: { query: string; hits: readonly ScoredHit[] }, onlyLive: boolean): Html {
  const shown = hits.filter(({ live }) => live || !onlyLive)
  if (shown.length === 0) {
    return html`<p class="notice" role="status">Nothing in the catalog fits “${query}”. Try other words, or <a href="/catalog">look through everything</a>.</p>`
  }
  return html`<section aria-labelledby="results">
<div role="status"><h2 id="results">${shown.length === 1 ? 'One action fits' : `${shown.length} actions fit`} “${query}”</h2></div>
<ul class="actions">
${shown.map((hit) => actionLine({ ...hit, name: hit.action, price: hitPrice(published, hit) }))}</ul>
<p><a href="/catalog">Show the whole catalog</a></p>
</section>`
}

type Line = { service: string; name: string; endpoint: string | null; summary: string; price: string; live: boolean }

function actionLine({ service, name, endpoint, summary, price, live }: Line): Html {
  const fragment = endpoint === null ? '' : `#${encodeURIComponent(endpoint)}`
  return html`<li class="action"><a href="/catalog/${service}/${name}${fragment}"><code>${service}/${name}</code>${endpoint !== null && html` <code>${endpoint}</code>`}</a>
<span class="price">${price}</span>
<p>${summary} ${laneBadge(live)}</p></li>
`
}

function hitPrice(published: Published, hit: ScoredHit): string {
  if (hit.endpoint !== null) return hit.price_cents === 0 ? 'free' : `${hit.price_cents}¢ per call`
  const action = published.services.find(({ id }) => id === hit.service)?.actions[hit.action]
  return action === undefined ? '' : priceText(action)
}

function isLive({ laneOf }: Published, service: string, action: string): boolean {
  return laneOf(service, action).live !== null
}
