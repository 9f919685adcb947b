/**
 * Paid calls over many accounts relative to 1000, first the first calls of each account and then later ones, and an
 * account's own lists with a history of a million calls. A gateway remembers 20,000 keys for 30 seconds.
 *
 * Run: npx node bench/many-accounts.ts [--accounts 10000] [--seconds 5] [--rounds 3] [--history 1000000]
 */
import { parseArgs } from 'node:util'
import { openBed } from './gateway/bed.ts'
import { fillHistory } from './gateway/fill-history.ts'
import { closedLoop, httpPost } from './gateway/load.ts'
import { measureRound } from './gateway/measure-round.ts'
import { SEARCH } from './gateway/requests.ts'
import { median } from './router/stream-load.ts'

const { values } = parseArgs({
  options: {
    accounts: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
    history: { type: 'string', default: '1000000' },
  },
})
const FEW = 1_000
const IN_FLIGHT = 64
const REQUESTS = 5
const LISTS = [
  '/api/v1/balance',
  '/api/v1/transactions?limit=100',
  '/api/v1/calls?limit=100',
  '/api/v1/spending',
]

const bed = await openBed()
const gateway = await bed.startGateway()
try {
  const keys = await bed.makeKeys(Number(values.accounts))
  const requests = keys.map((key) =>
    httpPost(gateway.port, SEARCH.path, { authorization: `Bearer ${key}` }, SEARCH.body),
  )
  const few = requests.slice(0, FEW)
  const run = (some: readonly Buffer[]) =>
    measureRound(bed, gateway, Number(values.seconds), (seconds) =>
      closedLoop({ port: gateway.port, requests: [...some] }, { inFlight: IN_FLIGHT, seconds }),
    )
  const compare = async (): Promise<readonly [server: number, database: number]> => {
    const [small, large] = [await run(few), await run(requests)]
    calls += large.perSecond * Number(values.seconds)
    return [large.serverMicros / small.serverMicros, large.databaseMicros / small.databaseMicros]
  }
  const report = (what: string, [server, database]: readonly number[]): void =>
    void process.stdout.write(
      `${what} of ${keys.length} accounts, CPU per call relative to ${FEW}: gateway ${server?.toFixed(2)}, database ${database?.toFixed(2)}\n`,
    )
  let calls = 0
  await run(few)
  while (calls < keys.length) report('first calls', await compare())
  for (let round = 0; round < Number(values.rounds); round += 1)
    report('later calls', await compare())
  await fillHistory(bed.database, Number(values.history))
  for (const path of LISTS)
    process.stdout.write(`GET ${path}: ${(await timeOf(path, keys[0] ?? '')).toFixed(1)} ms\n`)
} finally {
  await gateway.stop()
  await bed.close()
}

/** The median time of a few requests in milliseconds. */
async function timeOf(path: string, key: string): Promise<number> {
  const times: number[] = []
  for (let count = 0; count < REQUESTS; count += 1) {
    const startMs = performance.now()
    const response = await fetch(`http://127.0.0.1:${gateway.port}${path}`, {
      headers: { authorization: `Bearer ${key}` },
    })
    await response.arrayBuffer()
    if (!response.ok) throw new Error(`${path} answers ${response.status}`)
    times.push(performance.now() - startMs)
  }
  return median(times)
}
