import type { FastifyInstance } from 'fastify'
import type { Published } from '../../../../catalog/published/catalog-index.ts'
import type { ServiceHealth } from '../../../../history/read-service-health.ts'
import type { Site } from '../../html/layout/layout.ts'
import { landingPage, type LandingFigures } from '../../html/pages/landing-page.ts'
import { mediaOf, readModelOffer } from '../../html/pages/models/model-offer.ts'
import { HTML_TYPE, sendDocument, storeDocument, type StoredDocument } from './documents.ts'
import type { PublicDeps } from './public-deps.ts'

export type LandingDeps = Pick<PublicDeps, 'directory' | 'readHealth' | 'revision'> & {
  readonly site: Site
  readonly published: Published
}

/**
 * The landing page with the figures of the former request, so that it never waits for the database or an
 * upstream. It is rendered again only when a figure changes.
 */
export function landingRoutes(app: FastifyInstance, deps: LandingDeps): void {
  const { site, published, directory, readHealth } = deps
  const media = mediaOf(published)?.models.length ?? 0
  const routerIsLive = directory?.isConfigured === true
  let figures: LandingFigures = {
    languageModels: 0,
    mediaModels: media,
    routerIsLive,
    lastDay: undefined,
  }
  let stored: { readonly key: string; readonly document: StoredDocument } | undefined
  let refreshing: Promise<void> | undefined

  const refresh = async (): Promise<void> => {
    const [offer, health] = await Promise.allSettled([readModelOffer(directory), readHealth?.()])
    figures = {
      ...figures,
      ...(offer.status === 'fulfilled' ? { languageModels: offer.value.models.length } : {}),
      lastDay:
        health.status === 'fulfilled' && health.value !== undefined
          ? summarize([...health.value.value.day.values()])
          : undefined,
    }
    refreshing = undefined
  }
  app.get('/', (request, reply) => {
    refreshing ??= refresh()
    const key = JSON.stringify([figures, deps.revision?.() ?? 0])
    if (stored?.key !== key)
      stored = { key, document: storeDocument(landingPage(site, published, figures), HTML_TYPE) }
    return sendDocument(request, reply, stored.document)
  })
}

/** All services with figures together; null without any. */
function summarize(services: readonly ServiceHealth[]): LandingFigures['lastDay'] {
  const calls = services.reduce((sum, service) => sum + service.calls, 0)
  if (calls === 0) return null
  const succeeded = services.reduce((sum, service) => sum + service.calls * service.succeeded, 0)
  return { calls, succeeded: succeeded / calls }
}
