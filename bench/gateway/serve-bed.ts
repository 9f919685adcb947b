/**
 * The test bed and a gateway of the checkout in the given folder, for bench/versions.ts. Each line of input gets a line with the
 * calls and the CPU time so far. `paid 1000` starts a load of paid calls of 1000 accounts, `router 1` one of router calls.
 * `stop` ends it.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type * as beds from './bed.ts'
import { OTHER_CORE, startNode } from './bed.ts'
import { closedLoop, httpPost } from './load.ts'

const TICK_MICROS = 10_000
const IN_FLIGHT = 64
const LONGEST_SECONDS = 600
type Request = { readonly path: string; readonly body: string }
const PATHS: Readonly<Record<string, Request>> = {
  paid: {
    path: '/api/run/semantic/search',
    body: '{"query":"how do group commits make a ledger faster"}',
  },
  router: {
    path: '/api/llm/v1/chat/completions',
    body: JSON.stringify({
      model: 'bench/model',
      max_tokens: 100,
      messages: [{ role: 'user', content: 'How do group commits make a ledger faster?' }],
    }),
  },
}
const [folder = '', most = '1'] = process.argv.slice(2)
const { openBed }: typeof beds = await import(join(folder, 'bench/gateway/bed.ts'))
const bed = await openBed()
const keys = await bed.makeKeys(Number(most))
// The daily limit of an account for language models must not end the run.
await bed.database.query(
  'insert into inference_days (wallet_id, day, cap_micros) select id, 0, 1000000000000000 from wallets',
)
const models = await startNode('bench/router/stand-in-models.ts', [], OTHER_CORE, {})
const gateway = await bed.startGateway({
  UPSTREAM_LLM_URL: `http://127.0.0.1:${models.port}/v1`,
  UPSTREAM_LLM_KEY: 'bench',
})
const { rows } = await bed.database.query<{ pid: number }>('select pg_backend_pid() as pid')
const postmaster = statOf(String(rows[0]?.pid))[1] ?? ''
let calls = 0
let end = Promise.withResolvers<void>()
let loading = Promise.resolve()
print(used())
for await (const line of createInterface({ input: process.stdin })) {
  const [kind = '', accounts] = line.split(' ')
  const path = PATHS[kind]
  if (path !== undefined) loading = load(path, Number(accounts))
  if (line === 'stop') {
    end.resolve()
    await loading
  }
  print(used())
}
await gateway.stop()
await models.stop()
await bed.close()
// The timer of a load that was stopped would keep the process.
process.exit()

async function load({ path, body }: Request, accounts: number): Promise<void> {
  end = Promise.withResolvers()
  const requests = keys
    .slice(0, accounts)
    .map((key) => httpPost(gateway.port, path, { authorization: `Bearer ${key}` }, body))
  const onAnswer = (): void => void (calls += 1)
  const { failures, firstFailure } = await closedLoop(
    { port: gateway.port, requests },
    { inFlight: IN_FLIGHT, seconds: LONGEST_SECONDS, onAnswer, ends: end.promise },
  )
  if (failures > 0) throw new Error(`${failures} calls failed, the first with ${firstFailure}`)
}

/** Calls, and microseconds of CPU. */
function used(): object {
  return { calls, gateway: microsOf(String(gateway.pid)), database: databaseMicros() }
}

/** Of the server's living processes, and of those that ended. */
function databaseMicros(): number {
  const ended = statOf(postmaster).slice(13, 15).map(Number)
  const living = readdirSync('/proc').filter(
    (name) => /^\d+$/.test(name) && statOf(name)[1] === postmaster,
  )
  return [...ended.map((ticks) => ticks * TICK_MICROS), ...living.map(microsOf)].reduce(
    (sum, micros) => sum + micros,
    0,
  )
}

function microsOf(pid: string): number {
  const tasks = `/proc/${pid}/task`
  try {
    return readdirSync(tasks)
      .map(
        (task) => Number(readFileSync(`${tasks}/${task}/schedstat`, 'utf8').split(' ')[0]) / 1000,
      )
      .reduce((sum, micros) => sum + micros, 0)
  } catch {
    return 0
  }
}

/** The fields of /proc/<pid>/stat from the state on; empty when the process has ended. */
function statOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  } catch {
    return []
  }
}

function print(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}
