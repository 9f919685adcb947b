/** Public pages of a gateway whose operator changed its actions and prices while it runs. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fastify, { type FastifyInstance } from 'fastify'
import { createCatalog, type Catalog } from '../../../../catalog/index.ts'
import { priceServices } from '../../../../catalog/prices/price-rules.ts'
import { fixtureLaneOf } from '../../../../catalog/published/testing/small-catalog.ts'
import { createDiscover } from '../../../../composites/discover/create-discover.ts'
import { services } from '../../../../vendors/index.ts'
import { publicRoutes } from './public-routes.ts'

/** With media models. */
const list = services.filter(({ id }) => id === 'media' || id === 'semantic')
const dearer = priceServices(
  list,
  { rules: [], otherwise: { margin_percent: '23.4567' } },
  Date.UTC(2026, 10, 29),
)
let app: FastifyInstance
let present: Catalog = createCatalog(list)
let revision = 0
let requestMs = 0

before(async () => {
  app = fastify()
  await app.register(publicRoutes, {
    catalog: {
      get services() {
        return present.services
      },
      findAction: (service, action) => present.findAction(service, action),
      allActions: () => present.allActions(),
    },
    laneOf: fixtureLaneOf,
    publicUrl: 'https://gate.example/',
    discover: createDiscover({ services: list, laneOf: fixtureLaneOf }),
    revision: () => revision,
    now: () => (requestMs += 1_000),
  })
})
after(() => app.close())

test('shows the prices and actions of the present catalog at every address', async () => {
  const model = list.find(({ models }) => models !== undefined)?.models?.all[0]?.key ?? ''
  const paths = [
    '/api/run',
    '/api/run/semantic/search',
    '/api/catalog',
    '/llms/semantic.txt',
    '/llms-full.txt',
    '/openapi.json',
    '/catalog',
    '/catalog/semantic/search',
    '/models',
    `/models/${model}`,
    '/pricing',
  ]
  const read = async (path: string) => (await app.inject({ url: path })).body
  const former = await Promise.all([...paths, '/sitemap.xml'].map(read))
  present = createCatalog(dearer)
  revision += 1
  for (const [index, path] of paths.entries())
    assert.notEqual(await read(path), former[index], path)
  present = createCatalog(dearer.filter(({ id }) => id === 'media'))
  revision += 1
  assert.match(former.at(-1) ?? '', /semantic\/search/)
  assert.doesNotMatch(await read('/sitemap.xml'), /semantic\/search/)
})
