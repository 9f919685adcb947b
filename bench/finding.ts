/**
 * `npx node bench/finding.ts`: how often core/discover finds a right action for the intents in `bench/finding/test`.
 * Prints only scores, so that a change of the search is not tuned to single intents. `--set train` reads the other set.
 */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createDiscover } from '../src/composites/discover/create-discover.ts'
import { services } from '../src/vendors/index.ts'
import { readIntents, type Intent } from './finding/read-intents.ts'

const { values } = parseArgs({ options: { set: { type: 'string', default: 'test' } } })
const laneOf = () => ({ live: 'vendor', lanes: ['vendor'] }) as const
const discover = createDiscover({ services, laneOf })
const known = new Set(
  services.flatMap(({ id, actions }) => Object.keys(actions).map((name) => `${id}/${name}`)),
)

type Score = { intents: number; first: number; third: number; nothing: number }
const scores = new Map<string, Score>()

function targetOf({
  service,
  action,
  endpoint,
}: {
  readonly service: string
  readonly action: string
  readonly endpoint: string | null
}): string {
  return endpoint === null ? `${service}/${action}` : `${service}/${action} ${endpoint}`
}

function groupOf({ right, hasTypos, language }: Intent): string {
  if (right.length === 0) return 'no action fits'
  if (hasTypos) return 'English with typos'
  return language === 'en' ? 'English' : 'other languages'
}

function add(group: string, intent: Intent, found: readonly string[]): void {
  const score = scores.get(group) ?? { intents: 0, first: 0, third: 0, nothing: 0 }
  const isRight = (target: string | undefined): boolean =>
    target !== undefined && intent.right.includes(target)
  score.intents += 1
  score.first += isRight(found[0]) ? 1 : 0
  score.third += found.slice(0, 3).some(isRight) ? 1 : 0
  score.nothing += found.length === 0 ? 1 : 0
  scores.set(group, score)
}

const folder = join(import.meta.dirname, 'finding', values.set)
const from = performance.now()
for (const intent of readIntents(folder)) {
  const unknown = intent.right.find((target) => !known.has(target.split(' ')[0] ?? ''))
  if (unknown !== undefined)
    throw new RangeError(`${intent.file} names ${unknown}, which is not in the catalog`)
  const found = discover.search(intent.text).hits.map(targetOf)
  add(groupOf(intent), intent, found)
  if (intent.right.length > 0) add('all that an action fits', intent, found)
}
const total = [...scores.values()].reduce((sum, { intents }) => sum + intents, 0)
const share = (part: number, { intents }: Score): string => (part / intents).toFixed(2)
process.stdout.write('| Intents | Number | hit@1 | hit@3 | no hit |\n|---|---|---|---|---|\n')
for (const [group, score] of [...scores].toSorted(
  ([, one], [, other]) => other.intents - one.intents,
))
  process.stdout.write(
    `| ${group} | ${score.intents} | ${share(score.first, score)} | ${share(score.third, score)} | ${share(score.nothing, score)} |\n`,
  )
const queries = total - (scores.get('all that an action fits')?.intents ?? 0)
process.stdout.write(`\n${((performance.now() - from) / queries).toFixed(1)} ms per query\n`)
