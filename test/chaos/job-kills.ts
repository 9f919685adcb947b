import { spawn, type ChildProcess } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createAccount } from '../../src/accounts/create-account.ts'
import { runCall } from '../../src/calls/run.ts'
import { connectDatabase, type Database } from '../../src/db/database.ts'
import type { DatabaseAddress } from '../../src/db/embedded-postgres.ts'
import { createAuthenticator } from '../../src/keys/authenticate.ts'
import { postCredit } from '../../src/ledger/credit.ts'
import { verifyLedger, type Finding } from '../../src/ledger/verify.ts'
import { newId } from '../../src/lib/ids.ts'
import { callsOn, fastClock, STEPS, type JobShift } from './job-worker.ts'

export type JobKillReport = {
  readonly kills: number
  readonly jobs: number
  readonly takenUpAgain: number
  readonly unfinished: number
  readonly late: number
  /** Steps that the vendor carried out, each counted once. */
  readonly carriedOut: number
  /** Steps that the vendor carried out under more than one key: bought twice. */
  readonly boughtTwice: number
  readonly chargedSteps: number
  readonly heldAfterwards: bigint
  readonly findings: readonly Finding[]
}

const WORKER = join(import.meta.dirname, 'job-worker.ts')
const WORKERS_AT_ONCE = 3
const SLOWEST_ANSWER_MS = 30
const BUDGET_CENTS = 10
// Of the jobs, by the clock of workers, it is more than they have.
const MOST_MS = 300_000

/** Lets workers do jobs and kills one after the other at random moments until `kills` are dead; then lets the rest be done. */
export async function killWorkers(
  target: DatabaseAddress,
  {
    jobs,
    kills,
    isOpen,
  }: { readonly jobs: number; readonly kills: number; readonly isOpen: boolean },
): Promise<JobKillReport> {
  const database = connectDatabase(target)
  const vendor = await startCountingVendor(isOpen)
  const startedMs = Date.now()
  const shift: JobShift = { target, vendorUrl: vendor.url, startedMs }
  const workers = new Map<string, ChildProcess>()
  let hired = 0
  function hire(): void {
    hired += 1
    const name = `worker-${hired}`
    workers.set(
      name,
      spawn(
        process.execPath,
        [WORKER, JSON.stringify({ ...shift, vendorUrl: `${vendor.url}/${name}` })],
        { stdio: ['ignore', 'ignore', 'inherit'] },
      ),
    )
  }
  try {
    await submitAll(target, vendor.url, startedMs, jobs)
    for (let place = 0; place < WORKERS_AT_ONCE; place += 1) hire()
    for (let kill = 0; kill < kills; kill += 1) {
      // The worker with the newest request dies during a step; the one with the longest work dies at any point.
      const asker = await someStepsLater(database, vendor, randomInt(1, 12))
      const [oldest = ''] = workers.keys()
      const name = kill % 2 === 0 && workers.has(asker) ? asker : oldest
      workers.get(name)?.kill('SIGKILL')
      workers.delete(name)
      hire()
    }
    const unfinished = await untilAllEnded(target)
    const { rows } = await database.query<{ charged: bigint; again: bigint; late: bigint }>(
      'select sum(charged_micros)::bigint as charged, count(*) filter (where attempt > 1) as again, count(*) filter (where finished_ms > deadline_ms) as late from jobs',
    )
    const { rows: held } = await database.query<{ held: bigint }>(
      'select sum(held_micros)::bigint as held from wallets',
    )
    const { charged = 0n, again = 0n, late = 0n } = rows[0] ?? {}
    return {
      kills,
      jobs,
      unfinished,
      takenUpAgain: Number(again),
      late: Number(late),
      ...vendor.count(),
      chargedSteps: Number(charged) / 10_000,
      heldAfterwards: held[0]?.held ?? -1n,
      findings: (await verifyLedger(database)).findings,
    }
  } finally {
    for (const worker of workers.values()) worker.kill('SIGKILL')
    vendor.close()
    await database.close()
  }
}

async function submitAll(
  target: DatabaseAddress,
  vendorUrl: string,
  startedMs: number,
  jobs: number,
): Promise<void> {
  const database = connectDatabase(target)
  const calls = callsOn(database, vendorUrl, fastClock(startedMs), false)
  const created = await createAccount(
    { database, now: calls.now },
    { email: 'jobs@gate.example.com', tier: 'personal' },
  )
  const authenticator = createAuthenticator({
    database,
    now: calls.now,
    cacheSize: 1,
    cacheMs: 1000,
  })
  const caller = await authenticator.authenticate(created.live.key)
  await postCredit(database, {
    id: newId(calls.now()),
    walletId: caller.walletId,
    kind: 'topup',
    amount: BigInt(jobs) * 1_000_000n,
    nowMs: calls.now(),
  })
  for (let seed = 0; seed < jobs; seed += 1)
    await runCall(calls, {
      id: newId(calls.now()),
      caller,
      service: 'work',
      action: 'wide',
      body: { seed, budgetCents: BUDGET_CENTS },
      idempotency: null,
    })
  await authenticator.close()
  await calls.close()
  await database.close()
}

async function untilAllEnded(target: DatabaseAddress): Promise<number> {
  const database = connectDatabase(target, { poolSize: 1 })
  const deadline = performance.now() + MOST_MS
  for (;;) {
    const open = await openJobs(database)
    if (open === 0 || performance.now() > deadline) {
      await database.close()
      return open
    }
  }
}

/** How many jobs have not ended, after a moment in which some of them may. */
async function openJobs(database: Database): Promise<number> {
  const { rows } = await database.query<{ open: bigint }>(
    "with moment as materialized (select pg_sleep(0.01)) select count(jobs.id) as open from moment left join jobs on status in ('queued', 'running')",
  )
  return Number(rows[0]?.open ?? 0)
}

type CountingVendor = {
  readonly url: string
  onRequest(listener: (worker: string) => void): void
  count(): { carriedOut: number; boughtTwice: number }
  close(): void
}

/** Answers searches after a moment. A repeat at an open source under the same key is no second purchase. */
async function startCountingVendor(isOpen: boolean): Promise<CountingVendor> {
  const keysOfQuery = new Map<string, string[]>()
  let listener: (worker: string) => void = () => {}
  const server = createServer((incoming, response) => {
    void bodyOf(incoming).then(({ query }) => {
      const key = String(incoming.headers['idempotency-key'])
      const keys = keysOfQuery.get(query) ?? []
      keysOfQuery.set(query, keys)
      if (!isOpen || !keys.includes(key)) keys.push(key)
      listener(incoming.url?.split('/')[2] ?? '')
      setTimeout(
        () =>
          response.writeHead(200, { 'content-type': 'application/json' }).end(
            JSON.stringify({
              requestId: key,
              results: [{ id: query, url: `https://example.com/${query}`, title: query }],
            }),
          ),
        randomInt(1, SLOWEST_ANSWER_MS),
      )
    })
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${isOpen ? 'open' : 'keyed'}`,
    onRequest(next) {
      listener = next
    },
    count: () => ({
      carriedOut: keysOfQuery.size,
      boughtTwice: [...keysOfQuery.values()].filter((keys) => keys.length > 1).length,
    }),
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function bodyOf(incoming: IncomingMessage): Promise<{ query: string }> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk)
  return JSON.parse(Buffer.concat(chunks).toString()) as { query: string }
}

/** The worker that asked for the last of so many steps, as it asks. When all jobs are done there is nothing to wait for. */
async function someStepsLater(
  database: Database,
  vendor: CountingVendor,
  steps: number,
): Promise<string> {
  const reached = Promise.withResolvers<string>()
  const over = new AbortController()
  let left = steps
  vendor.onRequest((worker) => {
    left -= 1
    if (left === 0) reached.resolve(worker)
  })
  async function allEnded(): Promise<string> {
    while (!over.signal.aborted && (await openJobs(database)) > 0);
    return ''
  }
  return Promise.race([reached.promise, allEnded()]).finally(() => over.abort())
}

export { STEPS }
