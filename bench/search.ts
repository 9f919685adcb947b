/**
 * `npx node bench/search.ts`: nDCG@10 of each engine, of their fusion and of the order of the gateway, on queries that
 * the weights were not fitted to (`--set queries-a` for the others). Then the check of citations on a labelled sample.
 * docs/benchmarks.md explains the set.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { fuse } from '../src/composites/onesearch/fuse.ts'
import { keepSupported } from '../src/composites/search/keep-supported.ts'
import { rankPages, toRankings } from '../src/composites/search/rank-pages.ts'
import { atLeast, checkMust } from './must.ts'
import { ENGINES, keyOf, readSet, type JudgedQuery } from './search/recorded-set.ts'

const { values } = parseArgs({ options: { set: { type: 'string', default: 'queries-b' } } })
const ANYTHING = { since: null, includeDomains: [], excludeDomains: [] }
const PLACES = 10
const queries = readSet(values.set)

/** The canonical keys of the pages in an order. */
type Order = (query: JudgedQuery) => readonly string[]

const byEngine = ENGINES.map((engine): readonly [string, Order] => [
  engine,
  ({ hits }) =>
    (toRankings(hits, true).find(({ source }) => source === engine)?.hits ?? []).map(({ url }) =>
      keyOf(url),
    ),
])
const fused: Order = ({ hits }) =>
  fuse(toRankings(hits, true), ANYTHING, PLACES).map(({ id }) => id)
const times: number[] = []
const ranked: Order = ({ hits, query }) => {
  const from = performance.now()
  const rows = rankPages([{ hits }], { ...ANYTHING, query }, true)
  times.push(performance.now() - from)
  return rows.map(({ id }) => id)
}

function gainOf(order: readonly string[], grades: ReadonlyMap<string, number>): number {
  return order
    .slice(0, PLACES)
    .reduce((sum, key, at) => sum + (2 ** (grades.get(key) ?? 0) - 1) / Math.log2(at + 2), 0)
}

function meanNdcg(order: Order): number {
  const shares = queries.map((query) => {
    const best = [...query.grades.keys()].toSorted(
      (a, b) => (query.grades.get(b) ?? 0) - (query.grades.get(a) ?? 0),
    )
    return gainOf(order(query), query.grades) / gainOf(best, query.grades)
  })
  return shares.reduce((sum, share) => sum + share, 0) / shares.length
}

const single = byEngine.map(([engine, order]) => [engine, meanNdcg(order)] as const)
const best = Math.max(...single.map(([, ndcg]) => ndcg))
const [fusion, gateway] = [meanNdcg(fused), meanNdcg(ranked)]
const show = (name: string, figure: number): string => `${name.padEnd(28)}${figure.toFixed(3)}\n`
process.stdout.write(`${values.set}: ${queries.length} lists of results, nDCG@${PLACES}\n`)
for (const [engine, ndcg] of single) process.stdout.write(show(engine, ndcg))
process.stdout.write(
  show('fused (agreement alone)', fusion) + show('ranked by the gateway', gateway),
)
process.stdout.write(
  `median time of a ranking: ${(times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0).toFixed(1)} ms\n`,
)

const sample = readFileSync(join(import.meta.dirname, 'search/citations.txt'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => {
    const [statement = '', passage = ''] = line.slice(2).split(' | ')
    return {
      isSupported: line.startsWith('+'),
      isKept: keepSupported(statement, [passage]).text !== '',
    }
  })
const kept = sample.filter(({ isKept }) => isKept)
const supported = kept.filter(({ isSupported }) => isSupported).length
const share = supported / kept.length
process.stdout.write(
  `citations: ${supported} of ${kept.length} statements that pass are supported; ${sample.filter((one) => one.isSupported && !one.isKept).length} supported ones were dropped, of ${sample.length}\n`,
)
checkMust(atLeast('gateway above the best engine', gateway - best, 0.05))
checkMust(atLeast('supported citations', share, 0.95))
