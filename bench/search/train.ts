/** `npx node bench/search/train.ts`: fits the weights of the order of search results to `queries-a` and writes them. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fuse } from '../../src/composites/onesearch/fuse.ts'
import { FEATURE_NAMES, type FeatureName } from '../../src/composites/search/order-model.ts'
import { featuresOf, toRankings } from '../../src/composites/search/rank-pages.ts'
import { readSet } from './recorded-set.ts'

const FILE = join(import.meta.dirname, '../../src/composites/search/order-model.json')
const ROUNDS = 1_500
const RATE = 0.5
/** Small sets would otherwise give single features all of the weight. */
const DECAY = 0.002

const examples = readSet('queries-a').flatMap(({ query, grades, hits }) => {
  const rankings = toRankings(hits, true)
  const rows = fuse(rankings, { since: null, includeDomains: [], excludeDomains: [] }, 60)
  return featuresOf(rows, query, rankings.length).map((features, at) => ({
    features,
    target: (grades.get(rows[at]?.id ?? '') ?? 0) / 2,
  }))
})
const weights = Object.fromEntries(FEATURE_NAMES.map((name) => [name, 0])) as Record<
  FeatureName,
  number
>
let bias = 0
for (let round = 0; round < ROUNDS; round += 1) {
  const errors = examples.map(({ features, target }) => {
    const sum = FEATURE_NAMES.reduce((total, name) => total + weights[name] * features[name], bias)
    return 1 / (1 + Math.exp(-sum)) - target
  })
  const mean = (read: (at: number) => number): number =>
    errors.reduce((sum, error, at) => sum + error * read(at), 0) / errors.length
  bias -= RATE * mean(() => 1)
  for (const name of FEATURE_NAMES) {
    const slope = mean((at) => examples[at]?.features[name] ?? 0) + DECAY * weights[name]
    // More of a feature never lowers a row.
    weights[name] = Math.max(0, weights[name] - RATE * slope)
  }
}
const rounded = (value: number): number => Math.round(value * 1_000) / 1_000
const features = Object.fromEntries(FEATURE_NAMES.map((name) => [name, rounded(weights[name])]))
writeFileSync(FILE, `${JSON.stringify({ bias: rounded(bias), features }, null, 2)}\n`)
process.stdout.write(`${examples.length} pages, ${JSON.stringify(features)}\n`)
