/**
 * The test bed and a gateway of the checkout in the given folder, for bench/versions.ts. Each line of input gets a line with the
 * calls and the CPU time so far. `paid 1000` starts a load of paid calls of 1000 accounts, `router 1` one of router calls.
 * `stop` ends it.
 */
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type * as beds from './bed.ts'
import { cpuMs, cpuMsBelow, liftDailyLimits, OTHER_CORE, parentOf, startNode } from './bed.ts'
import { closedLoop, httpPost } from './load.ts'
import { COMPLETION_PATH, QUESTION, SEARCH } from './requests.ts'

const IN_FLIGHT = 64
const LOADS = new Map([
  ['paid', SEARCH],
  ['router', { path: COMPLETION_PATH, body: JSON.stringify(QUESTION) }],
])

const [folder = '', most = '1'] = process.argv.slice(2)
const { openBed }: typeof beds = await import(join(folder, 'bench/gateway/bed.ts'))
const bed = await openBed()
const keys = await bed.makeKeys(Number(most))
await liftDailyLimits(bed.database)
const models = await startNode('bench/router/stand-in-models.ts', [], OTHER_CORE, {})
const gateway = await bed.startGateway({
  UPSTREAM_LLM_URL: `http://127.0.0.1:${models.port}/v1`,
  UPSTREAM_LLM_KEY: 'bench',
})
const { rows } = await bed.database.query<{ pid: number }>('select pg_backend_pid() as pid')
const postmaster = parentOf(Number(rows[0]?.pid))
const FIRST_IN_FLIGHT = 8
const FIRST_SECONDS = 5
let calls = 0
let end = Promise.withResolvers<void>()
let loading = Promise.resolve()
printUsed()
for await (const line of createInterface({ input: process.stdin })) {
  const [kind = '', accounts] = line.split(' ')
  const request = LOADS.get(kind)
  if (request !== undefined) loading = load(request, Number(accounts))
  if (line === 'stop') {
    end.resolve()
    await loading
  }
  printUsed()
}
await gateway.stop()
await models.stop()
await bed.close()

async function load({ path, body }: typeof SEARCH, accounts: number): Promise<void> {
  end = Promise.withResolvers()
  const requests = keys
    .slice(0, accounts)
    .map((key) => httpPost(gateway.port, path, { authorization: `Bearer ${key}` }, body))
  const target = { port: gateway.port, requests }
  // A cold gateway would reject some of many calls as overloaded.
  await closedLoop(target, { inFlight: FIRST_IN_FLIGHT, seconds: FIRST_SECONDS })
  const { failures, firstFailure } = await closedLoop(target, {
    inFlight: IN_FLIGHT,
    until: end.promise,
    onAnswer: () => void (calls += 1),
  })
  if (failures > 0) throw new Error(`${failures} calls failed, the first with ${firstFailure}`)
}

/** Calls, and milliseconds of CPU. */
function printUsed(): void {
  const used = { calls, gateway: cpuMs(gateway.pid), database: cpuMsBelow(postmaster) }
  process.stdout.write(`${JSON.stringify(used)}\n`)
}
