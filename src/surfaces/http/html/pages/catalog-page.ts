import type { Action, Service } from '../../../../catalog/vocabulary/define.ts'
import type { Published } from '../../../../catalog/published/catalog-index.ts'
import { priceText } from '../../../../catalog/published/price-block.ts'
import { submitButton } from '../components/button.ts'
import { pageHeader } from '../components/page-header.ts'
import { html, type Html } from '../html.ts'
import { countActions } from './landing-tiles.ts'
import { layout, type Site } from '../layout/layout.ts'
import { listActions } from './catalog/list-actions.ts'
import {
  categoryTitle,
  categoryOf,
  modeOf,
  MODES,
  NARROWS,
  passes,
  platformOf,
  PRICES,
  type CatalogHit,
  type Narrow,
} from './catalog/narrow.ts'
import { modelsAddress } from './models/model-query.ts'
import { endpointPath } from './catalog/endpoint-paths.ts'
import { anchor, laneBadge } from '../components/text.ts'

/** `query`: empty without a search. `hits`: all matches, set up or not. `page`: from 1. */
export type Found = {
  readonly query: string
  readonly hits: readonly CatalogHit[]
  readonly page: number
}

export type CatalogView = {
  /** Undefined without a search or a filter: the page lists everything by category. */
  readonly search: Found | undefined
  readonly onlyLive: boolean
  readonly narrow?: Narrow
}

export function catalogPage(site: Site, published: Published, view: CatalogView): string {
  return layout(site, {
    path: '/catalog',
    title: (view.search?.query ?? '') === '' ? 'Catalog' : `“${view.search?.query}” in the catalog`,
    description: 'Every action of this gateway with its price, by category and service.',
    islands: ['catalog-search'],
    unlisted: view.search !== undefined || view.onlyLive,
    main: html`${pageHeader({
      title: 'Catalog',
      lead: html`${countActions(published.services).toLocaleString('en')} actions and endpoints. Call each with <code>POST /api/run/{service}/{action}</code>. Prices are per call unless noted.`,
    })}
<div class="catalog-layout">
${facets(published, view)}
<div>
${searchForm(view)}
<div data-catalog-results>${view.search === undefined ? everything(published, view.onlyLive) : results(published, view.search, view)}</div>
</div>
</div>`,
  })
}

function searchForm({ search, onlyLive, narrow = {} }: CatalogView): Html {
  return html`<form class="catalog-search" action="/catalog" method="get" role="search">
<label class="visually-hidden" for="q">Describe your task</label>
<input id="q" name="q" type="search" value="${search?.query ?? ''}" maxlength="200" placeholder="Describe your task, such as “read a web page”" autocomplete="off">${onlyLive && html`<input type="hidden" name="lane" value="live">`}${NARROWS.map((name) => narrow[name] !== undefined && html`<input type="hidden" name="${name}" value="${narrow[name]}">`)}${submitButton('Search', { icon: 'search' })}
</form>`
}

/** Availability, category, platform, response and price, as links. The counts are those of the search. */
function facets(published: Published, view: CatalogView): Html {
  const { onlyLive, narrow } = view
  const { query, hits } = view.search ?? { query: '', hits: listActions(published) }
  const chosen = Object.keys(narrow ?? {}).length + (onlyLive ? 1 : 0)
  return html`<aside class="facets" aria-label="Filters" data-catalog-facets>
<details><summary>Filters${chosen > 0 && ` (${chosen})`}</summary>
<h2>Availability</h2>
<ul><li><a href="${catalogAddress(query, 1, false, narrow)}"${!onlyLive && html` aria-current="true"`}>All</a></li><li><a href="${catalogAddress(query, 1, true, narrow)}"${onlyLive && html` aria-current="true"`}>Live on this gateway</a></li></ul>
${choices(published, { query, hits }, view)}</details>
</aside>`
}

const MOST_CHOICES = 12

function choices(
  published: Published,
  { query, hits }: Pick<Found, 'query' | 'hits'>,
  { onlyLive, narrow = {} }: CatalogView,
): Html {
  const among = (except: keyof Narrow): readonly CatalogHit[] =>
    hits.filter((hit) => (hit.live || !onlyLive) && passes(published, hit, narrow, except))
  const counted = (
    name: 'category' | 'platform' | 'mode',
    read: (hit: CatalogHit) => string | null,
    labelOf: (value: string) => string,
  ): Choice[] => {
    const counts = new Map(
      [...Map.groupBy(among(name), read)].map(([value, own]) => [value, own.length]),
    )
    const chosen = narrow[name]
    const values = [...counts.keys()]
      .filter((value) => value !== null)
      .toSorted((one, other) => (counts.get(other) ?? 0) - (counts.get(one) ?? 0))
    // A chosen filter without a match is listed, too, so that readers can remove it.
    return [
      ...new Set([...values.slice(0, MOST_CHOICES), ...(chosen === undefined ? [] : [chosen])]),
    ].map((value) => ({ value, label: labelOf(value), count: counts.get(value) ?? 0 }))
  }
  const byPrice = among('price')
  const prices = PRICES.map(([value, label]) => ({
    value,
    label,
    count: byPrice.filter(({ price_cents: cents }) => cents <= Number(value)).length,
  })).filter(({ value, count }) => count > 0 || value === narrow.price)
  const facet = (title: string, name: keyof Narrow, listed: readonly Choice[]): Html | false =>
    listed.length > 0 &&
    html`<h2>${title}</h2>
<ul>${listed.map(({ value, label, count }) => {
      const isChosen = narrow[name] === value
      const { [name]: _, ...others } = narrow
      const address = catalogAddress(
        query,
        1,
        onlyLive,
        isChosen ? others : { ...others, [name]: value },
      )
      return html`<li><a href="${address}"${isChosen && html` aria-current="true"`}>${label}<span>${count.toLocaleString('en')}</span></a></li>`
    })}</ul>`
  const categories = counted('category', (hit) => categoryOf(published, hit), categoryTitle)
  const platforms = counted('platform', (hit) => platformOf(published, hit), String)
  const modes = counted(
    'mode',
    (hit) => modeOf(published, hit),
    (value) => MODES.find(([mode]) => mode === value)?.[1] ?? value,
  )
  return html`${facet('Category', 'category', categories)}${facet('Platform or subject', 'platform', platforms)}${facet('Result', 'mode', modes)}${facet('Price per call', 'price', prices)}`
}

type Choice = { readonly value: string; readonly label: string; readonly count: number }

function everything(published: Published, onlyLive: boolean): Html {
  const listed = published.services
    .map((service) => ({
      service,
      actions: Object.entries(service.actions).filter(
        ([name]) => !onlyLive || isLive(published, service.id, name),
      ),
    }))
    .filter(({ actions }) => actions.length > 0)
  if (listed.length === 0)
    return html`<p class="notice">No actions are set up on this gateway yet. <a href="/catalog">Show all actions</a>. A test key can simulate every action.</p>`
  const byCategory = [...Map.groupBy(listed, ({ service }) => service.category)]
  return html`${byCategory.map(
    ([category, members]) => html`<section class="category" aria-labelledby="${anchor(category)}">
<h2 id="${anchor(category)}">${categoryTitle(category)}</h2>
${members.map(({ service, actions }) => serviceList(published, service, actions))}</section>
`,
  )}`
}

function serviceList(
  published: Published,
  service: Service,
  actions: readonly (readonly [string, Action])[],
): Html {
  return html`<section class="service" aria-labelledby="service-${service.id}">
<h3 id="service-${service.id}">${service.title} <code>${service.id}</code></h3>
<ul class="actions">
${actions.map(([name, action]) => actionLine({ service: service.id, name, endpoint: null, title: action.title, summary: action.summary, price: priceText(action), live: isLive(published, service.id, name) }))}</ul>
</section>
`
}

const HITS_ON_A_PAGE = 40

function results(
  published: Published,
  { query, hits, page }: Found,
  { onlyLive, narrow = {} }: CatalogView,
): Html {
  const matching = hits.filter((hit) => (hit.live || !onlyLive) && passes(published, hit, narrow))
  const all = hits.length === 1 ? '1 action' : `${hits.length.toLocaleString('en')} actions`
  if (hits.length === 0) {
    return html`<p class="notice" role="status">No actions match “${query}”. Try other words, <a href="${modelsAddress({ q: query })}">search the models</a>, or <a href="/catalog">browse the catalog</a>.</p>`
  }
  if (matching.length === 0 && Object.keys(narrow).length > 0)
    return html`<p class="notice" role="status">The filters leave out all ${query === '' ? 'actions' : html`${hits.length} matches of “${query}”`}. <a href="${catalogAddress(query, 1, false)}">Remove the filters</a>.</p>`
  if (matching.length === 0) {
    const [setUp, them] = hits.length === 1 ? ['it is', 'it'] : ['they are', 'them']
    return html`<p class="notice" role="status">${all} ${hits.length === 1 ? 'matches' : 'match'} “${query}”, but ${setUp} not set up on this gateway. <a href="${catalogAddress(query, 1, false)}">Show ${them}</a>. A test key can simulate ${them}.</p>`
  }
  const pages = Math.ceil(matching.length / HITS_ON_A_PAGE)
  const current = Math.min(page, pages)
  const shown = matching.slice((current - 1) * HITS_ON_A_PAGE, current * HITS_ON_A_PAGE)
  return html`<section aria-labelledby="results">
<div role="status"><h2 id="results">${heading(matching.length, query)}</h2></div>
${pages > 1 && html`<p class="muted">${query !== '' && 'Best matches first. '}Page ${current} of ${pages}.</p>`}
${matching[0]?.confidence === 'low' && html`<p class="notice">No action clearly fits. These are the nearest ones.</p>`}
<ul class="actions catalog-list">
${shown.map((hit) => actionLine({ ...hit, name: hit.action, price: hitPrice(published, hit) }))}</ul>
<nav class="calls-to-action" aria-label="Pages of the results">
${current > 1 && html`<a class="button quiet" href="${catalogAddress(query, current - 1, onlyLive, narrow)}">Previous</a>`}
${current < pages && html`<a class="button quiet" href="${catalogAddress(query, current + 1, onlyLive, narrow)}">Next</a>`}</nav>
<p><a href="/catalog">Show the whole catalog</a>${query !== '' && html`, or <a href="${modelsAddress({ q: query })}">search the models for “${query}”</a>`}</p>
</section>`
}

function heading(count: number, query: string): string {
  const shown = count.toLocaleString('en')
  if (query === '') return count === 1 ? '1 action' : `${shown} actions`
  return `${count === 1 ? '1 action matches' : `${shown} actions match`} “${query}”`
}

/** The address of the catalog with a search, filters and a page; each only if it is set. */
function catalogAddress(
  query: string,
  page: number,
  onlyLive: boolean,
  narrow: Narrow = {},
): string {
  const params = new URLSearchParams({
    ...(query === '' ? {} : { q: query }),
    ...(page === 1 ? {} : { page: String(page) }),
    ...(onlyLive ? { lane: 'live' } : {}),
    ...narrow,
  }).toString()
  return params === '' ? '/catalog' : `/catalog?${params}`
}

type Line = {
  service: string
  name: string
  endpoint: string | null
  title: string
  summary: string
  price: string
  live: boolean
}

function actionLine({ service, name, endpoint, title, summary, price, live }: Line): Html {
  const path =
    endpoint === null ? `/catalog/${service}/${name}` : endpointPath(service, name, endpoint)
  return html`<li class="action"><a href="${path}">${title}</a>
<span class="price">${price}</span>
<p>${endpoint === null && summary} ${laneBadge(live)}</p>
<p class="action-id"><code>${service}/${name}</code>${endpoint !== null && html` <code>${endpoint}</code>`}</p></li>
`
}

function hitPrice(published: Published, hit: CatalogHit): string {
  const action = published.services.find(({ id }) => id === hit.service)?.actions[hit.action]
  if (action === undefined) return ''
  const entry =
    action.kind === 'endpoint'
      ? action.endpoints.find(({ endpoint }) => endpoint === hit.endpoint)
      : undefined
  return priceText(
    action.kind === 'endpoint' && entry !== undefined ? { ...action, endpoints: [entry] } : action,
  )
}

function isLive({ laneOf }: Published, service: string, action: string): boolean {
  return laneOf(service, action).live !== null
}
