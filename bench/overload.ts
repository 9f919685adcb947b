/**
 * `npx node bench/overload.ts`: paid calls at twice the capacity, independent of response times (open loop), next to an
 * account with four calls in flight. Prints the capacity, the outcomes of admitted and rejected calls, the memory
 * and the recovery time, each with its target.
 *
 * Options: --rounds 3, --seconds 5 (of overload in each), --times 2 (the capacity)
 */
import { parseArgs } from 'node:util'
import { memoryMib, openBed } from './gateway/bed.ts'
import { closedLoop, httpPost, openLoop, type LoadResult, type LoadTarget } from './gateway/load.ts'
import { atMost, checkMust } from './must.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '5' },
    times: { type: 'string', default: '2' },
  },
})
const SECONDS = Number(values.seconds)
const ROUNDS = Number(values.rounds)
const TIMES = Number(values.times)
const BODY = '{"query":"how do group commits make a ledger faster"}'
const CONNECTIONS = 6_000
const VENDOR_MS = 20
const POLITE_IN_FLIGHT = 4
const WARM_UP_SECONDS = 3
const PROBE_SECONDS = 0.25
const MUSTS = { p99Ms: 1_000, maxMs: 3_000, memoryMib: 400, recoveredMs: 2_000 }
const REJECTION = /^HTTP\/1\.1 503[\s\S]*\r\nRetry-After: \d/i

const bed = await openBed({ vendorMs: VENDOR_MS })
const keys = await bed.makeKeys(50)
const gateway = await bed.startGateway()
try {
  const requests = keys.map((key) =>
    httpPost(gateway.port, '/api/run/semantic/search', { authorization: `Bearer ${key}` }, BODY),
  )
  const [polite, ...others] = requests
  await measure(
    { port: gateway.port, requests: others },
    { port: gateway.port, requests: polite === undefined ? [] : [polite] },
  )
} finally {
  await gateway.stop()
  await bed.close()
}

type Round = {
  readonly p99Ms: number
  readonly maxMs: number
  readonly memoryMib: number
  /** Share of rejected calls: of all, and of the polite account. */
  readonly rejected: number
  readonly politeRejected: number
  readonly recoveredMs: number
  readonly rejection: string
}

/** Capacity is measured right before and after each round, because the speed of a shared machine drifts. */
async function measure(target: LoadTarget, polite: LoadTarget): Promise<void> {
  await closedLoop(target, { inFlight: 64, seconds: WARM_UP_SECONDS })
  const rounds: Round[] = []
  let before = await capacityOf(target)
  for (let round = 0; round < ROUNDS; round += 1) {
    const quiet = await closedLoop(target, { inFlight: 16, seconds: 1 })
    const perSecond = Math.round(before * TIMES)
    const loading = openLoop(target, {
      perSecond,
      seconds: SECONDS,
      connections: CONNECTIONS,
      givesUp: true,
    })
    const [loaded, calm] = await Promise.all([
      loading,
      closedLoop(polite, { inFlight: POLITE_IN_FLIGHT, until: loading }),
    ])
    const memory = memoryMib(gateway.pid)
    const recoveredMs = await recovery(target, quiet.medianMs)
    const after = await capacityOf(target)
    say(
      `round ${round + 1}: capacity ${before.toFixed(0)} and ${after.toFixed(0)} calls/s, offered ${perSecond}.`,
    )
    say(
      `  admitted ${loaded.perSecond.toFixed(0)}/s, p50 ${loaded.medianMs.toFixed(0)} ms, p99 ${loaded.p99Ms.toFixed(0)} ms, max ${loaded.maxMs.toFixed(0)} ms. Rejected ${(loaded.failures / SECONDS).toFixed(0)}/s, not sent because no connection was free ${(loaded.unsent / SECONDS).toFixed(0)}/s; memory ${memory.toFixed(0)} MiB.`,
    )
    say(
      `  polite account ${calm.perSecond.toFixed(0)}/s, p99 ${calm.p99Ms.toFixed(0)} ms, ${calm.failures} rejected`,
    )
    rounds.push({
      p99Ms: loaded.p99Ms,
      maxMs: loaded.maxMs,
      memoryMib: memory,
      rejected: rejectedShare(loaded),
      politeRejected: rejectedShare(calm),
      recoveredMs,
      rejection: loaded.firstFailure ?? '',
    })
    before = after
  }
  const middle = (of: (one: Round) => number): number => median(rounds.map(of))
  checkMust(
    atMost(
      'p99 of admitted calls',
      middle((one) => one.p99Ms),
      MUSTS.p99Ms,
      ' ms',
    ),
  )
  checkMust(
    atMost(
      'slowest admitted call',
      Math.max(...rounds.map((one) => one.maxMs)),
      MUSTS.maxMs,
      ' ms',
    ),
  )
  checkMust(
    atMost('memory', Math.max(...rounds.map((one) => one.memoryMib)), MUSTS.memoryMib, ' MiB'),
  )
  checkMust(
    atMost(
      'rejected share of the polite account, against that of all',
      middle((one) => one.politeRejected),
      middle((one) => one.rejected),
    ),
  )
  checkMust({
    name: 'rejections',
    measured: rounds[0]?.rejection.split('\r\n')[0] ?? '',
    isMet: rounds.every(({ rejection }) => REJECTION.test(rejection)),
    wanted: '503 with Retry-After',
  })
  checkMust(
    atMost(
      'normal again after',
      middle((one) => one.recoveredMs),
      MUSTS.recoveredMs,
      ' ms',
    ),
  )
}

async function capacityOf(target: LoadTarget): Promise<number> {
  return (await closedLoop(target, { inFlight: 256, seconds: SECONDS })).perSecond
}

/** Milliseconds from the end of the overload until calls are about as quick as before and no call is rejected. */
async function recovery(target: LoadTarget, quietMs: number): Promise<number> {
  const endedMs = performance.now()
  while (performance.now() - endedMs < 5 * MUSTS.recoveredMs) {
    const probe = await closedLoop(target, { inFlight: 16, seconds: PROBE_SECONDS })
    if (probe.failures === 0 && probe.medianMs <= 2 * quietMs) return performance.now() - endedMs
  }
  return Number.POSITIVE_INFINITY
}

function rejectedShare({ failures, perSecond }: LoadResult): number {
  const served = perSecond * SECONDS
  return failures / Math.max(1, failures + served)
}

function median(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? Number.NaN
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
