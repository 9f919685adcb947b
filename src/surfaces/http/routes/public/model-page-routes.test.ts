import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fastify, { type FastifyInstance } from 'fastify'
import { createCatalog } from '../../../../catalog/index.ts'
import { createDiscover } from '../../../../composites/discover/create-discover.ts'
import type { Directory, Offer } from '../../../../llm/lists/directory.ts'
import type { Candidate } from '../../../../llm/lists/model.ts'
import { services } from '../../../../vendors/index.ts'
import { publicRoutes } from './public-routes.ts'

const withMedia = services.filter(({ models }) => models !== undefined)
const laneOf = () => ({ live: null, lanes: [] })

function candidate(id: string): Candidate {
  const rates = { prompt: 100_000n, completion: 500_000n, overrides: [] }
  const model = {
    id,
    name: `Model ${id}`,
    createdSeconds: 0,
    contextLength: null,
    maxCompletionTokens: null,
    rates,
    inputModalities: ['text'],
    parameters: null,
  }
  const upstream = {} as Candidate['upstream']
  return { id, upstreamModel: id, upstream, model, rates, isPricedByUpstream: true }
}

const luna = candidate('acme/luna:free')
let offer: Offer
let app: FastifyInstance

before(async () => {
  offer = { tiers: new Map([['core/cheap', [luna]]]), models: [luna], fetchedMs: 1, version: '1' }
  const directory: Pick<Directory, 'isConfigured' | 'offer'> = {
    isConfigured: true,
    offer: async (mode) => {
      assert.equal(mode, 'live')
      return offer
    },
  }
  app = fastify()
  await app.register(publicRoutes, {
    catalog: createCatalog(withMedia),
    laneOf,
    publicUrl: 'https://gate.example',
    discover: createDiscover({ services: withMedia, laneOf }),
    directory: directory as Directory,
    now: () => 0,
  })
})
after(() => app.close())

for (const [path, title] of [
  ['/models/acme/luna:free', 'Model acme/luna:free'],
  ['/models/acme%2Fluna%3Afree', 'Model acme/luna:free'],
  ['/models/core/cheap', 'core/cheap'],
  ['/models/kokoro', 'Kokoro, American English'],
] as const)
  test(`GET ${path} shows the model, and 304 for a known ETag`, async () => {
    const { statusCode, body, headers } = await app.inject({ url: path })
    assert.equal(statusCode, 200)
    assert.ok(body.includes(`<h1>${title}</h1>`))
    const again = await app.inject({ url: path, headers: { 'if-none-match': headers.etag } })
    assert.equal(again.statusCode, 304)
  })

test('answers 404 for unknown models', async () => {
  for (const id of ['nope', 'acme/nope', 'constructor', '__proto__', 'core', '%00', ''])
    assert.equal((await app.inject({ url: `/models/${id}` })).statusCode, 404, id)
})

test('the list, the prices and the site map follow a new list of models', async () => {
  const read = async (url: string): Promise<string> => (await app.inject({ url })).body
  const sol = candidate('acme/sol')
  assert.doesNotMatch(await read('/models'), /acme\/sol/)
  assert.match(await read('/sitemap.xml'), /\/models\/acme\/luna%3Afree</)
  assert.match(await read('/pricing'), /Model acme\/luna:free/)
  offer = { tiers: new Map([['core/cheap', [sol]]]), models: [sol], fetchedMs: 2, version: '2' }
  for (const path of ['/models', '/sitemap.xml', '/pricing'])
    assert.match(await read(path), /acme\/sol/, path)
  assert.equal((await app.inject({ url: '/models/acme/luna:free' })).statusCode, 404)
})

test('limits the lists that are rendered for one request each', async () => {
  const codes = await Promise.all(
    Array.from({ length: 60 }, async (_, at) => {
      const { statusCode } = await app.inject({ url: `/models?q=${at}` })
      return statusCode
    }),
  )
  // The clock stands still, so all requests are of one second.
  const served = codes.filter((code) => code === 200).length
  assert.ok(served > 0 && served <= 40, `${served} lists`)
})
