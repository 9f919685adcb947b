/**
 * Paid calls over more accounts than the gateway remembers keys of, relative to 1000 accounts, and the account's own
 * lists with a history of a million calls.
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
const gateway = await bed.startGateway({ RATE_LIMIT_PER_MINUTE: '1000000000' })
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
  await run(few)
  const ratios: number[][] = [[], []]
  for (let round = 0; round < Number(values.rounds); round += 1) {
    const [small, large] = [await run(few), await run(requests)]
    ratios[0]?.push(large.serverMicros / small.serverMicros)
    ratios[1]?.push(large.databaseMicros / small.databaseMicros)
  }
  const [server = [], database = []] = ratios
  process.stdout.write(
    `CPU per call over ${keys.length} accounts, relative to ${FEW}: gateway ${median(server).toFixed(2)}, database ${median(database).toFixed(2)}\n`,
  )
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
