/**
 * `npm run bench`: compares paid calls through the durable money path with two bare proxies to the same vendor, alternating
 * within one run. docs/benchmarks.md explains the output.
 *
 * Options: --seconds 4 (per measurement), --rounds 3, --only <text>, --rows 0 (writes this many transactions into the
 * table and measures again)
 */
import { parseArgs } from 'node:util'
import { fillHistory } from './gateway/fill-history.ts'
import { memoryMib, openBed, type Server } from './gateway/bed.ts'
import { measureRound, type Round } from './gateway/measure-round.ts'
import { closedLoop, httpPost, openLoop, type LoadResult, type LoadTarget } from './gateway/load.ts'
import { SEARCH } from './gateway/requests.ts'
import { openLeastCommits } from './least-commits.ts'
import { atLeast, atMost, checkMust, type Must } from './must.ts'
import { median } from './router/stream-load.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '3' },
    rows: { type: 'string', default: '0' },
    only: { type: 'string', default: '' },
  },
})
const SECONDS = Number(values.seconds)
const ROUNDS = Number(values.rounds)
const ROWS = Number(values.rows)
const LEAST_COMMITS_MS = 500
/** A gateway reaches its speed after about 60,000 calls. */
const FIRST_WARM_UP_SECONDS = 8
/** About five thousand calls, one at a time. */
const WARM_UP_SECONDS = 5
/** More calls than any gateway carries in a second. */
const MOST_PER_SECOND = 25_000

/** Medians of the rounds. */
type Figures = {
  readonly ratio: number
  /** The paid rate relative to the lean proxy's. */
  readonly ofLean: number
  /** The excess of a paid call's median over the bare proxy's, and the median of two minimal commits between rounds. */
  readonly addedMs: number
  readonly leastMs: number
  readonly medianMs: number
  readonly p99Ms: number
}

type Scenario = {
  readonly name: string
  readonly keys: number
  readonly idempotent?: boolean
  readonly load: (target: LoadTarget, seconds: number) => Promise<LoadResult>
  readonly musts: (figures: Figures) => readonly Must[]
}

const ratioOf =
  (least: number): Scenario['musts'] =>
  ({ ratio }) => [atLeast('of the bare proxy', ratio, least)]
const MOST_MIB = 240
/** The ratio with many transactions in the table, relative to the ratio without. */
const LEAST_OF_EMPTY = 0.9

const SCENARIOS: readonly Scenario[] = [
  {
    name: 'one hot account, 64 in flight',
    keys: 1,
    load: (target, seconds) => closedLoop(target, { inFlight: 64, seconds }),
    musts: ratioOf(0.62),
  },
  {
    name: 'one hot account, 256 in flight',
    keys: 1,
    load: (target, seconds) => closedLoop(target, { inFlight: 256, seconds }),
    musts: ratioOf(0.85),
  },
  {
    name: '1000 accounts, 64 in flight',
    keys: 1000,
    load: (target, seconds) => closedLoop(target, { inFlight: 64, seconds }),
    musts: ratioOf(0.52),
  },
  {
    name: '1000 accounts, 256 in flight',
    keys: 1000,
    load: (target, seconds) => closedLoop(target, { inFlight: 256, seconds }),
    musts: ratioOf(0.7),
  },
  {
    name: 'one call at a time',
    keys: 1,
    load: (target, seconds) => closedLoop(target, { inFlight: 1, seconds }),
    musts: ({ addedMs, leastMs }) => [
      atMost(
        `added median ${addedMs.toFixed(2)} ms, above the two least commits (${leastMs.toFixed(2)} ms)`,
        addedMs - leastMs,
        0.5,
        ' ms',
      ),
    ],
  },
  {
    name: 'open loop, 1000 calls/s',
    keys: 1,
    load: (target, seconds) => openLoop(target, { perSecond: 1000, seconds, connections: 128 }),
    musts: ({ medianMs, p99Ms }) => [
      atMost('median', medianMs, 1.9, ' ms'),
      atMost('p99', p99Ms, 10, ' ms'),
    ],
  },
  {
    name: 'with Idempotency-Key, 64 in flight',
    keys: 1,
    idempotent: true,
    load: (target, seconds) => closedLoop(target, { inFlight: 64, seconds }),
    musts: ratioOf(0.5),
  },
]

let keySets = 0
const bed = await openBed()
const keys = await bed.makeKeys(1000)
const proxies = { bare: await bed.startProxy('bare'), lean: await bed.startProxy('lean') }
const least = await openLeastCommits(bed.database)
try {
  process.stdout.write(
    `${ROUNDS} alternating rounds of ${SECONDS} s each; medians of the rounds.\n\n`,
  )
  const empty = await compareWithGateway()
  if (ROWS > 0) {
    await fillHistory(bed.database, ROWS)
    process.stdout.write(`\nWith ${ROWS} transactions beforehand:\n`)
    const full = await compareWithGateway()
    for (const [name, ratio] of full)
      checkMust(
        atLeast(
          `${name}, of the same without`,
          ratio / (empty.get(name) ?? Number.NaN),
          LEAST_OF_EMPTY,
        ),
      )
  }
} finally {
  await proxies.bare.stop()
  await proxies.lean.stop()
  await least.end()
  await bed.close()
}

async function compareWithGateway(): Promise<ReadonlyMap<string, number>> {
  const gateway = await bed.startGateway()
  try {
    return await compare({ ...proxies, paid: gateway })
  } finally {
    await gateway.stop()
  }
}

/** The ratio of each scenario. */
async function compare({
  bare,
  lean,
  paid,
}: Record<'bare' | 'lean' | 'paid', Server>): Promise<ReadonlyMap<string, number>> {
  const ratios = new Map<string, number>()
  process.stdout.write(
    line(
      'scenario|bare/s|lean/s|paid/s|ratio|of lean|bare p50|paid p50|added p50|bare p99|paid p99|bare µs|paid µs|db µs|vendor µs|load µs|MiB'.split(
        '|',
      ),
    ),
  )
  const targetOf = ({ port }: Server): LoadTarget => ({
    port,
    requests: [httpPost(port, '/search', {}, SEARCH.body)],
  })
  const [bareTarget, leanTarget] = [targetOf(bare), targetOf(lean)]
  const hot = { port: paid.port, requests: requestsFor(paid.port, { keys: 1 }) }
  for (const target of [bareTarget, leanTarget, hot])
    await closedLoop(target, { inFlight: 64, seconds: FIRST_WARM_UP_SECONDS })
  for (const scenario of SCENARIOS.filter(({ name }) => name.includes(values.only))) {
    const paidTarget = (): LoadTarget => ({
      port: paid.port,
      requests: requestsFor(paid.port, scenario),
    })
    for (const target of [bareTarget, leanTarget, paidTarget()]) await warmUp(scenario, target)
    const bareRounds: Round[] = []
    const leanRounds: Round[] = []
    const paidRounds: Round[] = []
    const leastMs: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      bareRounds.push(
        await measureRound(bed, bare, SECONDS, (seconds) => scenario.load(bareTarget, seconds)),
      )
      leanRounds.push(
        await measureRound(bed, lean, SECONDS, (seconds) => scenario.load(leanTarget, seconds)),
      )
      leastMs.push(median(await least.measure(LEAST_COMMITS_MS)))
      const target = paidTarget()
      paidRounds.push(
        await measureRound(bed, paid, SECONDS, (seconds) => scenario.load(target, seconds)),
      )
    }
    const rounds = { bare: bareRounds, lean: leanRounds, paid: paidRounds, leastMs }
    const figures = report(scenario, rounds, paid.pid)
    ratios.set(scenario.name, figures.ratio)
  }
  return ratios
}

/** A repeated idempotency key would measure a replay, so every load has its own keys. */
function requestsFor(
  port: number,
  { keys: count, idempotent }: Pick<Scenario, 'keys' | 'idempotent'>,
): Buffer[] {
  keySets += 1
  const some = keys.slice(0, count)
  const call = (key: string, extra: Record<string, string> = {}): Buffer =>
    httpPost(port, SEARCH.path, { authorization: `Bearer ${key}`, ...extra }, SEARCH.body)
  if (idempotent !== true) return some.map((key) => call(key))
  const length = MOST_PER_SECOND * Math.max(SECONDS, WARM_UP_SECONDS)
  return Array.from({ length }, (_, place) =>
    call(some[0] ?? '', { 'idempotency-key': `bench-${process.pid}-${keySets}-${place}` }),
  )
}

/** Calls with few and with many in flight use different code paths, which are compiled only after many calls. */
async function warmUp({ load, idempotent }: Scenario, target: LoadTarget): Promise<void> {
  if (idempotent !== true) await closedLoop(target, { inFlight: 64, seconds: 1 })
  await load(target, WARM_UP_SECONDS)
}

type Rounds = {
  readonly bare: readonly Round[]
  readonly lean: readonly Round[]
  readonly paid: readonly Round[]
  readonly leastMs: readonly number[]
}

function report(
  { name, musts }: Scenario,
  { bare, lean, paid, leastMs }: Rounds,
  pid: number,
): Figures {
  const of = (results: readonly Round[], pick: (result: Round) => number): number =>
    median(results.map(pick))
  const [bareRate = 0, leanRate = 0, paidRate = 0] = [bare, lean, paid].map((rounds) =>
    of(rounds, ({ perSecond }) => perSecond),
  )
  const [bareMedian, paidMedian] = [
    of(bare, ({ medianMs }) => medianMs),
    of(paid, ({ medianMs }) => medianMs),
  ]
  const figures: Figures = {
    ratio: paidRate / bareRate,
    ofLean: paidRate / leanRate,
    addedMs: paidMedian - bareMedian,
    leastMs: median(leastMs),
    medianMs: paidMedian,
    p99Ms: of(paid, ({ p99Ms }) => p99Ms),
  }
  const rates = [
    bareRate.toFixed(0),
    leanRate.toFixed(0),
    paidRate.toFixed(0),
    figures.ratio.toFixed(2),
    figures.ofLean.toFixed(2),
    bareMedian.toFixed(2),
    paidMedian.toFixed(2),
    figures.addedMs.toFixed(2),
  ]
  const tails = [of(bare, ({ p99Ms }) => p99Ms), figures.p99Ms].map((ms) => ms.toFixed(2))
  const paidCpu = (['serverMicros', 'databaseMicros', 'vendorMicros', 'loadMicros'] as const).map(
    (part) => of(paid, (round) => round[part]),
  )
  const cpu = [of(bare, ({ serverMicros }) => serverMicros), ...paidCpu].map((micros) =>
    micros.toFixed(0),
  )
  const mib = memoryMib(pid)
  process.stdout.write(line([name, ...rates, ...tails, ...cpu, mib.toFixed(0)]))
  const failed = paid.find(({ failures }) => failures > 0)
  if (failed !== undefined)
    process.stdout.write(
      `  ${failed.failures} calls failed, the first with ${failed.firstFailure ?? ''}\n`,
    )
  for (const must of [...musts(figures), atMost('memory', mib, MOST_MIB, ' MiB')]) checkMust(must)
  return figures
}

function line([first = '', ...rest]: readonly string[]): string {
  return `${first.padEnd(36)}${rest.map((cell) => cell.padStart(10)).join('')}\n`
}
