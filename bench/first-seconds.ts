/**
 * Paid calls in the first five seconds after "ready" against those of the same gateway when it is warm, with 64 in flight.
 *
 * Run: npx node bench/first-seconds.ts [--starts 3] [--warm 60000]
 */
import { parseArgs } from 'node:util'
import { openBed } from './gateway/bed.ts'
import { closedLoop, httpPost } from './gateway/load.ts'
import { measureRound, type Round } from './gateway/measure-round.ts'
import { SEARCH } from './gateway/requests.ts'
import { atLeast, checkMust } from './must.ts'
import { median } from './router/stream-load.ts'

const { values } = parseArgs({
  options: {
    starts: { type: 'string', default: '3' },
    warm: { type: 'string', default: '60000' },
  },
})
const FIRST_SECONDS = 5
/** A gateway reaches its speed after about this many calls. */
const WARM_CALLS = Number(values.warm)

const bed = await openBed()
try {
  const [key = ''] = await bed.makeKeys(1)
  const rates: number[] = []
  const costs: number[] = []
  for (let start = 0; start < Number(values.starts); start += 1) {
    const gateway = await bed.startGateway()
    const authorization = `Bearer ${key}`
    const request = httpPost(gateway.port, SEARCH.path, { authorization }, SEARCH.body)
    const run = (seconds: number): Promise<Round> =>
      measureRound(bed, gateway, seconds, (duration) =>
        closedLoop(
          { port: gateway.port, requests: [request] },
          { inFlight: 64, seconds: duration },
        ),
      )
    const first = await run(FIRST_SECONDS)
    for (let calls = 0; calls < WARM_CALLS;) calls += (await run(1)).perSecond
    const warm = await run(FIRST_SECONDS)
    await gateway.stop()
    rates.push(first.perSecond / warm.perSecond)
    costs.push(first.serverMicros / warm.serverMicros)
    process.stdout.write(
      `calls a second ${first.perSecond.toFixed(0)}, then ${warm.perSecond.toFixed(0)}; CPU ${first.serverMicros.toFixed(0)}, then ${warm.serverMicros.toFixed(0)} µs a call\n`,
    )
  }
  process.stdout.write(`CPU of the first seconds relative to later ${median(costs).toFixed(2)}\n`)
  checkMust(atLeast('calls of the first seconds, of the later rate', median(rates), 0.8))
} finally {
  await bed.close()
}
