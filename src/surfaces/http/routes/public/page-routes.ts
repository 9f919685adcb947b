/** The public pages: landing page, catalog, models, prices and site map. */
import type { FastifyInstance } from 'fastify'
import { systemClock, type Clock } from '../../../../lib/clock.ts'
import { designPage } from '../../html/pages/design-page.ts'
import { landingPage } from '../../html/pages/landing-page.ts'
import type { Site } from '../../html/layout/layout.ts'
import { PublicWork } from '../../guards/limit-public-work.ts'
import { catalogPageRoutes } from './catalog-page-routes.ts'
import { HTML_TYPE, lazyDocument, sendDocument, storeDocument, TEXT_TYPE } from './documents.ts'
import { publishedOf, type PublicDeps } from './public-deps.ts'
import { modelPageRoutes } from './model-page-routes.ts'
import { robotsTxt } from './site-map.ts'

/** A rendered page or a search takes some milliseconds. */
const WORK_LIMITS = { perAddress: 600, perSecond: 40 }

export async function pageRoutes(
  app: FastifyInstance,
  {
    assetVersion,
    now = systemClock,
    ...deps
  }: PublicDeps & { readonly assetVersion: string; readonly now?: Clock },
): Promise<void> {
  const published = publishedOf(deps)
  const site: Site = { publicUrl: published.publicUrl, version: assetVersion }
  const fixed: readonly (readonly [path: string, render: () => string, type: string])[] = [
    ['/', () => landingPage(site, published), HTML_TYPE],
    ['/docs/design', () => designPage(site), HTML_TYPE],
    ['/robots.txt', () => robotsTxt(published), TEXT_TYPE],
  ]
  for (const [path, render, type] of fixed) {
    const document = lazyDocument(() => storeDocument(render(), type))
    app.get(path, (request, reply) => sendDocument(request, reply, document()))
  }
  const work = new PublicWork(WORK_LIMITS, now)
  catalogPageRoutes(app, { ...deps, site, published, work })
  modelPageRoutes(app, { site, published, work, directory: deps.directory })
}
