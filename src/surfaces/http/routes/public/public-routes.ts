/** Registers the public documents, pages and assets. */
import type { FastifyInstance } from 'fastify'
import { assetRoutes, loadAssets } from './assets.ts'
import { machineRoutes } from './machine-routes.ts'
import { pageRoutes } from './page-routes.ts'
import type { PublicOptions } from './public-options.ts'

export async function publicRoutes(app: FastifyInstance, options: PublicOptions): Promise<void> {
  const assets = await loadAssets()
  await app.register(assetRoutes, assets)
  await app.register(machineRoutes, options)
  await app.register(pageRoutes, { ...options, assetVersion: assets.version })
}
