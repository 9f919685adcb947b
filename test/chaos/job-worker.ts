/** A worker process to be killed. Its clock runs fast, so that the lease of a killed one is over soon. */
import { Agent } from 'undici'
import { createLanes } from '../../src/calls/lanes/lanes.ts'
import { free } from '../../src/calls/ways/free.ts'
import { job as jobWay } from '../../src/calls/ways/job.ts'
import { once } from '../../src/calls/ways/once.ts'
import { runJob } from '../../src/calls/jobs/run-job.ts'
import type { Calls } from '../../src/calls/call.ts'
import { createCatalog } from '../../src/catalog/index.ts'
import { services } from '../../src/vendors/index.ts'
import type { Service } from '../../src/catalog/vocabulary/define.ts'
import type { JobHandler } from '../../src/catalog/vocabulary/handlers.ts'
import { createValidator } from '../../src/catalog/validate/validate.ts'
import { noAuth } from '../../src/catalog/vocabulary/wire.ts'
import { connectDatabase, type Database } from '../../src/db/database.ts'
import type { DatabaseAddress } from '../../src/db/embedded-postgres.ts'
import { BEAT_MS } from '../../src/jobs/job.ts'
import { createWorker } from '../../src/jobs/worker.ts'
import { createLedger } from '../../src/ledger/ledger.ts'
import type { Clock } from '../../src/lib/clock.ts'
import { createReplyCache } from '../../src/upstream/reply-cache.ts'
import { work } from '../harness/beds/work-service.ts'

export type JobShift = {
  readonly target: DatabaseAddress
  readonly vendorUrl: string
  readonly startedMs: number
}

/** How many times faster than real time the clock of workers runs. */
const SPEED = 20
export const STEPS = 4
const CONCURRENCY = 5

export function fastClock(startedMs: number): Clock {
  return () => startedMs + (Date.now() - startedMs) * SPEED
}

/** Two steps side by side, then two more one after the other. */
const handler: JobHandler = async (input, tools) => {
  const search = (step: number): Promise<unknown> =>
    tools.invoke('semantic', 'search', { query: `${String(input['seed'])}/${step}` })
  await Promise.all([search(0), search(1)])
  for (let step = 2; step < STEPS; step += 1) await search(step)
  return { kind: 'done', data: {}, actual: tools.budget.spent() }
}

/** The call path with `semantic` at the given address: an open source, which interrupted steps call again, or a paid vendor, which they do not. */
export function callsOn(
  database: Database,
  vendorUrl: string,
  now: Clock,
  isOpen: boolean,
): Calls & { close(): Promise<void> } {
  const dispatcher = new Agent()
  const catalog = createCatalog([
    ...services.map((service) =>
      service.id === 'semantic' && isOpen ? openAt(service, vendorUrl) : service,
    ),
    work,
  ])
  const upstreams = new Map(
    isOpen ? [] : [['semantic', { url: vendorUrl, credentials: { KEY: 'secret' } }]],
  )
  const lanes = createLanes({
    catalog,
    upstreams,
    guardedDispatcher: dispatcher,
    operatorDispatcher: dispatcher,
    inHouse: new Set(),
    simulatorUrl: vendorUrl,
    userAgent: 'Tollgate-Test/1.0',
  })
  const ledger = createLedger({ database, now, topupUrl: '', pause: async () => {} })
  const calls: Calls = {
    catalog,
    validator: createValidator(),
    lanes,
    inHouse: new Map(),
    local: new Map(),
    now,
    replyCache: createReplyCache(now),
    ledger,
    database,
    ways: [jobWay, free, once],
  }
  return {
    ...calls,
    async close() {
      await ledger.close()
      await dispatcher.close()
    },
  }
}

function openAt(service: Service, baseUrl: string): Service {
  return service.vendor === undefined
    ? service
    : { ...service, vendor: { ...service.vendor, baseUrl, auth: noAuth } }
}

if (import.meta.main) {
  const { target, vendorUrl, startedMs } = JSON.parse(process.argv[2] ?? '') as JobShift
  const database = connectDatabase(target, { poolSize: 6 })
  const calls = callsOn(
    database,
    vendorUrl,
    fastClock(startedMs),
    new URL(vendorUrl).pathname.startsWith('/open/'),
  )
  const worker = createWorker({
    database,
    now: calls.now,
    concurrency: CONCURRENCY,
    run: (job, control) => runJob(calls, new Map([['work.deep', handler]]), job, control),
    onError: (what, { error }) => process.stderr.write(`${what}: ${String(error)}\n`),
  })
  setInterval(() => void worker.beat().catch(() => {}), BEAT_MS / SPEED)
  await worker.wake()
}
