/** Registers the public documents, pages and assets. */
import type { FastifyInstance } from 'fastify'
import { chatPage } from '../../html/pages/chat-page.ts'
import { HTML_TYPE, lazyDocument, sendDocument, storeDocument } from './documents.ts'
import { openDocumentation } from '../../documentation/open-documentation.ts'
import { createDocumentationSearch } from '../../documentation/search-documentation.ts'
import { documentationRoutes } from './documentation-routes.ts'
import { createFindInDocs } from './find-in-docs.ts'
import { searchRoutes } from './search-routes.ts'
import { systemClock, type Clock } from '../../../../lib/clock.ts'
import { PublicWork } from '../../guards/limit-public-work.ts'
import { assetRoutes, loadAssets } from './assets.ts'
import { machineRoutes } from './machine-routes.ts'
import { packageRoutes } from './package-routes.ts'
import { pageRoutes } from './page-routes.ts'
import { redirectRoutes } from './redirect-routes.ts'
import { publishedOf, type PublicDeps } from './public-deps.ts'

/** A rendered page or a search takes some milliseconds. */
export const WORK_LIMITS = { perAddress: 600, perAddressSecond: 20, perSecond: 40 }

export async function publicRoutes(
  app: FastifyInstance,
  { now = systemClock, ...deps }: PublicDeps & { readonly now?: Clock },
): Promise<void> {
  const assets = await loadAssets()
  await app.register(assetRoutes, assets)
  await app.register(machineRoutes, deps)
  packageRoutes(app)
  redirectRoutes(app)
  const { publicUrl } = publishedOf(deps)
  const site = { publicUrl, version: assets.version }
  const work = new PublicWork(WORK_LIMITS, now)
  const documentation = await openDocumentation(publicUrl)
  const search = createDocumentationSearch(documentation)
  const find = createFindInDocs(search, work)
  await app.register(documentationRoutes, { site, documentation, find })
  searchRoutes(app, { ...deps, work, findInDocs: find })
  const chat = lazyDocument(() => storeDocument(chatPage(site), HTML_TYPE))
  app.get('/playground', (request, reply) => sendDocument(request, reply, chat()))
  await app.register(pageRoutes, { ...deps, site, work, documentation })
}
