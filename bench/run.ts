/**
 * `npm run bench`: paid calls through the whole durable money path against a bare proxy to the same vendor, in turns
 * within one run. docs/benchmarks.md says how to read it.
 *
 * Options: --seconds 4 (a measurement), --rounds 3, --rows 0 (transactions in the table beforehand), --only <text>
 */
import { parseArgs } from 'node:util'
import { fillHistory } from './gateway/fill-history.ts'
import { cpuMs, memoryMib, openBed, type Server } from './gateway/bed.ts'
import { closedLoop, httpPost, openLoop, type LoadResult, type LoadTarget } from './gateway/load.ts'

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
/** Five thousand calls or so, one at a time. */
const WARM_UP_SECONDS = 5
const BODY = '{"query":"how do group commits make a ledger faster"}'

type Scenario = {
  readonly name: string
  readonly goal: string
  readonly keys: number
  readonly idempotent?: boolean
  readonly load: (target: LoadTarget, seconds: number) => Promise<LoadResult>
}

const SCENARIOS: readonly Scenario[] = [
  {
    name: 'one hot account, 64 in flight',
    goal: 'ratio >= 0.60',
    keys: 1,
    load: (target, seconds) => closedLoop(target, { inFlight: 64, seconds }),
  },
  {
    name: 'one hot account, 256 in flight',
    goal: 'ratio >= 0.80',
    keys: 1,
    load: (target, seconds) => closedLoop(target, { inFlight: 256, seconds }),
  },
  {
    name: '1000 accounts, 64 in flight',
    goal: 'ratio >= 0.50',
    keys: 1000,
    load: (target, seconds) => closedLoop(target, { inFlight: 64, seconds }),
  },
  {
    name: '1000 accounts, 256 in flight',
    goal: 'ratio >= 0.75',
    keys: 1000,
    load: (target, seconds) => closedLoop(target, { inFlight: 256, seconds }),
  },
  {
    name: 'one call at a time',
    goal: 'added median <= 0.6 ms',
    keys: 1,
    load: (target, seconds) => closedLoop(target, { inFlight: 1, seconds }),
  },
  {
    name: 'open loop, 1000 calls/s',
    goal: 'p50 <= 1.0, p99 <= 5 ms',
    keys: 1,
    load: (target, seconds) => openLoop(target, { perSecond: 1000, seconds, connections: 128 }),
  },
  {
    name: 'with Idempotency-Key, 64 in flight',
    goal: '(no goal)',
    keys: 1,
    idempotent: true,
    load: (target, seconds) => closedLoop(target, { inFlight: 64, seconds }),
  },
]

const bed = await openBed()
const keys = await bed.makeKeys(1000)
if (Number(values.rows) > 0) await fillHistory(bed.database, Number(values.rows))
const proxy = await bed.startProxy()
const gateway = await bed.startGateway()
try {
  await compare(proxy, gateway)
} finally {
  await gateway.stop()
  await proxy.stop()
  await bed.close()
}

async function compare(bare: Server, paid: Server): Promise<void> {
  process.stdout.write(
    `${ROUNDS} rounds of ${SECONDS} s each, in turns; medians of the rounds. ${values.rows} transactions beforehand.\n\n`,
  )
  process.stdout.write(
    line([
      'scenario',
      'bare/s',
      'paid/s',
      'ratio',
      'bare p50',
      'paid p50',
      'added p50',
      'bare p99',
      'paid p99',
      'bare µs',
      'paid µs',
      'db µs',
      'vendor µs',
      'load µs',
      'MiB',
      'goal',
    ]),
  )
  for (const scenario of SCENARIOS.filter(({ name }) => name.includes(values.only))) {
    const bareTarget = { port: bare.port, requests: [httpPost(bare.port, '/search', {}, BODY)] }
    const paidTarget = { port: paid.port, requests: requestsFor(paid.port, scenario) }
    for (const target of [bareTarget, paidTarget]) await warmUp(scenario, target)
    const bareRounds: Round[] = []
    const paidRounds: Round[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      bareRounds.push(await measure(bare, () => scenario.load(bareTarget, SECONDS)))
      paidRounds.push(await measure(paid, () => scenario.load(paidTarget, SECONDS)))
    }
    report(scenario, bareRounds, paidRounds, memoryMib(paid.pid))
  }
}

/** A round with the CPU time per call, in microseconds: the server's own, and that of what shares the other core. */
type Round = LoadResult & {
  readonly serverMicros: number
  readonly databaseMicros: number
  readonly vendorMicros: number
  readonly loadMicros: number
}

async function measure({ pid }: Server, load: () => Promise<LoadResult>): Promise<Round> {
  const used = (): number[] => [
    cpuMs(pid),
    bed.databaseCpuMs(),
    cpuMs(bed.vendor.pid),
    cpuMs(process.pid),
  ]
  const before = used()
  const result = await load()
  const [serverMicros = 0, databaseMicros = 0, vendorMicros = 0, loadMicros = 0] = used().map(
    (ms, place) => ((ms - (before[place] ?? 0)) * 1000) / (result.perSecond * SECONDS),
  )
  return { ...result, serverMicros, databaseMicros, vendorMicros, loadMicros }
}

function requestsFor(port: number, { keys: count, idempotent }: Scenario): Buffer[] {
  const some = keys.slice(0, count)
  const call = (key: string, extra: Record<string, string> = {}): Buffer =>
    httpPost(port, '/api/run/semantic/search', { authorization: `Bearer ${key}`, ...extra }, BODY)
  if (idempotent !== true) return some.map((key) => call(key))
  // Far more than a round can use, so that no key repeats.
  return Array.from({ length: 400_000 }, (_, place) =>
    call(some[0] ?? '', { 'idempotency-key': `bench-${process.pid}-${place}` }),
  )
}

/** Few calls in flight take other ways than many, which are compiled only once they were gone often enough. */
async function warmUp({ load, idempotent }: Scenario, target: LoadTarget): Promise<void> {
  const requests =
    idempotent === true
      ? target.requests
          .slice(0, 1000)
          .map((request) => Buffer.from(request.toString().replace('bench-', 'warm-')))
      : target.requests
  await closedLoop({ ...target, requests }, { inFlight: 64, seconds: 1 })
  if (idempotent !== true) await load(target, WARM_UP_SECONDS)
}

function report({ name, goal }: Scenario, bare: Round[], paid: Round[], mib: number): void {
  const of = (results: Round[], pick: (result: Round) => number): number =>
    median(results.map(pick))
  const [bareRate, paidRate] = [
    of(bare, ({ perSecond }) => perSecond),
    of(paid, ({ perSecond }) => perSecond),
  ]
  const [bareMedian, paidMedian] = [
    of(bare, ({ medianMs }) => medianMs),
    of(paid, ({ medianMs }) => medianMs),
  ]
  const rates = [
    bareRate.toFixed(0),
    paidRate.toFixed(0),
    (paidRate / bareRate).toFixed(2),
    bareMedian.toFixed(2),
    paidMedian.toFixed(2),
    (paidMedian - bareMedian).toFixed(2),
  ]
  const tails = [of(bare, ({ p99Ms }) => p99Ms), of(paid, ({ p99Ms }) => p99Ms)].map((ms) =>
    ms.toFixed(2),
  )
  const paidCpu = (['serverMicros', 'databaseMicros', 'vendorMicros', 'loadMicros'] as const).map(
    (part) => of(paid, (round) => round[part]),
  )
  const cpu = [of(bare, ({ serverMicros }) => serverMicros), ...paidCpu].map((micros) =>
    micros.toFixed(0),
  )
  process.stdout.write(line([name, ...rates, ...tails, ...cpu, mib.toFixed(0), goal]))
  const failed = paid.find(({ failures }) => failures > 0)
  if (failed !== undefined)
    process.stdout.write(
      `  ${failed.failures} calls failed, the first with ${failed.firstFailure ?? ''}\n`,
    )
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

function line([first = '', ...rest]: readonly string[]): string {
  return `${first.padEnd(36)}${rest.map((cell, place) => (place === rest.length - 1 ? `  ${cell}` : cell.padStart(10))).join('')}\n`
}
