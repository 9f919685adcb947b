/**
 * The cost of a call as a tool of /mcp, compared with the same call over HTTP: same gateway, key and vendor, alternating.
 *
 * Options: --seconds 3 (a measurement), --rounds 3
 */
import { parseArgs } from 'node:util'
import { cpuMs, openBed } from './gateway/bed.ts'
import { closedLoop, httpPost, type LoadResult } from './gateway/load.ts'

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '3' }, rounds: { type: 'string', default: '3' } },
})
const SECONDS = Number(values.seconds)
const ROUNDS = Number(values.rounds)
const WANTED = 1.3

const input = { query: 'how do group commits make a ledger faster' }
const message = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: {
    name: 'run',
    arguments: { service: 'semantic', action: 'search', params: input },
    _meta: { progressToken: 1 },
  },
}

type Round = LoadResult & { readonly cpuMicros: number }

const bed = await openBed()
const gateway = await bed.startGateway()
try {
  const [key = ''] = await bed.makeKeys(1)
  const headers = { authorization: `Bearer ${key}` }
  const overHttp = [
    httpPost(gateway.port, '/api/run/semantic/search', headers, JSON.stringify(input)),
  ]
  const overMcp = [
    httpPost(
      gateway.port,
      '/mcp',
      {
        ...headers,
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-11-25',
      },
      JSON.stringify(message),
    ),
  ]
  for (const inFlight of [1, 64]) {
    const measure = async (requests: readonly Buffer[], seconds = SECONDS): Promise<Round> => {
      const before = cpuMs(gateway.pid)
      const result = await closedLoop({ port: gateway.port, requests }, { inFlight, seconds })
      return {
        ...result,
        cpuMicros: ((cpuMs(gateway.pid) - before) * 1000) / (result.perSecond * seconds),
      }
    }
    await measure(overHttp, 2)
    await measure(overMcp, 2)
    const http: Round[] = []
    const mcp: Round[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      http.push(await measure(overHttp))
      mcp.push(await measure(overMcp))
    }
    report(inFlight, http, mcp)
  }
} finally {
  await gateway.stop()
  await bed.close()
}

function report(inFlight: number, http: readonly Round[], mcp: readonly Round[]): void {
  const middle = (rounds: readonly Round[], figure: (round: Round) => number): number =>
    rounds.map(figure).toSorted((a, b) => a - b)[Math.floor(rounds.length / 2)] ?? Number.NaN
  const compare = (
    name: string,
    digits: number,
    figure: (round: Round) => number,
    ratio: (a: number, b: number) => number,
  ): void => {
    const [overHttp, overMcp] = [middle(http, figure), middle(mcp, figure)]
    process.stdout.write(
      `  ${name.padEnd(22)} HTTP ${overHttp.toFixed(digits).padStart(8)}   MCP ${overMcp.toFixed(digits).padStart(8)}   ratio ${ratio(overHttp, overMcp).toFixed(2)}\n`,
    )
  }
  const failures = [...http, ...mcp].reduce((sum, round) => sum + round.failures, 0)
  process.stdout.write(
    `${inFlight} in flight, ${ROUNDS} rounds of ${SECONDS} s each, medians; wanted: time per call at most ${WANTED}; ${failures} failures ${[...http, ...mcp].find(({ firstFailure }) => firstFailure !== null)?.firstFailure ?? ''}\n`,
  )
  compare(
    'median latency, ms',
    3,
    ({ medianMs }) => medianMs,
    (a, b) => b / a,
  )
  compare(
    'time per call, µs',
    1,
    ({ perSecond }) => 1e6 / perSecond,
    (a, b) => b / a,
  )
  compare(
    'CPU per call, µs',
    1,
    ({ cpuMicros }) => cpuMicros,
    (a, b) => b / a,
  )
}
