/**
 * `npx node bench/router.ts`: paid router calls, whole and streamed, against a bare proxy to the same upstream, alternating
 * within one run; then memory under open streams. docs/benchmarks.md explains the output.
 *
 * Options: --seconds 3 (a measurement), --rounds 3, --only <text>, --portkey <folder with node_modules/@portkey-ai/gateway>
 */
import { parseArgs } from 'node:util'
import {
  cpuMs,
  liftDailyLimits,
  memoryMib,
  openBed,
  OTHER_CORE,
  SERVER_CORE,
  startNode,
  type Server,
} from './gateway/bed.ts'
import { closedLoop, httpPost } from './gateway/load.ts'
import { COMPLETION_PATH } from './gateway/requests.ts'
import { atLeast, atMost, checkMust, type Must } from './must.ts'
import { findPortkey, startPortkey, type Portkey } from './router/portkey.ts'
import { median, openStreams, streamLoop } from './router/stream-load.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
    portkey: { type: 'string' },
  },
})
const SECONDS = Number(values.seconds)
const ROUNDS = Number(values.rounds)
const QUESTION = {
  model: 'bench/model',
  max_tokens: 100,
  messages: [
    { role: 'system', content: 'You answer in one sentence.' },
    { role: 'user', content: 'How do group commits make a ledger faster?' },
  ],
}

type Round = {
  readonly perSecond: number
  readonly medianMs: number
  readonly cpuMicros: number
  readonly databaseMicros: number
  readonly failure: string | null
}
type Figures = Omit<Round, 'cpuMicros' | 'databaseMicros'>
type Target = {
  readonly port: number
  readonly pid: number
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}
/** Medians of the rounds: rates relative to the bare proxy's, times in excess of its own. */
type Measured = { readonly ratio: number; readonly addedMs: number; readonly mib: number }
type Scenario = {
  readonly name: string
  readonly musts: (figures: Measured) => readonly Must[]
  readonly run: (target: Target) => Promise<Figures>
}

function ask({ port, path, headers }: Target, more: object): Buffer {
  return httpPost(port, path, headers, JSON.stringify({ ...QUESTION, ...more }))
}

async function wholes(target: Target, inFlight: number): Promise<Figures> {
  const { perSecond, medianMs, firstFailure } = await closedLoop(
    { port: target.port, requests: [ask(target, {})] },
    { inFlight, seconds: SECONDS },
  )
  return { perSecond, medianMs, failure: firstFailure }
}

async function streams(target: Target, open: number): Promise<Figures> {
  const { perSecond, firstByteMs, firstFailure } = await streamLoop(
    { port: target.port, request: ask(target, { stream: true }) },
    { open, seconds: SECONDS },
  )
  return { perSecond, medianMs: firstByteMs, failure: firstFailure }
}

const MOST_MIB = { busy: 260, openStreams: 320 }
const LEAST_OF_PORTKEY = 6
const JSON_SCENARIO = 'JSON, 64 in flight'
const smallMemory = (mib: number): Must => atMost('memory', mib, MOST_MIB.busy, ' MiB')

const SCENARIOS: readonly Scenario[] = [
  {
    name: JSON_SCENARIO,
    musts: ({ ratio, mib }) => [atLeast('of the bare proxy', ratio, 0.55), smallMemory(mib)],
    run: (target) => wholes(target, 64),
  },
  { name: 'JSON, one at a time', musts: () => [], run: (target) => wholes(target, 1) },
  {
    name: 'streams of 50 events, 64 open',
    musts: ({ ratio, mib }) => [atLeast('of the bare proxy', ratio, 0.9), smallMemory(mib)],
    run: (target) => streams(target, 64),
  },
  {
    name: 'streams, one at a time',
    musts: ({ addedMs }) => [atMost('added until the first byte', addedMs, 1, ' ms')],
    run: (target) => streams(target, 1),
  },
]

const installed = values.portkey === undefined ? null : findPortkey(values.portkey)
const bed = await openBed()
const [key = ''] = await bed.makeKeys(1)
await liftDailyLimits(bed.database)
const upstream = await startNode('bench/router/stand-in-models.ts', [], OTHER_CORE, {})
const proxy = await startNode(
  'bench/router/bare-proxy.ts',
  [String(upstream.port)],
  SERVER_CORE,
  {},
)
const gateway = await bed.startGateway({
  UPSTREAM_LLM_URL: `http://127.0.0.1:${upstream.port}/v1`,
  UPSTREAM_LLM_KEY: 'bench',
})
const withKey = ({ port, pid }: Server): Target => ({
  port,
  pid,
  path: COMPLETION_PATH,
  headers: { authorization: `Bearer ${key}` },
})
let portkey: Portkey | null = null
try {
  portkey = installed === null ? null : await startPortkey(installed, upstream.port)
  await compare([withKey(proxy), withKey(gateway), ...(portkey === null ? [] : [portkey])])
  if ('memory'.includes(values.only)) {
    await measureMemory('bare proxy', withKey(proxy))
    await measureMemory('gateway', withKey(gateway))
  }
} finally {
  await portkey?.stop()
  await gateway.stop()
  await proxy.stop()
  await upstream.stop()
  await bed.close()
}

async function compare(targets: readonly Target[]): Promise<void> {
  process.stdout.write(
    `${ROUNDS} alternating rounds of ${SECONDS} s each; medians of the rounds. Times are medians: whole answers, and first bytes of streams.\n\n`,
  )
  process.stdout.write(
    line([
      'scenario',
      'bare/s',
      'paid/s',
      'ratio',
      'bare ms',
      'paid ms',
      'added ms',
      'bare µs',
      'paid µs',
      'db µs',
      'MiB',
    ]),
  )
  for (const scenario of SCENARIOS.filter(({ name }) => name.includes(values.only))) {
    for (const target of targets) await scenario.run(target)
    const rounds = targets.map((): Round[] => [])
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [place, target] of targets.entries())
        rounds[place]?.push(await measure(target, scenario))
    }
    const [bare = [], paid = [], others = []] = rounds
    report(scenario, bare, paid)
    if (portkey !== null) reportPortkey(portkey, scenario, others, paid)
  }
}

async function measure(target: Target, scenario: Scenario): Promise<Round> {
  const [before, databaseBefore] = [cpuMs(target.pid), bed.databaseCpuMs()]
  const result = await scenario.run(target)
  const perCall = (ms: number): number => (ms * 1000) / (result.perSecond * SECONDS)
  return {
    ...result,
    cpuMicros: perCall(cpuMs(target.pid) - before),
    databaseMicros: perCall(bed.databaseCpuMs() - databaseBefore),
  }
}

function of(rounds: readonly Round[], pick: (round: Round) => number): number {
  return median(rounds.map(pick))
}

function report({ name, musts }: Scenario, bare: readonly Round[], paid: readonly Round[]): void {
  const [bareRate, paidRate] = [
    of(bare, ({ perSecond }) => perSecond),
    of(paid, ({ perSecond }) => perSecond),
  ]
  const [bareMs, paidMs] = [
    of(bare, ({ medianMs }) => medianMs),
    of(paid, ({ medianMs }) => medianMs),
  ]
  const cells = [
    bareRate.toFixed(0),
    paidRate.toFixed(0),
    (paidRate / bareRate).toFixed(2),
    bareMs.toFixed(2),
    paidMs.toFixed(2),
    (paidMs - bareMs).toFixed(2),
  ]
  const mib = memoryMib(gateway.pid)
  process.stdout.write(
    line([
      name,
      ...cells,
      of(bare, ({ cpuMicros }) => cpuMicros).toFixed(0),
      of(paid, ({ cpuMicros }) => cpuMicros).toFixed(0),
      of(paid, ({ databaseMicros }) => databaseMicros).toFixed(0),
      mib.toFixed(0),
    ]),
  )
  for (const must of musts({ ratio: paidRate / bareRate, addedMs: paidMs - bareMs, mib }))
    checkMust(must)
  const failure = firstFailureOf(paid)
  if (failure !== null) process.stdout.write(`  a call failed: ${failure}\n`)
}

/** Returns the figures only if every call succeeded, because errors are quicker than answers. */
function reportPortkey(
  { pid, version }: Portkey,
  { name: scenario }: Scenario,
  rounds: readonly Round[],
  paid: readonly Round[],
): void {
  const name = `  Portkey ${version}`
  const failure = firstFailureOf(rounds)
  if (failure !== null) {
    process.stdout.write(`${name}: a call failed: ${failure}\n`)
    return
  }
  const rate = of(rounds, ({ perSecond }) => perSecond)
  const multiple = of(paid, ({ perSecond }) => perSecond) / rate
  const [medianMs, cpuMicros] = [
    of(rounds, (round) => round.medianMs),
    of(rounds, (round) => round.cpuMicros),
  ]
  process.stdout.write(
    `${name}: ${rate.toFixed(0)}/s (paid: ${multiple.toFixed(2)} times as many), ${medianMs.toFixed(2)} ms, ${cpuMicros.toFixed(0)} µs, ${memoryMib(pid).toFixed(0)} MiB\n`,
  )
  if (scenario === JSON_SCENARIO) checkMust(atLeast('of Portkey', multiple, LEAST_OF_PORTKEY))
}

function firstFailureOf(rounds: readonly Round[]): string | null {
  return rounds.find(({ failure }) => failure !== null)?.failure ?? null
}

/** A thousand streams of fifty events per second each, for five seconds. */
async function measureMemory(name: string, target: Target): Promise<void> {
  const { pid, port } = target
  const before = memoryMib(pid)
  const open = await openStreams(
    { port, request: ask(target, { stream: true, messages: [{ role: 'user', content: 'drip' }] }) },
    1000,
  )
  const figures: number[] = []
  for (let second = 0; second < 5; second += 1) {
    await new Promise((resume) => setTimeout(resume, 1_000))
    figures.push(memoryMib(pid))
  }
  open.close()
  process.stdout.write(
    `${name}, 1000 open streams: ${before.toFixed(0)} MiB before, then each second ${figures.map((mib) => mib.toFixed(0)).join(', ')} MiB\n`,
  )
  if (pid === gateway.pid)
    checkMust(atMost('memory', Math.max(...figures), MOST_MIB.openStreams, ' MiB'))
}

function line([first = '', ...rest]: readonly string[]): string {
  return `${first.padEnd(32)}${rest.map((cell) => cell.padStart(10)).join('')}\n`
}
