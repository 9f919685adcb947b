/**
 * CPU of PostgreSQL per paid call when three gateways share a database, against one gateway with as many calls in flight.
 *
 * Run: npx node bench/processes.ts [--seconds 10] [--rounds 3] [--in-flight 192]
 */
import { parseArgs } from 'node:util'
import { openBed, type Server } from './gateway/bed.ts'
import { closedLoop, httpPost } from './gateway/load.ts'
import { SEARCH } from './gateway/requests.ts'
import { atMost, checkMust } from './must.ts'
import { median } from './router/stream-load.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '3' },
    'in-flight': { type: 'string', default: '192' },
  },
})
const PROCESSES = 3
const ACCOUNTS = 100
// Gateways look every 5 seconds how many share the database.
const WARM_SECONDS = 6
const seconds = Number(values.seconds)
const inFlight = Number(values['in-flight'])

const bed = await openBed()
const gateways: Server[] = []
try {
  const keys = await bed.makeKeys(ACCOUNTS)
  const targetOf = ({ port }: Server) => ({
    port,
    requests: keys.map((key) =>
      httpPost(port, SEARCH.path, { authorization: `Bearer ${key}` }, SEARCH.body),
    ),
  })
  const load = (servers: readonly Server[], duration: number) =>
    Promise.all(
      servers.map((server) =>
        closedLoop(targetOf(server), {
          inFlight: Math.ceil(inFlight / servers.length),
          seconds: duration,
        }),
      ),
    )
  const run = async (servers: readonly Server[], duration: number): Promise<number> => {
    await load(servers, WARM_SECONDS)
    const before = bed.databaseCpuMs()
    const loads = await load(servers, duration)
    const calls = loads.reduce((sum, { perSecond }) => sum + perSecond * duration, 0)
    return ((bed.databaseCpuMs() - before) * 1000) / calls
  }
  for (let count = 0; count < PROCESSES; count += 1) gateways.push(await bed.startGateway())
  const ratios: number[] = []
  for (let round = 0; round < Number(values.rounds); round += 1) {
    const one = await run(gateways.slice(0, 1), seconds)
    const all = await run(gateways, seconds)
    ratios.push(all / one)
    process.stdout.write(
      `database: ${one.toFixed(0)} µs a call of one gateway, ${all.toFixed(0)} of three\n`,
    )
  }
  checkMust(atMost('three gateways, relative to one', median(ratios), 1.5))
} finally {
  await Promise.all(gateways.map((gateway) => gateway.stop()))
  await bed.close()
}
