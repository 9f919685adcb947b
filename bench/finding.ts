/**
 * `npx node bench/finding.ts`: how often core/discover finds a right action for the intents in `bench/finding/test`.
 * Prints only totals, so that a change of the search is not tuned to single intents. `--set train` reads the other set.
 */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createDiscover, type ScoredHit } from '../src/composites/discover/create-discover.ts'
import { services } from '../src/vendors/index.ts'
import { readIntents, type Intent } from './finding/read-intents.ts'
import { calibrationTable, categoryTable, groupTable, type Judged } from './finding/tables.ts'

const { values } = parseArgs({ options: { set: { type: 'string', default: 'test' } } })
const intents = readIntents(join(import.meta.dirname, 'finding', values.set))
const targets = new Set(
  services.flatMap(({ id, actions }) => Object.keys(actions).map((name) => `${id}/${name}`)),
)
for (const { right, file } of intents)
  for (const target of right)
    if (!targets.has(target.split(' ')[0] ?? ''))
      throw new RangeError(`${file} names ${target}, which is not in the catalog`)

global.gc?.()
const before = process.memoryUsage()
const laneOf = () => ({ live: 'vendor', lanes: ['vendor'] }) as const
const discover = createDiscover({ services, laneOf })
discover.search('read a web page')
global.gc?.()
const after = process.memoryUsage()

const times: number[] = []
const judged = intents.map(judge)

function judge(intent: Intent): Judged {
  const from = performance.now()
  const { hits } = discover.search(intent.text)
  times.push(performance.now() - from)
  return {
    intent,
    hits: hits.map((hit) => {
      const target = targetOf(hit)
      return {
        target,
        isRight: intent.right.includes(target),
        probability: hit.probability,
        isSure: hit.confidence === 'high',
      }
    }),
  }
}

function targetOf({ service, action, endpoint }: ScoredHit): string {
  return endpoint === null ? `${service}/${action}` : `${service}/${action} ${endpoint}`
}

const categories = new Map(services.map(({ id, category }) => [id, category]))
process.stdout.write(`${groupTable(judged)}\n`)
process.stdout.write(`\n${categoryTable(judged, categories)}\n`)
process.stdout.write(`\n${calibrationTable(judged)}\n`)
const sorted = times.toSorted((one, other) => one - other)
const quantile = (share: number): string =>
  (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1)
process.stdout.write(`\n${quantile(0.5)} ms median, ${quantile(0.95)} ms p95 per query\n`)
if (global.gc !== undefined)
  process.stdout.write(
    `${((after.heapUsed + after.external - before.heapUsed - before.external) / 2 ** 20).toFixed(0)} MiB of memory\n`,
  )
