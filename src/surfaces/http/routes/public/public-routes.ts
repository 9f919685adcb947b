/** Registers the public documents, pages and assets. */
import type { FastifyInstance } from 'fastify'
import { assetRoutes, loadAssets } from './assets.ts'
import { machineRoutes } from './machine-routes.ts'
import { pageRoutes } from './page-routes.ts'
import { redirectRoutes } from './redirect-routes.ts'
import type { PublicDeps } from './public-deps.ts'

export async function publicRoutes(app: FastifyInstance, deps: PublicDeps): Promise<void> {
  const assets = await loadAssets()
  await app.register(assetRoutes, assets)
  await app.register(machineRoutes, deps)
  redirectRoutes(app)
  await app.register(pageRoutes, { ...deps, assetVersion: assets.version })
}
