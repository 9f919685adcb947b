/**
 * `node bench/router.ts`: paid router calls, whole and streamed, against a bare proxy to the same upstream, in turns
 * within one run; then memory under open streams. docs/benchmarks.md says how to read it.
 *
 * Options: --seconds 3 (a measurement), --rounds 3, --only <text>
 */
import { parseArgs } from 'node:util'
import { cpuMs, memoryMib, openBed, OTHER_CORE, SERVER_CORE, startNode, type Server } from './gateway/bed.ts'
import { closedLoop, httpPost } from './gateway/load.ts'
import { median, openStreams, streamLoop } from './router/stream-load.ts'

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '3' }, rounds: { type: 'string', default: '3' }, only: { type: 'string', default: '' } } })
const SECONDS = Number(values.seconds)
const ROUNDS = Number(values.rounds)
const PATH = '/api/llm/v1/chat/completions'
const QUESTION = { model: 'bench/model', max_tokens: 100, messages: [{ role: 'system', content: 'You answer in one sentence.' }, { role: 'user', content: 'How do group commits make a ledger faster?' }] }

type Round = { readonly perSecond: number; readonly medianMs: number; readonly cpuMicros: number; readonly databaseMicros: number; readonly failure: string | null }
type Figures = Omit<Round, 'cpuMicros' | 'databaseMicros'>
type Scenario = { readonly name: string; readonly goal: string; readonly run: (port: number, key: string) => Promise<Figures> }

function ask(port: number, key: string, more: object): Buffer {
  return httpPost(port, PATH, { authorization: `Bearer ${key}` }, JSON.stringify({ ...QUESTION, ...more }))
}

async function wholes(port: number, key: string, inFlight: number): Promise<Figures> {
  const { perSecond, medianMs, firstFailure } = await closedLoop({ port, requests: [ask(port, key, {})] }, { inFlight, seconds: SECONDS })
  return { perSecond, medianMs, failure: firstFailure }
}

async function streams(port: number, key: string, open: number): Promise<Figures> {
  const { perSecond, firstByteMs, firstFailure } = await streamLoop({ port, request: ask(port, key, { stream: true }) }, { open, seconds: SECONDS })
  return { perSecond, medianMs: firstByteMs, failure: firstFailure }
}

const SCENARIOS: readonly Scenario[] = [
  { name: 'JSON, 64 in flight', goal: 'ratio >= 0.55', run: (port, key) => wholes(port, key, 64) },
  { name: 'JSON, one at a time', goal: '(no goal)', run: (port, key) => wholes(port, key, 1) },
  { name: 'streams of 50 events, 64 open', goal: 'ratio >= 0.90', run: (port, key) => streams(port, key, 64) },
  { name: 'streams, one at a time', goal: 'first byte + <= 1 ms', run: (port, key) => streams(port, key, 1) },
]

const bed = await openBed()
const [key = ''] = await bed.makeKeys(1)
// The day of the one account that makes all calls must not end the run.
await bed.database.query('insert into inference_days (wallet_id, day, cap_micros) select id, 0, 1000000000000000 from wallets')
const upstream = await startNode('bench/router/stand-in-models.ts', [], OTHER_CORE, {})
const proxy = await startNode('bench/router/bare-proxy.ts', [String(upstream.port)], SERVER_CORE, {})
const gateway = await bed.startGateway({ UPSTREAM_LLM_URL: `http://127.0.0.1:${upstream.port}/v1`, UPSTREAM_LLM_KEY: 'bench' })
try {
  await compare()
  if ('memory'.includes(values.only)) {
    await measureMemory('bare proxy', proxy)
    await measureMemory('gateway', gateway)
  }
} finally {
  await gateway.stop()
  await proxy.stop()
  await upstream.stop()
  await bed.close()
}

async function compare(): Promise<void> {
  process.stdout.write(`${ROUNDS} rounds of ${SECONDS} s each, in turns; medians of the rounds. Times are medians: whole answers, and first bytes of streams.\n\n`)
  process.stdout.write(line(['scenario', 'bare/s', 'paid/s', 'ratio', 'bare ms', 'paid ms', 'added ms', 'bare µs', 'paid µs', 'db µs', 'MiB', 'goal']))
  for (const scenario of SCENARIOS.filter(({ name }) => name.includes(values.only))) {
    await scenario.run(proxy.port, key)
    await scenario.run(gateway.port, key)
    const [bare, paid]: [Round[], Round[]] = [[], []]
    for (let round = 0; round < ROUNDS; round += 1) {
      bare.push(await measure(proxy, scenario))
      paid.push(await measure(gateway, scenario))
    }
    report(scenario, bare, paid)
  }
}

async function measure({ pid, port }: Server, scenario: Scenario): Promise<Round> {
  const [before, databaseBefore] = [cpuMs(pid), bed.databaseCpuMs()]
  const result = await scenario.run(port, key)
  const perCall = (ms: number): number => (ms * 1000) / (result.perSecond * SECONDS)
  return { ...result, cpuMicros: perCall(cpuMs(pid) - before), databaseMicros: perCall(bed.databaseCpuMs() - databaseBefore) }
}

function report({ name, goal }: Scenario, bare: readonly Round[], paid: readonly Round[]): void {
  const of = (rounds: readonly Round[], pick: (round: Round) => number): number => median(rounds.map(pick))
  const [bareRate, paidRate] = [of(bare, ({ perSecond }) => perSecond), of(paid, ({ perSecond }) => perSecond)]
  const [bareMs, paidMs] = [of(bare, ({ medianMs }) => medianMs), of(paid, ({ medianMs }) => medianMs)]
  const cells = [bareRate.toFixed(0), paidRate.toFixed(0), (paidRate / bareRate).toFixed(2), bareMs.toFixed(2), paidMs.toFixed(2), (paidMs - bareMs).toFixed(2)]
  process.stdout.write(line([name, ...cells, of(bare, ({ cpuMicros }) => cpuMicros).toFixed(0), of(paid, ({ cpuMicros }) => cpuMicros).toFixed(0), of(paid, ({ databaseMicros }) => databaseMicros).toFixed(0), memoryMib(gateway.pid).toFixed(0), goal]))
  const failure = paid.find((round) => round.failure !== null)?.failure
  if (failure !== undefined && failure !== null) process.stdout.write(`  a call failed: ${failure}\n`)
}

/** A thousand streams at fifty events a second each, for five seconds. */
async function measureMemory(name: string, { pid, port }: Server): Promise<void> {
  const before = memoryMib(pid)
  const open = await openStreams({ port, request: ask(port, key, { stream: true, messages: [{ role: 'user', content: 'drip' }] }) }, 1000)
  const figures: number[] = []
  for (let second = 0; second < 5; second += 1) {
    await new Promise((resume) => setTimeout(resume, 1_000))
    figures.push(memoryMib(pid))
  }
  open.close()
  process.stdout.write(`${name}, 1000 open streams: ${before.toFixed(0)} MiB before, then each second ${figures.map((mib) => mib.toFixed(0)).join(', ')} MiB\n`)
}

function line([first = '', ...rest]: readonly string[]): string {
  return `${first.padEnd(32)}${rest.map((cell, place) => (place === rest.length - 1 ? `  ${cell}` : cell.padStart(10))).join('')}\n`
}
