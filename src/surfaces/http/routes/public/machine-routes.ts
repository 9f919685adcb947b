/** Documents for programs: index, descriptors, OpenAPI, pages for language models, and media models. */
import type { FastifyInstance } from 'fastify'
import { catalogIndexSteps } from '../../../../catalog/published/catalog-index.ts'
import type { Service } from '../../../../catalog/vocabulary/define.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { describeAction } from '../../../../catalog/published/describe-action.ts'
import { llmsFullTxt, llmsTxt, serviceLlmsTxt } from '../../../../catalog/published/llms-txt.ts'
import { mediaCatalog } from '../../../../catalog/published/media-catalog.ts'
import { openapiSteps } from '../../../../catalog/published/openapi.ts'
import { createSliced, runWhole } from '../../../../lib/background/sliced.ts'
import { gatewayRoutes } from '../../openapi/gateway-routes.ts'
import {
  documentCache,
  JSON_TYPE,
  lazyDocument,
  sendDocument,
  storeDocument,
  TEXT_TYPE,
  type StoredDocument,
} from './documents.ts'
import { publishedOf, type PublicDeps } from './public-deps.ts'

type MediaRoute = { Querystring: { kind?: string | string[]; model?: string | string[] } }
type ActionRoute = {
  Params: { service: string; action: string }
  Querystring: { endpoint?: string | string[] }
}

export async function machineRoutes(app: FastifyInstance, deps: PublicDeps): Promise<void> {
  const published = publishedOf(deps)
  const index = () => catalogIndexSteps(published)
  const paths = () => openapiSteps(published, gatewayRoutes(published.publicUrl))
  const fixed: readonly (readonly [string, () => StoredDocument])[] = [
    ['/api/run', () => storeJson(runWhole(index()))],
    ['/openapi.json', () => storeJson(runWhole(paths()))],
    ['/llms.txt', () => storeDocument(llmsTxt(published), TEXT_TYPE)],
    ['/llms-full.txt', () => storeDocument(llmsFullTxt(published), TEXT_TYPE)],
  ]
  for (const [path, render] of fixed) {
    const document = lazyDocument(render, deps.revision)
    app.get(path, (request, reply) => sendDocument(request, reply, document()))
  }
  // Facts of an action stay in memory once a document has read them. A later one takes a tenth of the time.
  deps.warmUp?.add(() => createSliced<unknown>(index).inSlices())
  deps.warmUp?.add(() => createSliced<unknown>(paths).inSlices())
  // Bounded by the kinds and models of the catalog.
  const mediaLists = documentCache(deps.revision)
  app.get<MediaRoute>('/api/catalog', (request, reply) => {
    const { kind, model } = request.query
    const id = JSON.stringify([kind, model])
    const render = () =>
      storeJson(mediaCatalog(published, { kind: kind?.toString(), model: model?.toString() }))
    return sendDocument(request, reply, mediaLists(id, render))
  })
  const servicePages = documentCache(deps.revision)
  app.get<{ Params: { page: string } }>('/llms/:page', (request, reply) => {
    const service = published.services.find(({ id }) => `${id}.txt` === request.params.page)
    const render = (known: Service) => storeDocument(serviceLlmsTxt(published, known), TEXT_TYPE)
    if (service !== undefined)
      return sendDocument(
        request,
        reply,
        servicePages(service.id, () => render(service)),
      )
    throw new AppError('not_found', 'No service has this page.', {
      fix: 'GET /llms.txt links the page of every service.',
    })
  })
  const descriptors = documentCache(deps.revision)
  app.get<ActionRoute>('/api/run/:service/:action', (request, reply) => {
    const { service: serviceId, action: name } = request.params
    const { endpoint } = request.query
    if (endpoint !== undefined)
      return sendDocument(
        request,
        reply,
        storeJson(describeAction(published, deps.catalog, serviceId, name, String(endpoint))),
      )
    const document = descriptors(`${serviceId}/${name}`, () =>
      storeJson(describeAction(published, deps.catalog, serviceId, name)),
    )
    return sendDocument(request, reply, document)
  })
}

function storeJson(value: unknown): StoredDocument {
  return storeDocument(JSON.stringify(value), JSON_TYPE)
}
