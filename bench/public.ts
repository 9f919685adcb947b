// Index, descriptor and OpenAPI against an empty Fastify route, in full and for clients that send the current ETag.
// Run: npx node bench/public.ts [seconds]
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads'
import fastify from 'fastify'
import { Pool } from 'undici'
import { createCatalog } from '../src/catalog/index.ts'
import type { LaneOf } from '../src/catalog/published/lane.ts'
import { createDiscover } from '../src/composites/discover/create-discover.ts'
import { publicRoutes } from '../src/surfaces/http/routes/public/public-routes.ts'
import { atLeast, checkMust } from './must.ts'

const IN_FLIGHT = 64
const ROUNDS = 4
/** Throughput with an ETag, as a share of the empty route's. */
const KEPT_DOCUMENTS = ['index', 'descriptor', 'OpenAPI', 'catalog page']
const LEAST_BY_ETAG = 0.95
const GZIP = { 'accept-encoding': 'gzip' }
const laneOf: LaneOf = () => ({ live: 'vendor', lanes: ['vendor'] })

/** The server runs in its own thread, so that load and server do not share one. */
async function serve(): Promise<void> {
  const catalog = createCatalog()
  const app = fastify()
  app.get('/empty', (_request, reply) => reply.send(''))
  await app.register(publicRoutes, {
    catalog,
    laneOf,
    publicUrl: 'http://127.0.0.1',
    discover: createDiscover({ services: catalog.services, laneOf }),
  })
  // The rule is for windows; the port of a worker has no origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  parentPort?.postMessage(await app.listen({ port: 0, host: '127.0.0.1' }))
}

async function perSecond(
  pool: Pool,
  path: string,
  headers: Record<string, string>,
  forMs: number,
): Promise<number> {
  let count = 0
  const until = performance.now() + forMs
  const from = performance.now()
  await Promise.all(
    Array.from({ length: IN_FLIGHT }, async () => {
      while (performance.now() < until) {
        const { body } = await pool.request({ path, method: 'GET', headers })
        await body.dump()
        count += 1
      }
    }),
  )
  return count / ((performance.now() - from) / 1000)
}

async function tagOf(pool: Pool, path: string): Promise<string | undefined> {
  const { headers, body } = await pool.request({ path, method: 'GET', headers: GZIP })
  await body.dump()
  return headers['etag']?.toString()
}

async function main(): Promise<void> {
  const forMs = (Number(process.argv[2] ?? 6) * 1000) / ROUNDS
  const worker = new Worker(fileURLToPath(import.meta.url), { workerData: 'serve' })
  const [url] = (await once(worker, 'message')) as [string]
  const pool = new Pool(url, { connections: IN_FLIGHT })
  const cases = [
    ['empty route', '/empty'],
    ['index', '/api/run'],
    ['descriptor', '/api/run/core/onescrape'],
    ['OpenAPI', '/openapi.json'],
    ['catalog page', '/catalog'],
  ] as const
  const best = new Map<string, number>()
  const keepBest = async (
    name: string,
    path: string,
    headers: Record<string, string>,
  ): Promise<void> => {
    best.set(name, Math.max(best.get(name) ?? 0, await perSecond(pool, path, headers, forMs)))
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, path] of cases) {
      await keepBest(name, path, GZIP)
      const tag = await tagOf(pool, path)
      if (tag !== undefined)
        await keepBest(`${name}, by ETag`, path, { ...GZIP, 'if-none-match': tag })
    }
  }
  const empty = best.get('empty route') ?? 1
  for (const [name, rate] of best)
    process.stdout.write(
      `${name.padEnd(22)} ${rate.toFixed(0).padStart(7)} /s  ${(rate / empty).toFixed(2)} of the empty route\n`,
    )
  for (const name of KEPT_DOCUMENTS)
    checkMust(
      atLeast(`${name}, by ETag`, (best.get(`${name}, by ETag`) ?? 0) / empty, LEAST_BY_ETAG),
    )
  await pool.close()
  await worker.terminate()
}

await (isMainThread || workerData !== 'serve' ? main() : serve())
