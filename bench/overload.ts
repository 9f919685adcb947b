/**
 * `npx node bench/overload.ts`: paid calls at five times the capacity, independent of response times (open loop). Prints
 * the capacity, the outcomes of admitted and rejected calls, and the recovery time, each with its target.
 *
 * Options: --rounds 3, --seconds 5 (of overload in each), --times 5 (the capacity)
 */
import { parseArgs } from 'node:util'
import { memoryMib, openBed } from './gateway/bed.ts'
import { closedLoop, httpPost, openLoop, type LoadTarget } from './gateway/load.ts'
import { atLeast, atMost, checkMust } from './must.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '5' },
    times: { type: 'string', default: '5' },
  },
})
const SECONDS = Number(values.seconds)
const ROUNDS = Number(values.rounds)
const TIMES = Number(values.times)
const BODY = '{"query":"how do group commits make a ledger faster"}'
const CONNECTIONS = 3_000
const WARM_UP_SECONDS = 3
const PROBE_SECONDS = 0.25
const MUSTS = { p99Ms: 1_000, goodput: 0.9, recoveredMs: 2_000 }
const REJECTION = /^HTTP\/1\.1 503[\s\S]*\r\nRetry-After: \d/i

const bed = await openBed()
const keys = await bed.makeKeys(50)
const gateway = await bed.startGateway()
try {
  const requests = keys.map((key) =>
    httpPost(gateway.port, '/api/run/semantic/search', { authorization: `Bearer ${key}` }, BODY),
  )
  await measure({ port: gateway.port, requests })
} finally {
  await gateway.stop()
  await bed.close()
}

type Round = {
  readonly p99Ms: number
  readonly goodput: number
  readonly recoveredMs: number
  readonly rejection: string
}

/** Capacity is measured right before and after each round, because the speed of a shared machine drifts. */
async function measure(target: LoadTarget): Promise<void> {
  await closedLoop(target, { inFlight: 64, seconds: WARM_UP_SECONDS })
  const rounds: Round[] = []
  let before = await capacityOf(target)
  for (let round = 0; round < ROUNDS; round += 1) {
    const quiet = await closedLoop(target, { inFlight: 16, seconds: 1 })
    const perSecond = Math.round(before * TIMES)
    const loaded = await openLoop(target, {
      perSecond,
      seconds: SECONDS,
      connections: CONNECTIONS,
      givesUp: true,
    })
    const recoveredMs = await recovery(target, quiet.medianMs)
    const after = await capacityOf(target)
    const goodput = loaded.perSecond / ((before + after) / 2)
    say(
      `round ${round + 1}: capacity ${before.toFixed(0)} and ${after.toFixed(0)} calls/s, offered ${perSecond}; admitted ${loaded.perSecond.toFixed(0)}/s, p50 ${loaded.medianMs.toFixed(0)} ms, p99 ${loaded.p99Ms.toFixed(0)} ms; rejected ${(loaded.failures / SECONDS).toFixed(0)}/s, not sent because no connection was free ${(loaded.unsent / SECONDS).toFixed(0)}/s; ${memoryMib(gateway.pid).toFixed(0)} MiB`,
    )
    rounds.push({ p99Ms: loaded.p99Ms, goodput, recoveredMs, rejection: loaded.firstFailure ?? '' })
    before = after
  }
  const [p99Ms, goodput, recoveredMs] = [
    median(rounds.map((one) => one.p99Ms)),
    median(rounds.map((one) => one.goodput)),
    median(rounds.map((one) => one.recoveredMs)),
  ]
  checkMust(atMost('p99 of admitted calls', p99Ms, MUSTS.p99Ms, ' ms'))
  checkMust(atLeast('served, of the capacity', goodput, MUSTS.goodput))
  checkMust({
    name: 'rejections',
    measured: rounds[0]?.rejection.split('\r\n')[0] ?? '',
    isMet: rounds.every(({ rejection }) => REJECTION.test(rejection)),
    wanted: '503 with Retry-After',
  })
  checkMust(atMost('normal again after', recoveredMs, MUSTS.recoveredMs, ' ms'))
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

function median(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? Number.NaN
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
