// Time of core/discover over a catalog with a few thousand endpoints. Run: npx node bench/discover.ts [endpoints]
import { createDiscover } from '../src/composites/discover/create-discover.ts'
import { wideCatalog } from '../src/composites/discover/testing/wide-catalog.ts'
import { wideQueries } from '../src/composites/discover/testing/judged-queries.ts'

const ROUNDS = 30
const services = wideCatalog(Number(process.argv[2] ?? 3_000))
const laneOf = () => ({ live: 'vendor', lanes: ['vendor'] }) as const

const builtFrom = performance.now()
const discover = createDiscover({ services, laneOf })
const buildMs = performance.now() - builtFrom

const timesMs: number[] = []
for (let round = 0; round < ROUNDS; round += 1) {
  for (const [query] of wideQueries) {
    const from = performance.now()
    discover.search(query)
    timesMs.push(performance.now() - from)
  }
}
const sorted = timesMs.toSorted((a, b) => a - b)
const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(3)
process.stdout.write(
  `${discover.size} documents, built in ${buildMs.toFixed(0)} ms (cold)\nquery: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(0.9999)} ms over ${sorted.length} queries\n`,
)
