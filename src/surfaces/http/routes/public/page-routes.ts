/** The public pages: landing page, catalog, models, prices and site map. */
import type { FastifyInstance } from 'fastify'
import type { Documentation } from '../../documentation/open-documentation.ts'
import { designPage } from '../../html/pages/design-page.ts'
import type { Site } from '../../html/layout/layout.ts'
import type { PublicWork } from '../../guards/limit-public-work.ts'
import { catalogPageRoutes } from './catalog-page-routes.ts'
import { HTML_TYPE, lazyDocument, sendDocument, storeDocument, TEXT_TYPE } from './documents.ts'
import { landingRoutes } from './landing-routes.ts'
import { publishedOf, type PublicDeps } from './public-deps.ts'
import { modelPageRoutes } from './model-page-routes.ts'
import { robotsTxt } from './site-map.ts'

export type PageDeps = PublicDeps & {
  readonly site: Site
  readonly work: PublicWork
  readonly documentation: Documentation
}

export async function pageRoutes(
  app: FastifyInstance,
  { site, work, documentation, ...deps }: PageDeps,
): Promise<void> {
  const published = publishedOf(deps)
  const fixed: readonly (readonly [path: string, render: () => string, type: string])[] = [
    ['/docs/design', () => designPage(site), HTML_TYPE],
    ['/robots.txt', () => robotsTxt(published), TEXT_TYPE],
  ]
  for (const [path, render, type] of fixed) {
    const document = lazyDocument(() => storeDocument(render(), type))
    app.get(path, (request, reply) => sendDocument(request, reply, document()))
  }
  landingRoutes(app, { ...deps, site, published })
  catalogPageRoutes(app, { ...deps, site, published, work })
  const { directory, revision } = deps
  modelPageRoutes(app, { site, published, work, documentation, directory, revision })
}
