/** /search.json: actions, models and documentation for the search dialog of every page. */
import type { FastifyInstance } from 'fastify'
import { LRUCache } from 'lru-cache'
import { priceText } from '../../../../catalog/published/price-block.ts'
import type { Published } from '../../../../catalog/published/catalog-index.ts'
import type { ScoredHit } from '../../../../composites/discover/create-discover.ts'
import type { PublicWork } from '../../guards/limit-public-work.ts'
import type { SearchGroup, SearchHit } from '../../html/layout/search-result.ts'
import { endpointPath } from '../../html/pages/catalog/endpoint-paths.ts'
import {
  KIND_NAMES,
  mediaOf,
  modelPath,
  readModelOffer,
} from '../../html/pages/models/model-offer.ts'
import {
  findLanguageModels,
  findMediaModels,
  modelsAddress,
  readModelQuery,
} from '../../html/pages/models/model-query.ts'
import { JSON_TYPE, sendDocument, storeDocument } from './documents.ts'
import type { FindInDocs } from './find-in-docs.ts'
import { publishedOf, type PublicDeps } from './public-deps.ts'
import { readQuery } from './read-query.ts'

type SearchRoute = { Querystring: { q?: string | string[] } }

const MOST_ACTIONS = 6
const MOST_MODELS = 4
const MOST_SECTIONS = 4
const STORED_SEARCHES = 200

export type SearchDeps = PublicDeps & {
  readonly work: PublicWork
  readonly findInDocs: FindInDocs
}

export function searchRoutes(app: FastifyInstance, deps: SearchDeps): void {
  const published = publishedOf(deps)
  // By query, and by revision of the catalog and of the model lists.
  const stored = new LRUCache<string, readonly SearchGroup[]>({ max: STORED_SEARCHES })

  const find = async (query: string, ip: string): Promise<readonly SearchGroup[]> => {
    if (query === '') return []
    const offer = await readModelOffer(deps.directory)
    const id = `${deps.revision?.() ?? 0} ${offer.version} ${query}`
    const known = stored.get(id)
    if (known !== undefined) return known
    deps.work.start(ip)
    await deps.discover.prepare()
    const groups: readonly SearchGroup[] = [
      {
        title: 'Actions',
        hits: deps.discover
          .search(query, MOST_ACTIONS)
          .hits.map((hit) => actionHit(published, hit)),
        all: `/catalog?${new URLSearchParams({ q: query }).toString()}`,
      },
      { title: 'Models', hits: modelHits(query), all: modelsAddress({ q: query }) },
      {
        title: 'Docs',
        hits: (await deps.findInDocs(query, ip))
          .slice(0, MOST_SECTIONS)
          .map(({ href, heading, page }) => ({
            href,
            label: heading,
            note: heading === page ? '' : page,
          })),
        all: `/docs/search?${new URLSearchParams({ q: query }).toString()}`,
      },
    ]
    const found = groups.filter(({ hits }) => hits.length > 0)
    stored.set(id, found)
    return found

    function modelHits(q: string): readonly SearchHit[] {
      const asked = readModelQuery({ q })
      const language = findLanguageModels(offer.models, asked).map(({ id: name, model }) => ({
        href: modelPath(name),
        label: model.name,
        note: name,
      }))
      const media = findMediaModels(mediaOf(published)?.models ?? [], asked).map(
        ({ key, title, kind }) => ({
          href: modelPath(key),
          label: title,
          note: KIND_NAMES[kind] ?? kind,
        }),
      )
      const tiers = [...offer.tiers.keys()]
        .filter((tier) => tier.includes(q.toLowerCase()))
        .map((tier) => ({ href: modelPath(tier), label: tier, note: 'Tier' }))
      return [...tiers, ...language, ...media].slice(0, MOST_MODELS)
    }
  }

  app.get<SearchRoute>('/search.json', async (request, reply) => {
    const groups = await find(readQuery(request.query.q), request.ip)
    const body = JSON.stringify({ groups })
    return sendDocument(request, reply, storeDocument(body, JSON_TYPE, { isSentOnce: true }))
  })
}

function actionHit({ services }: Published, hit: ScoredHit): SearchHit {
  const { service, action: name, endpoint, title } = hit
  const action = services.find(({ id }) => id === service)?.actions[name]
  return {
    href: endpoint === null ? `/catalog/${service}/${name}` : endpointPath(service, name, endpoint),
    label: title,
    note: `${service}/${name}${action === undefined || action.kind === 'endpoint' ? '' : ` · ${priceText(action)}`}`,
  }
}
