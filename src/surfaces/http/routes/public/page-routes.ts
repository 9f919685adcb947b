/** The public pages: landing page and catalog. */
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../../../errors/app-error.ts'
import { actionPage } from '../../html/pages/action-page.ts'
import { catalogPage } from '../../html/pages/catalog-page.ts'
import { designPage } from '../../html/pages/design-page.ts'
import { landingPage } from '../../html/pages/landing-page.ts'
import { notFoundPage } from '../../html/pages/not-found-page.ts'
import type { Site } from '../../html/layout/layout.ts'
import { createExampleAnswers } from './example-answers.ts'
import {
  HTML_TYPE,
  lazyDocument,
  sendDocument,
  storeDocument,
  type StoredDocument,
} from './documents.ts'
import { publishedOf, type PublicDeps } from './public-deps.ts'

const MAX_QUERY_CHARS = 200

type CatalogRoute = {
  Querystring: { q?: string | string[]; lane?: string | string[]; page?: string | string[] }
}
type ServiceRoute = { Params: { service: string } }
type ActionRoute = { Params: { service: string; action: string } }

export async function pageRoutes(
  app: FastifyInstance,
  deps: PublicDeps & { readonly assetVersion: string },
): Promise<void> {
  const published = publishedOf(deps)
  const site: Site = { publicUrl: published.publicUrl, version: deps.assetVersion }
  const landing = lazyDocument(() => page(landingPage(site, published)))
  const design = lazyDocument(() => page(designPage(site)))
  const catalog = lazyDocument(() =>
    page(catalogPage(site, published, { search: undefined, onlyLive: false })),
  )
  const actions = new Map<string, StoredDocument>()
  const exampleAnswer = createExampleAnswers({
    discover: deps.discover,
    publicUrl: published.publicUrl,
  })

  app.get('/', (request, reply) => sendDocument(request, reply, landing()))
  app.get('/docs/design', (request, reply) => sendDocument(request, reply, design()))
  app.get<CatalogRoute>('/catalog', (request, reply) => {
    const query = String(request.query.q ?? '')
      .trim()
      .slice(0, MAX_QUERY_CHARS)
    const onlyLive = request.query.lane === 'live'
    if (query === '' && !onlyLive) return sendDocument(request, reply, catalog())
    const search =
      query === ''
        ? undefined
        : {
            query,
            hits: deps.discover.search(query, Number.POSITIVE_INFINITY).hits,
            page: pageOf(request.query.page),
          }
    return sendDocument(request, reply, page(catalogPage(site, published, { search, onlyLive })))
  })
  // The address of an action without its name leads to all actions of the service.
  app.get<ServiceRoute>('/catalog/:service', (request, reply) => {
    const known = deps.catalog.services.find(({ id }) => id === request.params.service)
    return known === undefined
      ? sendDocument(request, reply, missing([]))
      : reply.redirect(`/catalog#service-${known.id}`, 302)
  })
  app.get<ActionRoute>('/catalog/:service/:action', async (request, reply) => {
    const { service: serviceId, action: name } = request.params
    const id = `${serviceId}/${name}`
    const known = actions.get(id)
    if (known !== undefined) return sendDocument(request, reply, known)
    const found = findOrSuggest(serviceId, name)
    if (Array.isArray(found)) return sendDocument(request, reply, missing(found))
    const action =
      published.services.find((service) => service.id === serviceId)?.actions[name] ?? found.action
    const document = page(
      actionPage(site, published, { ...found, action }, await exampleAnswer(found)),
    )
    actions.set(id, document)
    return sendDocument(request, reply, document)
  })

  function missing(suggestions: readonly string[]): StoredDocument {
    return storeDocument(notFoundPage(site, suggestions), HTML_TYPE, { status: 404 })
  }

  function findOrSuggest(serviceId: string, name: string) {
    try {
      return deps.catalog.findAction(serviceId, name)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const suggestions = error.details?.['suggestions']
      return Array.isArray(suggestions)
        ? suggestions.map(String).filter((suggestion) => suggestion.includes('/'))
        : []
    }
  }
}

/** Any other text means the first page. */
function pageOf(text: unknown): number {
  return typeof text === 'string' && /^[1-9]\d{0,3}$/.test(text) ? Number(text) : 1
}

function page(markup: string): StoredDocument {
  return storeDocument(markup, HTML_TYPE)
}
