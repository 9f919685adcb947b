/** /models, the page of each model, and /pricing. */
import type { FastifyInstance } from 'fastify'
import type { Published } from '../../../../catalog/published/catalog-index.ts'
import type { Directory } from '../../../../llm/lists/directory.ts'
import type { Documentation } from '../../documentation/open-documentation.ts'
import type { PublicWork } from '../../guards/limit-public-work.ts'
import type { Site } from '../../html/layout/layout.ts'
import {
  languageModelPage,
  type LanguageModelView,
} from '../../html/pages/models/language-model-page.ts'
import { mediaModelPage } from '../../html/pages/models/media-model-page.ts'
import {
  mediaOf,
  modelPath,
  readModelOffer,
  type ModelOffer,
} from '../../html/pages/models/model-offer.ts'
import { isPlain, readModelQuery, type RawModelQuery } from '../../html/pages/models/model-query.ts'
import { modelsPage } from '../../html/pages/models/models-page.ts'
import { notFoundPage } from '../../html/pages/not-found-page.ts'
import { pricingPage } from '../../html/pages/pricing-page.ts'
import {
  HTML_TYPE,
  lazyDocument,
  revisedMap,
  sendDocument,
  storeDocument,
  type StoredDocument,
} from './documents.ts'
import { siteMap, XML_TYPE } from './site-map.ts'

export type ModelPageDeps = {
  readonly site: Site
  readonly published: Published
  readonly work: PublicWork
  /** Undefined on a gateway without a router. */
  readonly directory: Directory | undefined
  readonly documentation: Documentation
  /** Increases when the catalog changes. */
  readonly revision?: (() => number) | undefined
}

export function modelPageRoutes(app: FastifyInstance, deps: ModelPageDeps): void {
  const { site, published, work, directory, documentation } = deps
  const mediaPages = revisedMap<StoredDocument>(deps.revision)
  const unknown = lazyDocument(() => storeDocument(notFoundPage(site), HTML_TYPE, { status: 404 }))
  const plainQuery = readModelQuery({})
  const byVersion = storedByVersion(deps.revision)
  const list = byVersion((offer) =>
    storeDocument(modelsPage(site, published, { offer, query: plainQuery }), HTML_TYPE),
  )
  const pricing = byVersion((offer) =>
    storeDocument(pricingPage(site, published, offer), HTML_TYPE),
  )
  const map = byVersion((offer) => storeDocument(siteMap(published, pathsOf(offer)), XML_TYPE))
  const docs = documentation.pages.map(({ slug }) => `/docs/${slug}`)

  app.get<{ Querystring: RawModelQuery }>('/models', async (request, reply) => {
    const query = readModelQuery(request.query)
    const offer = await readModelOffer(directory)
    if (isPlain(query)) return sendDocument(request, reply, list(offer))
    work.start(request.ip)
    return sendDocument(request, reply, once(modelsPage(site, published, { offer, query })))
  })
  // Names of models contain slashes.
  app.get<{ Params: { '*': string } }>('/models/*', async (request, reply) => {
    const { '*': id } = request.params
    const offer = await readModelOffer(directory)
    const view = findLanguageModel(offer, id)
    if (view === undefined) return sendDocument(request, reply, mediaPage(id))
    work.start(request.ip)
    return sendDocument(request, reply, once(languageModelPage(site, published, view)))
  })
  app.get('/pricing', async (request, reply) =>
    sendDocument(request, reply, pricing(await readModelOffer(directory))),
  )
  app.get('/sitemap.xml', async (request, reply) =>
    sendDocument(request, reply, map(await readModelOffer(directory))),
  )

  function mediaPage(id: string): StoredDocument {
    const pages = mediaPages()
    const known = pages.get(id)
    if (known !== undefined) return known
    const media = mediaOf(published)
    const model = media?.models.find(({ key }) => key === id)
    if (media === undefined || model === undefined) return unknown()
    const document = storeDocument(mediaModelPage(site, published, { media, model }), HTML_TYPE)
    pages.set(id, document)
    return document
  }

  function pathsOf({ tiers, models }: ModelOffer): string[] {
    const ids = [
      ...tiers.keys(),
      ...models.map(({ id }) => id),
      ...(mediaOf(published)?.models ?? []).map(({ key }) => key),
    ]
    return [...docs, ...ids.map(modelPath)]
  }
}

function findLanguageModel(
  { tiers, models, isLive }: ModelOffer,
  id: string,
): LanguageModelView | undefined {
  const [first, ...others] = tiers.get(id) ?? models.filter((model) => model.id === id)
  if (first === undefined) return undefined
  return { id, members: [first, ...others], isTier: tiers.has(id), isLive }
}

/** Renders a document again when a list of models or the catalog changed. */
function storedByVersion(revision: () => number = () => 0) {
  return (
    render: (offer: ModelOffer) => StoredDocument,
  ): ((offer: ModelOffer) => StoredDocument) => {
    let stored: { readonly version: string; readonly document: StoredDocument } | undefined
    return (offer) => {
      const version = `${revision()} ${offer.version}`
      if (stored?.version !== version) stored = { version, document: render(offer) }
      return stored.document
    }
  }
}

function once(markup: string): StoredDocument {
  return storeDocument(markup, HTML_TYPE, { isSentOnce: true })
}
