/**
 * `npx node bench/catalog-search.ts`: how long the server takes for a catalog search that is typed letter by letter.
 * Prints the median and the 95th percentile of the whole route, and the ratio to a page that is already rendered.
 * Fails above the target for the 95th percentile.
 */
import fastify from 'fastify'
import { createCatalog } from '../src/catalog/index.ts'
import { createDiscover } from '../src/composites/discover/create-discover.ts'
import { publicRoutes } from '../src/surfaces/http/routes/public/public-routes.ts'

const QUERIES = [
  'tiktok comments',
  'verify an email address',
  'read a web page as markdown',
  'stock price of a company',
  'linkedin profile',
  'sanctions check',
]
const PAUSE_MS = 60
const TARGET_P95_MS = 30

const catalog = createCatalog()
const laneOf = () => ({ live: 'vendor', lanes: ['vendor'] }) as const
const discover = createDiscover({ services: catalog.services, laneOf })
const app = fastify()
let nowMs = 0
await app.register(publicRoutes, {
  catalog,
  laneOf,
  publicUrl: 'https://gate.example',
  discover,
  // A minute for each request, so that none is rejected.
  now: () => (nowMs += 60_000),
})

async function timesOf(urls: readonly string[]): Promise<readonly number[]> {
  const times: number[] = []
  for (const url of urls) {
    const from = performance.now()
    const { statusCode } = await app.inject({ url, headers: { 'accept-encoding': 'gzip' } })
    times.push(performance.now() - from)
    if (statusCode !== 200) throw new RangeError(`${url} answered ${statusCode}`)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
  return times.toSorted((one, other) => one - other)
}

const typed = QUERIES.flatMap((query) =>
  Array.from(
    { length: query.length - 2 },
    (_, at) => `/catalog?q=${encodeURIComponent(query.slice(0, at + 3))}`,
  ),
)
await timesOf(['/catalog?q=warm', '/catalog'])
const searches = await timesOf(typed)
const stored = await timesOf(typed.map(() => '/catalog'))
const at = (times: readonly number[], share: number): number =>
  times[Math.floor(times.length * share)] ?? 0
process.stdout.write(
  `${searches.length} searches: ${at(searches, 0.5).toFixed(1)} ms median, ${at(searches, 0.95).toFixed(1)} ms p95; a stored page: ${at(stored, 0.5).toFixed(1)} ms median; ratio ${(at(searches, 0.5) / at(stored, 0.5)).toFixed(1)}\n`,
)
await app.close()
if (at(searches, 0.95) > TARGET_P95_MS) {
  process.stdout.write(`The target is ${TARGET_P95_MS} ms p95.\n`)
  process.exitCode = 1
}
