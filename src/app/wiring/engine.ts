import type { Logger } from 'pino'
import { Agent } from 'undici'
import { createLanes } from '../../calls/lanes/lanes.ts'
import { findLostPurchases } from '../../calls/payments/lost-purchases.ts'
import type { Calls } from '../../calls/call.ts'
import { createCatalog } from '../../catalog/index.ts'
import { createValidator } from '../../catalog/validate/validate.ts'
import { createDiscover, type Discover } from '../../composites/discover/create-discover.ts'
import type { ReaderDeps } from '../../composites/onescrape/accept-reading.ts'
import { createDomainMemory } from '../../composites/onescrape/domain-memory.ts'
import { createYieldStore } from '../../composites/onescrape/yield-store.ts'
import type { Database } from '../../db/database.ts'
import { createJobWaiters } from '../../jobs/waiters.ts'
import { createLedger, type Ledger } from '../../ledger/ledger.ts'
import { CallTally } from '../../lib/metrics/call-tally.ts'
import type { Clock } from '../../lib/clock.ts'
import { newId, publicId } from '../../lib/ids.ts'
import { createComplete } from '../../llm/ask/complete.ts'
import type { Router } from '../../llm/ask/create-router.ts'
import { createPages, type Pages } from '../../reader/create-pages.ts'
import type { SlotUse } from '../../lib/fairness/fair-slots.ts'
import { judgePage } from '../../reader/judge/judge.ts'
import type { FileDeps } from '../../resources/files/file-deps.ts'
import { createOutputSaver } from '../../resources/files/output-saver.ts'
import { createReadyBoxes } from '../../resources/sessions/ready-boxes.ts'
import type { SessionDeps } from '../../resources/sessions/session-deps.ts'
import { startSimulators } from '../../simulators/start.ts'
import { createGuard, type Guard } from '../../upstream/guard.ts'
import { createPlainDispatcher } from '../../upstream/http1/plain-dispatcher.ts'
import { createReplyCache } from '../../upstream/reply-cache.ts'
import { createGates } from '../../upstream/limits/gates.ts'
import type { Config } from '../settings/config.ts'
import { openFiles } from './files.ts'
import { startLease, type RunningLease } from '../processes/lease.ts'
import { inHouseHandlers, jobHandlers, localHandlers } from './handlers.ts'
import { startJobs, type Jobs } from './jobs.ts'
import { ownPagesOf } from '../settings/own-pages.ts'
import { requireHandlers } from './require-handlers.ts'
import { openRouter } from './router.ts'
import { logUnstoredOutputs } from '../monitoring/log-unstored-outputs.ts'
import { openTestWallet, openWallet } from './wallet.ts'
import { createWays } from './ways.ts'

/** Everything that performs actions, for all surfaces. */
export type Engine = {
  readonly calls: Calls
  readonly discover: Discover
  readonly jobs: Jobs
  readonly files: FileDeps
  readonly sessions: SessionDeps
  readonly router: Router
  /** Egress to the open web. */
  readonly guard: Guard
  readonly lease: RunningLease
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
  /** Whether this process works on jobs. */
  readonly work: boolean
}

const VENDOR_CONNECTIONS = 256

/** Wires the parts of the call path. It makes no decisions. */
export async function openEngine({
  config,
  database,
  logger,
  now,
  work,
}: EngineDeps): Promise<Engine> {
  const { userAgent, upstreams } = config
  const tally = config.metricsToken === null ? undefined : new CallTally()
  const counted = tally === undefined ? {} : { tally }
  const ledger = openLedger(config, database, now, logger)
  const lease = await startLease({ database, ledger, now, logger })
  const [catalog, validator] = [createCatalog(), createValidator()]

  // Egress.
  const guard = createGuard({ allowPrivateNetworks: config.allowPrivateNetworks })
  const operatorDispatcher = createPlainDispatcher({ connections: VENDOR_CONNECTIONS })
  const chainDispatcher = new Agent()
  const gates = createGates({ database, now, process: newId(now()) })
  const simulators = await startSimulators({ now })
  const simulatorGuard = createGuard({ allowPrivateNetworks: ['127.0.0.0/8'] })
  const walletParts = {
    settings: config.pay,
    database,
    dispatcher: chainDispatcher,
    now,
    covers: lease.covers,
  }
  const [wallet, testWallet] = [openWallet(walletParts), openTestWallet(walletParts)]

  // Performers.
  const files = await openFiles(config, database, now)
  const pages = openPages(config)
  const models = openRouter({
    settings: config.router,
    database,
    ledger,
    now,
    tally,
    simulatorUrl: simulators.url,
    guardedDispatcher: guard.vendors,
  })
  const complete = createComplete(models.router)
  const yields = createYieldStore({ database, now })
  const readers: ReaderDeps = {
    judge: (page, url) => judgePage({ ...page, finalUrl: page.finalUrl ?? url }),
    extract: pages.extract,
    memory: createDomainMemory({ store: yields, now }),
  }
  const ends = createJobWaiters()

  const inHouse = inHouseHandlers({ pages, guard, userAgent })
  const lanes = createLanes({
    catalog,
    upstreams,
    guardedDispatcher: guard.vendors,
    operatorDispatcher,
    inHouse: new Set(inHouse.keys()),
    simulatorUrl: simulators.url,
    userAgent,
    gates,
    payments: wallet?.methods ?? [],
  })
  const discover = createDiscover({ services: catalog.services, laneOf: lanes.statusOf })
  const sessions: SessionDeps = {
    database,
    now,
    boxFor: createReadyBoxes(lanes.targetOf, now),
    ...counted,
  }
  const local = localHandlers({
    catalog,
    validator,
    lanes,
    discover,
    readers,
    complete,
    ends,
    files: files.context,
    guard,
    userAgent,
    database,
    now,
    sessions,
  })
  const ofJobs = jobHandlers({ readers, complete, pages, files: files.context })
  requireHandlers(catalog, {
    inHouse: new Set(inHouse.keys()),
    local: new Set(local.keys()),
    jobs: new Set(ofJobs.keys()),
  })
  const calls: Calls = {
    catalog,
    validator,
    checkAddress: pages.checkAddress,
    lanes,
    inHouse,
    local,
    now,
    replyCache: createReplyCache(now),
    ledger,
    database,
    storeOutput: logUnstoredOutputs(
      createOutputSaver(
        files.context,
        { guard, userAgent },
        { url: simulators.url, guard: simulatorGuard },
      ),
      logger,
    ),
    ways: createWays(sessions),
    ...counted,
    ...(wallet === null ? {} : { wallet }),
    ...(testWallet === null ? {} : { testWallet }),
  }
  const jobs = startJobs({
    calls,
    handlers: ofJobs,
    ends,
    logger,
    concurrency: work ? config.jobConcurrency : 0,
  })
  return {
    calls,
    discover,
    jobs,
    files: files.context,
    sessions,
    router: models.router,
    guard,
    lease,
    browserUse: () => pages.browserUse(),
    openBreakers: () => [...gates.openBreakers(), ...models.openBreakers()],
    async close() {
      await jobs.close()
      await files.close()
      await yields.settle()
      await Promise.all([
        pages.close(),
        simulators.close(),
        guard.close(),
        simulatorGuard.close(),
        gates.close(),
        operatorDispatcher.close(),
        chainDispatcher.close(),
        models.close(),
      ])
      await lease.close()
      await ledger.close()
    },
  }
}

function openLedger(
  { publicUrl, cards }: Config,
  database: Database,
  now: Clock,
  logger: Logger,
): Ledger {
  return createLedger({
    database,
    now,
    topupUrl: `${publicUrl}/balance`,
    sellsCredit: cards !== null,
    answersOfExpired: findLostPurchases(database),
    onLateResult: ({ id, service, action }, charge) =>
      logger.warn(
        {
          request_id: publicId('request', id),
          action: `${service}/${action}`,
          uncharged_micros: Number(charge),
        },
        'a result arrived after its hold was released and is not charged',
      ),
    pause: (ms) => new Promise((resume) => setTimeout(resume, ms)),
  })
}

function openPages(config: Config): Pages {
  return createPages({
    allowPrivateNetworks: config.allowPrivateNetworks,
    ownPages: ownPagesOf(config),
    userAgent: config.userAgent,
    respectRobots: config.respectRobots,
    browserConcurrency: config.browserConcurrency,
    // One account gets all but one at most.
    extractionWorkers: 2,
    cacheFolder: config.dataDir,
    allowUnsandboxedBrowser: config.allowUnsandboxedBrowser,
    ffmpegPath: config.ffmpegPath,
    searchPath: config.searchPath,
  })
}
