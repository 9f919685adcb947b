import type { Logger } from 'pino'
import type { Calls } from '../../calls/call.ts'
import { openGoneRoutes, type GoneRoutes } from '../../calls/lanes/gone-routes.ts'
import { createLoopWatch } from '../../calls/loops/loop-watch.ts'
import type { Discover } from '../../composites/discover/create-discover.ts'
import type { Database } from '../../db/database.ts'
import { createJobWaiters } from '../../jobs/waiters.ts'
import type { Clock } from '../../lib/clock.ts'
import type { SlotUse } from '../../lib/fairness/fair-slots.ts'
import { CallTally } from '../../lib/metrics/call-tally.ts'
import { createComplete } from '../../llm/ask/complete.ts'
import type { Router } from '../../llm/ask/create-router.ts'
import type { FileDeps } from '../../resources/files/file-deps.ts'
import { createOutputSaver } from '../../resources/files/output-saver.ts'
import type { SessionDeps } from '../../resources/sessions/session-deps.ts'
import type { Guard } from '../../upstream/guard.ts'
import { createReplyCache } from '../../upstream/reply-cache.ts'
import { logUnstoredOutputs } from '../monitoring/log-unstored-outputs.ts'
import { startLease, type RunningLease } from '../processes/lease.ts'
import type { Config } from '../settings/config.ts'
import { openEgress, type Egress } from './egress.ts'
import { openEvents, type Events } from './events.ts'
import { openExtraction } from './extraction.ts'
import { openFiles } from './files.ts'
import { startJobs, type Jobs } from './jobs.ts'
import { openLedger } from './ledger.ts'
import { startCrawls } from './crawls.ts'
import { openOwnCatalog, type OwnCatalog } from './own/own-catalog.ts'
import { createPerformers } from './performers.ts'
import type { Own } from './own/read-own.ts'
import { createRouterMargins, type RouterMargins } from './own/router-margins.ts'
import type { EmailWorld } from './in-house/emails.ts'
import { openInHouse, type InHouse } from './in-house/open-in-house.ts'
import { openReading } from './reading.ts'
import { openRouter } from './router.ts'
import { openVendorKeys, type VendorKeys } from './vendor-keys.ts'
import { openWallets } from './wallet.ts'
import { createWays } from './ways.ts'

/** Everything that performs actions, for all surfaces. */
export type Engine = InHouse & {
  readonly calls: Calls
  readonly discover: Discover
  readonly jobs: Jobs
  readonly events: Events
  readonly files: FileDeps
  readonly sessions: SessionDeps
  readonly router: Router
  /** Egress to the open web. */
  readonly guard: Guard
  readonly lease: RunningLease
  readonly vendorKeys: VendorKeys
  readonly gone: GoneRoutes
  readonly own: OwnCatalog
  /** Increases when the catalog or its lanes change. */
  revision(): number
  browserUse(): SlotUse
  /** The number of open circuit breakers per vendor. */
  openBreakers(): readonly { readonly label: string; readonly count: number }[]
  close(): Promise<void>
}

export type EngineDeps = {
  readonly config: Config
  readonly database: Database
  readonly logger: Logger
  readonly now: Clock
  /** The operator's own actions at the start. */
  readonly own: Own
  /** Whether this process works on jobs. */
  readonly work: boolean
  /** Local email servers, name servers and websites, for tests. */
  readonly emailWorld?: Partial<EmailWorld>
}

/** Wires the call path. It makes no decisions. */
export async function openEngine(deps: EngineDeps): Promise<Engine> {
  const { config, database, logger, now, work, emailWorld, own: first } = deps
  const margins = createRouterMargins(first.prices, now)
  const [loops, waiters] = [createLoopWatch(now), createJobWaiters()]
  const tally = config.metricsToken === null ? undefined : new CallTally()
  const ledger = openLedger(config, database, now, logger)
  const lease = await startLease({ database, ledger, now, logger })
  const egress = await openEgress(config, database, now)
  const { guard } = egress
  const wallets = openWallets({ settings: config.pay, database, now, covers: lease.covers })
  const files = await openFiles(config, database, now)
  const reading = openReading(config, database, now)
  const models = openModels(deps, { ledger, tally, loops, egress, margins })
  const extraction = openExtraction(models.router)
  const means = { egress, guard, pages: reading.pages, emailWorld, logger, isDefault: work }
  const inHouse = await openInHouse(config, files.context, means)
  const vendorKeys = await openVendorKeys({ config, database, logger, listens: true })
  const gone = await openGoneRoutes(database, now)
  const performers = createPerformers({
    gone,
    own: first,
    inHouse,
    config: { ...config, upstreams: vendorKeys.upstreams },
    database,
    now,
    tally,
    egress,
    reading,
    files: files.context,
    complete: createComplete(models.router),
    extraction,
    waiters,
    payments: wallets.wallet?.methods ?? [],
  })
  const { discover, sessions, jobs: handlers, live, ...callPerformers } = performers
  const saveOutput = createSaver(files.context, config, egress)
  const calls: Calls = {
    ...callPerformers,
    checkAddress: reading.pages.checkAddress,
    now,
    replyCache: createReplyCache(now),
    ledger,
    database,
    storeOutput: logUnstoredOutputs(saveOutput, logger),
    ways: createWays(sessions),
    loops,
    ...(tally === undefined ? {} : { tally }),
    ...wallets.forCalls,
  }
  const inUse = { first, live, catalog: calls.catalog, margins }
  const own = await openOwnCatalog({ config, database, logger, now, ...inUse })
  vendorKeys.onChangedLanes(own.renew)
  const concurrency = work ? config.jobConcurrency : 0
  const jobs = startJobs({ calls, handlers, waiters, logger, concurrency })
  const crawls = startCrawls({ database, now, reading, extraction, logger, concurrency })
  const events = await openEvents({ config, database, guard, now, logger, work })
  return {
    calls,
    discover,
    jobs,
    events,
    files: files.context,
    sessions,
    router: models.router,
    ...inHouse,
    guard,
    lease,
    vendorKeys,
    gone,
    own,
    revision: () => gone.revision() + live.revision(),
    browserUse: () => reading.pages.browserUse(),
    openBreakers: () => [...egress.gates.openBreakers(), ...models.openBreakers()],
    close: () =>
      closeInOrder([
        [vendorKeys, gone, jobs, crawls, events, own],
        // Before the files, because it stores the last recordings of browsers as files.
        [{ close: inHouse.closeParts }],
        [files],
        [reading, egress, wallets, models],
        [lease],
        [ledger],
      ]),
  }
}

function openModels(
  { config, database, now }: EngineDeps,
  {
    egress: { guard, simulators },
    margins,
    ...shared
  }: Pick<Parameters<typeof openRouter>[0], 'ledger' | 'tally' | 'loops'> & {
    readonly egress: Egress
    readonly margins: RouterMargins
  },
): ReturnType<typeof openRouter> {
  return openRouter({
    ...shared,
    settings: config.router,
    database,
    now,
    simulatorUrl: simulators.url,
    guardedDispatcher: guard.vendors,
    ...(config.pricesFile === null ? {} : { margins }),
  })
}

async function closeInOrder(
  groups: readonly (readonly { close(): void | Promise<void> }[])[],
): Promise<void> {
  for (const group of groups) await Promise.all(group.map(async (one) => one.close()))
}

function createSaver(
  files: FileDeps,
  { userAgent }: Config,
  { guard, simulators, simulatorGuard }: Egress,
): ReturnType<typeof createOutputSaver> {
  const simulated = { url: simulators.url, guard: simulatorGuard }
  return createOutputSaver(files, { guard, userAgent }, simulated)
}
