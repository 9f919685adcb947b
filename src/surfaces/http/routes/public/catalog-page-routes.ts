/** The pages of the catalog: search, actions and endpoints. */
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../../../errors/app-error.ts'
import type { Entry } from '../../../../catalog/index.ts'
import type { Published } from '../../../../catalog/published/catalog-index.ts'
import { actionPage } from '../../html/pages/action-page.ts'
import { endpointPage } from '../../html/pages/catalog/endpoint-page.ts'
import { findEndpoint } from '../../html/pages/catalog/endpoint-paths.ts'
import type { RelatedAction } from '../../html/pages/catalog/related-actions.ts'
import { listActions, prepareActions } from '../../html/pages/catalog/list-actions.ts'
import { MODES, NARROWS, PRICES, type Narrow } from '../../html/pages/catalog/narrow.ts'
import type { ScoredHit, WordHit } from '../../../../composites/discover/create-discover.ts'
import { catalogPage } from '../../html/pages/catalog-page.ts'
import { notFoundPage } from '../../html/pages/not-found-page.ts'
import type { Site } from '../../html/layout/layout.ts'
import type { PublicWork } from '../../guards/limit-public-work.ts'
import { createExampleAnswers } from './example-answers.ts'
import {
  HTML_TYPE,
  lazyDocument,
  revisedMap,
  sendDocument,
  storeDocument,
  type StoredDocument,
} from './documents.ts'
import type { PublicDeps } from './public-deps.ts'

const MAX_QUERY_CHARS = 200
const MAX_FIND_CHARS = 100
/** More matches than this are not listed. */
const MOST_HITS = 1_000
/** The share of the query's words that a further match has. */
const LEAST_SHARE = 0.5
const MOST_RELATED = 4
/** Hits to choose the related actions from. */
const NEAREST = 30

type CatalogRoute = {
  Querystring: Partial<Record<'q' | 'lane' | 'page' | (typeof NARROWS)[number], string | string[]>>
}
type ServiceRoute = { Params: { service: string } }
type ActionRoute = {
  Params: { service: string; action: string }
  Querystring: { find?: string | string[] }
}
type EndpointRoute = { Params: { service: string; action: string; '*': string } }

export type CatalogPageDeps = PublicDeps & {
  readonly site: Site
  readonly published: Published
  /** Limits the pages that are rendered for one request. */
  readonly work: PublicWork
}

export function catalogPageRoutes(app: FastifyInstance, deps: CatalogPageDeps): void {
  const { site, published, work } = deps
  const prepareList = () => prepareActions(published)
  deps.warmUp?.add(prepareList)
  const catalog = lazyDocument(
    () => page(catalogPage(site, published, { search: undefined, onlyLive: false })),
    deps.revision,
  )
  const unknown = lazyDocument(() => storeDocument(notFoundPage(site), HTML_TYPE, { status: 404 }))
  const actionPages = revisedMap<StoredDocument>(deps.revision)
  const exampleAnswer = createExampleAnswers({
    discover: deps.discover,
    publicUrl: published.publicUrl,
  })

  app.get<CatalogRoute>('/catalog', async (request, reply) => {
    const query = textOf(request.query.q, MAX_QUERY_CHARS)
    const onlyLive = request.query.lane === 'live'
    const narrow = narrowOf(request.query)
    const isNarrowed = Object.keys(narrow).length > 0
    const isWhole = query === '' && !onlyLive && !isNarrowed
    if (!isWhole) work.start(request.ip)
    await prepareList()
    if (isWhole) return sendDocument(request, reply, catalog())
    if (query !== '') await deps.discover.prepare()
    const search =
      query === '' && !isNarrowed
        ? undefined
        : {
            query,
            hits: query === '' ? listActions(published) : findAll(deps.discover, query),
            page: pageOf(request.query.page),
          }
    return sendDocument(
      request,
      reply,
      pageOnce(catalogPage(site, published, { search, onlyLive, narrow })),
    )
  })
  // The address of an action without its name leads to all actions of the service.
  app.get<ServiceRoute>('/catalog/:service', (request, reply) => {
    const known = deps.catalog.services.find(({ id }) => id === request.params.service)
    return known === undefined
      ? sendDocument(request, reply, missing([]))
      : reply.redirect(`/catalog#service-${known.id}`, 302)
  })
  app.get<ActionRoute>('/catalog/:service/:action', async (request, reply) => {
    const { service, action: name } = request.params
    const find = textOf(request.query.find, MAX_FIND_CHARS)
    const actions = actionPages()
    const id = `${service}/${name}`
    const known = find === '' ? actions.get(id) : undefined
    if (known !== undefined) return sendDocument(request, reply, known)
    const entry = findOrSuggest(service, name)
    if (Array.isArray(entry)) return sendDocument(request, reply, missing(entry))
    if (find !== '') work.start(request.ip)
    await deps.discover.prepare()
    const view = { entry, answer: await exampleAnswer(entry), related: relatedTo(entry) }
    if (find !== '')
      return sendDocument(request, reply, pageOnce(actionPage(site, published, { ...view, find })))
    const document = page(actionPage(site, published, view))
    actions.set(id, document)
    return sendDocument(request, reply, document)
  })
  // There are more endpoints than pages to store, so each request renders its page.
  app.get<EndpointRoute>('/catalog/:service/:action/*', (request, reply) => {
    const { service: serviceId, action: name, '*': slug } = request.params
    const found = findOrSuggest(serviceId, name)
    if (Array.isArray(found)) return sendDocument(request, reply, missing(found))
    const { service, action } = found
    const entry = action.kind === 'endpoint' ? findEndpoint(action, slug) : undefined
    if (action.kind !== 'endpoint' || entry === undefined)
      return sendDocument(request, reply, missing([`${serviceId}/${name}`]))
    work.start(request.ip)
    return sendDocument(
      request,
      reply,
      pageOnce(endpointPage(site, published, { service, name, action, entry })),
    )
  })

  function missing(suggestions: readonly string[]): StoredDocument {
    if (suggestions.length === 0) return unknown()
    return storeDocument(notFoundPage(site, suggestions), HTML_TYPE, {
      status: 404,
      isSentOnce: true,
    })
  }

  /** The action as the live lanes serve it. */
  function findOrSuggest(serviceId: string, name: string): Entry | string[] {
    try {
      const found = deps.catalog.findAction(serviceId, name)
      const service = published.services.find(({ id }) => id === serviceId) ?? found.service
      return { name, service, action: service.actions[name] ?? found.action }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const suggestions = error.details?.['suggestions']
      return Array.isArray(suggestions)
        ? suggestions.map(String).filter((suggestion) => suggestion.includes('/'))
        : []
    }
  }

  function relatedTo({ service, name, action }: Entry): RelatedAction[] {
    const own = `${service.id}/${name}`
    const ids = deps.discover
      .nearest(action.summary, NEAREST)
      .map((hit) => `${hit.service}/${hit.action}`)
    return [...new Set(ids)]
      .filter((id) => id !== own)
      .slice(0, MOST_RELATED)
      .map((id) => {
        const [relatedService = '', relatedName = ''] = id.split('/')
        return { service: relatedService, name: relatedName }
      })
  }
}

/** Best first: the hits of the ranker, then all others that contain most of the query's words. */
function findAll({ search, nearest }: PublicDeps['discover'], query: string): ScoredHit[] {
  const { hits } = search(query, Number.POSITIVE_INFINITY)
  const idOf = (hit: WordHit | ScoredHit): string =>
    `${hit.service}/${hit.action} ${hit.endpoint ?? ''}`
  const ranked = new Set(hits.map(idOf))
  const others = nearest(query, MOST_HITS)
    .filter((hit) => hit.score >= LEAST_SHARE && !ranked.has(idOf(hit)))
    .map((hit) => ({ ...hit, probability: 0, confidence: 'low' as const }))
  return [...hits, ...others]
}

const KNOWN: Readonly<Partial<Record<keyof Narrow, readonly string[]>>> = {
  price: PRICES.map(([price]) => price),
  mode: MODES.map(([mode]) => mode),
}

/** Unknown prices and modes and repeated parameters are ignored. */
function narrowOf(query: CatalogRoute['Querystring']): Narrow {
  return Object.fromEntries(
    NARROWS.flatMap((name) => {
      const value = query[name]
      const isKnown =
        typeof value === 'string' &&
        value !== '' &&
        value.length <= MAX_FIND_CHARS &&
        (KNOWN[name] ?? [value]).includes(value)
      return isKnown ? [[name, value]] : []
    }),
  )
}

function textOf(value: string | string[] | undefined, mostChars: number): string {
  return String(value ?? '')
    .trim()
    .slice(0, mostChars)
}

/** Any other text means the first page. */
function pageOf(text: unknown): number {
  return typeof text === 'string' && /^[1-9]\d{0,3}$/.test(text) ? Number(text) : 1
}

function page(markup: string): StoredDocument {
  return storeDocument(markup, HTML_TYPE)
}

function pageOnce(markup: string): StoredDocument {
  return storeDocument(markup, HTML_TYPE, { isSentOnce: true })
}
