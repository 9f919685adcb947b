/**
 * `npx node bench/memory.ts`: the live heap of a gateway after its start, and its peak memory under paid calls, router
 * calls and router streams, one load after the other in one process. docs/benchmarks.md explains the output.
 *
 * Options: --seconds 10 (a load), --starts 3
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import {
  cpuMs,
  liftDailyLimits,
  memoryMib,
  openBed,
  OTHER_CORE,
  startNode,
  type Server,
} from './gateway/bed.ts'
import { closedLoop, httpPost } from './gateway/load.ts'
import { COMPLETION_PATH, QUESTION, SEARCH } from './gateway/requests.ts'
import { atMost, checkMust } from './must.ts'
import { median, openStreams, streamLoop } from './router/stream-load.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    starts: { type: 'string', default: '3' },
  },
})
const SECONDS = Number(values.seconds)
const IN_FLIGHT = 64
const MOST_MIB = { start: 180, paid: 240, router: 260, openStreams: 320 }
const OPEN_STREAMS = 1_000
const HEAP_WITHIN_MS = 20_000
const HEAP_FILE = join(tmpdir(), `tollgate-heap-${process.pid}`)

const bed = await openBed()
const [key = ''] = await bed.makeKeys(1)
await liftDailyLimits(bed.database)
const upstream = await startNode('bench/router/stand-in-models.ts', [], OTHER_CORE, {})
const start = (): Promise<Server> =>
  bed.startGateway({
    UPSTREAM_LLM_URL: `http://127.0.0.1:${upstream.port}/v1`,
    UPSTREAM_LLM_KEY: 'bench',
    NODE_OPTIONS: `--import=${new URL('gateway/report-heap.ts', import.meta.url).href}`,
    HEAP_FILE,
  })
// The first start compiles the modules for the following ones, as with the launcher.
await (await start()).stop()
const starts: { readonly ms: number; readonly cpuMs: number }[] = []
let gateway = await timeStart()
try {
  for (let more = Number(values.starts) - 1; more > 0; more -= 1) {
    await gateway.stop()
    gateway = await timeStart()
  }
  const [ms, cpu] = [median(starts.map((one) => one.ms)), median(starts.map((one) => one.cpuMs))]
  print('start until ready, median', `${ms.toFixed(0)} ms, ${cpu.toFixed(0)} ms of CPU`)
  const started = memoryMib(gateway.pid)
  print('memory after the start', `${started.toFixed(0)} MiB`)
  checkMust(atMost('memory', started, MOST_MIB.start, ' MiB'))
  print('live heap after the start', `${(await liveHeapMib()).toFixed(1)} MiB`)
  await peakUnder('paid calls', MOST_MIB.paid, () => loop(SEARCH.path, SEARCH.body))
  await peakUnder('router, JSON', MOST_MIB.router, () =>
    loop(COMPLETION_PATH, JSON.stringify(QUESTION)),
  )
  await peakUnder('router, streams of 50 events', MOST_MIB.router, () =>
    streamLoop(streamTarget({}), { open: IN_FLIGHT, seconds: SECONDS }),
  )
  await peakUnder(`router, ${OPEN_STREAMS} open streams`, MOST_MIB.openStreams, async () => {
    const streams = await openStreams(streamTarget({ user: 'drip' }), OPEN_STREAMS)
    await delay(SECONDS * 1000)
    streams.close()
    return { firstFailure: null }
  })
  print('live heap after the loads', `${(await liveHeapMib()).toFixed(1)} MiB`)
} finally {
  await gateway.stop()
  await upstream.stop()
  await bed.close()
  rmSync(HEAP_FILE, { force: true })
}

async function timeStart(): Promise<Server> {
  const startedMs = performance.now()
  const server = await start()
  starts.push({ ms: performance.now() - startedMs, cpuMs: cpuMs(server.pid) })
  return server
}

function post(path: string, body: string): Buffer {
  return httpPost(gateway.port, path, { authorization: `Bearer ${key}` }, body)
}

function loop(path: string, body: string) {
  return closedLoop(
    { port: gateway.port, requests: [post(path, body)] },
    { inFlight: IN_FLIGHT, seconds: SECONDS },
  )
}

function streamTarget(more: object) {
  const body = JSON.stringify({ ...QUESTION, ...more, stream: true })
  return { port: gateway.port, request: post(COMPLETION_PATH, body) }
}

/** The highest resident memory during a load, from the kernel, which forgets earlier peaks first. */
async function peakUnder(
  name: string,
  most: number,
  load: () => Promise<{ readonly firstFailure: string | null }>,
): Promise<void> {
  writeFileSync(`/proc/${gateway.pid}/clear_refs`, '5')
  const { firstFailure } = await load()
  const status = readFileSync(`/proc/${gateway.pid}/status`, 'utf8')
  const peak = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024
  print(`peak under: ${name}`, `${peak.toFixed(0)} MiB`)
  if (firstFailure !== null) process.stdout.write(`  a call failed: ${firstFailure}\n`)
  checkMust(atMost('memory', peak, most, ' MiB'))
}

/** The size of the heap after a full garbage collection. */
async function liveHeapMib(): Promise<number> {
  rmSync(HEAP_FILE, { force: true })
  process.kill(gateway.pid, 'SIGUSR2')
  for (let waitedMs = 0; waitedMs < HEAP_WITHIN_MS; waitedMs += 100) {
    await delay(100)
    const text = readReport()
    if (text.endsWith('\n')) return Number(text) / 2 ** 20
  }
  throw new Error('The gateway did not report its heap.')
}

function readReport(): string {
  try {
    return readFileSync(HEAP_FILE, 'utf8')
  } catch {
    return ''
  }
}

function print(name: string, figure: string): void {
  process.stdout.write(`${name.padEnd(44)}${figure}\n`)
}
