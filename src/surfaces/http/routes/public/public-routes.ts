/** Registers the public documents, pages and assets. */
import type { FastifyInstance } from 'fastify'
import { chatPage } from '../../html/pages/chat-page.ts'
import { HTML_TYPE, lazyDocument, sendDocument, storeDocument } from './documents.ts'
import { documentationRoutes } from './documentation-routes.ts'
import type { Clock } from '../../../../lib/clock.ts'
import { assetRoutes, loadAssets } from './assets.ts'
import { machineRoutes } from './machine-routes.ts'
import { pageRoutes } from './page-routes.ts'
import { redirectRoutes } from './redirect-routes.ts'
import { publishedOf, type PublicDeps } from './public-deps.ts'

export async function publicRoutes(
  app: FastifyInstance,
  deps: PublicDeps & { readonly now?: Clock },
): Promise<void> {
  const assets = await loadAssets()
  await app.register(assetRoutes, assets)
  await app.register(machineRoutes, deps)
  redirectRoutes(app)
  const { publicUrl } = publishedOf(deps)
  const site = { publicUrl, version: assets.version }
  await app.register(documentationRoutes, { site })
  const chat = lazyDocument(() => storeDocument(chatPage(site), HTML_TYPE))
  app.get('/playground', (request, reply) => sendDocument(request, reply, chat()))
  await app.register(pageRoutes, { ...deps, assetVersion: assets.version })
}
