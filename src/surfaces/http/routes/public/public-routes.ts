/** Registers the public documents, pages and assets. */
import type { FastifyInstance } from 'fastify'
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
  await app.register(documentationRoutes, { site: { publicUrl, version: assets.version } })
  await app.register(pageRoutes, { ...deps, assetVersion: assets.version })
}
