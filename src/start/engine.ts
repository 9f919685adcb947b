import type { Logger } from 'pino'
import { Agent } from 'undici'
import { cancelHandler, resultHandler } from '../calls/job-actions.ts'
import { keptAnswerHandler } from '../calls/kept-answer.ts'
import { createLanes } from '../calls/lanes.ts'
import type { Calls } from '../calls/run.ts'
import type { InHouseHandler, JobHandler, LocalHandler } from '../catalog/handlers.ts'
import { createCatalog } from '../catalog/index.ts'
import { createValidator } from '../catalog/validate.ts'
import { createComplete } from '../models/complete.ts'
import { createConsult } from '../core/consult/consult.ts'
import { storedConversations } from '../core/consult/stored-conversations.ts'
import { createCompliance } from '../core/compliance/create-compliance.ts'
import { createDiscover, type Discover } from '../core/discover/create-discover.ts'
import { discoverHandler } from '../core/discover/handler.ts'
import { onefind } from '../core/onefind/onefind.ts'
import { onefindDeep } from '../core/onefind/onefind-deep.ts'
import type { LadderParts } from '../core/onescrape/accept-reading.ts'
import { createDomainMemory } from '../core/onescrape/domain-memory.ts'
import { createOnescrape } from '../core/onescrape/onescrape.ts'
import { createOnescrapeDeep } from '../core/onescrape/onescrape-deep.ts'
import { createYieldStore } from '../core/onescrape/yield-store.ts'
import { createOnesearchDeep } from '../core/onesearch/onesearch-deep.ts'
import { createOnesearch } from '../core/onesearch/onesearch.ts'
import { createScrapingScrape } from '../core/scraping-scrape.ts'
import type { Database } from '../db/database.ts'
import { createJobEnds } from '../jobs/ends.ts'
import { createLedger, type Ledger } from '../ledger/ledger.ts'
import type { FileContext } from '../resources/files/context.ts'
import { fileHandlers } from '../resources/files/handlers.ts'
import { createOutputKeeper } from '../resources/files/output-keeper.ts'
import { createReadyBoxes } from '../resources/sessions/ready-boxes.ts'
import type { Clock } from '../lib/clock.ts'
import { newId } from '../lib/ids.ts'
import type { Router } from '../models/underway.ts'
import { createPages } from '../pages/create-pages.ts'
import { judgePage } from '../pages/judge.ts'
import { startSimulators } from '../simulators/start.ts'
import { createDomainNames } from '../upstream/domain-names.ts'
import { createGuard, type Guard } from '../upstream/guard.ts'
import { createPlainDispatcher } from '../upstream/http1/plain-dispatcher.ts'
import { createGates } from '../upstream/limits/gates.ts'
import { createSiteProbe } from '../upstream/site-probe.ts'
import { createKeptReplies } from '../upstream/kept-replies.ts'
import type { Config } from './config.ts'
import { demoHandlers } from './demo.ts'
import { openFiles } from './files.ts'
import { startJobs, type Jobs } from './jobs.ts'
import { openRouter } from './router.ts'
import { ownPagesOf } from './own-pages.ts'
import { openWallet } from './wallet.ts'

/** Everything that carries actions out, whichever way they come in. */
export type Engine = {
  readonly calls: Calls
  readonly discover: Discover
  readonly jobs: Jobs
  readonly files: FileContext
  readonly router: Router
  /** The way out to the open web. */
  readonly guard: Guard
  close(): Promise<void>
}

export type EngineParts = {
  readonly config: Config
  readonly database: Database
  readonly logger: Logger
  readonly now: Clock
  /** Whether this process works on jobs. */
  readonly work: boolean
}

const VENDOR_CONNECTIONS = 256

/** Wires the parts of the call path: one place where they meet, nothing that decides. */
export async function openEngine({ config, database, logger, now, work }: EngineParts): Promise<Engine> {
  const ledger = openLedger(config, database, now)
  const catalog = createCatalog()
  const validator = createValidator()
  const guard = createGuard({ allowPrivateNetworks: config.allowPrivateNetworks })
  const operatorDispatcher = createPlainDispatcher({ connections: VENDOR_CONNECTIONS, keptAliveMs: 30_000 })
  const chainDispatcher = new Agent()
  const simulators = await startSimulators({ now })
  const simulatorGuard = createGuard({ allowPrivateNetworks: ['127.0.0.0/8'] })
  const files = await openFiles(config, database, now)
  const keepOutput = createOutputKeeper(files.context, { guard, userAgent: config.userAgent }, { url: simulators.url, guard: simulatorGuard })
  const pages = createPages({
    allowPrivateNetworks: config.allowPrivateNetworks,
    ownPages: ownPagesOf(config),
    userAgent: config.userAgent,
    respectRobots: config.respectRobots,
    browserConcurrency: config.browserConcurrency,
    extractionWorkers: 1,
    cacheFolder: config.dataDir,
    ffmpegPath: config.ffmpegPath,
    searchPath: config.searchPath,
  })
  const inHouse = new Map<string, InHouseHandler>([
    ['compliance.check', createCompliance({ names: createDomainNames(), site: createSiteProbe(guard, config.userAgent) })],
    ['semantic.contents', pages.semanticContents],
    ['rag.extract', pages.ragExtract],
    ['agentic.extract', pages.agenticExtract],
    ['render.scrape', pages.renderScrape],
    ['render.map', pages.renderMap],
  ])
  const gates = createGates({ database, now, process: newId(now()) })
  const wallet = openWallet({ settings: config.pay, database, dispatcher: chainDispatcher, now })
  const lanes = createLanes({ catalog, upstreams: config.upstreams, guardedDispatcher: guard.vendors, operatorDispatcher, inHouse: new Set(inHouse.keys()), simulatorUrl: simulators.url, userAgent: config.userAgent, gates, payments: wallet?.methods ?? [] })
  const discover = createDiscover({ services: catalog.services, laneOf: lanes.statusOf })
  const ends = createJobEnds()
  const yields = createYieldStore({ database, now })
  const ladder: LadderParts = { judge: (page, url) => judgePage({ ...page, finalUrl: page.finalUrl ?? url }), extract: pages.extract, memory: createDomainMemory({ store: yields, now }) }
  const models = openRouter({ settings: config.router, database, ledger, now, simulatorUrl: simulators.url, guardedDispatcher: guard.vendors })
  const complete = createComplete(models.router)
  const local = new Map<string, LocalHandler>([
    ['core.result', resultHandler(database, ends)],
    ['core.cancel', cancelHandler(database)],
    ['media.result', keptAnswerHandler(database, ends, 'media/generate')],
    ['core.consult', createConsult({ catalog, validator, discover, laneOf: lanes.statusOf, conversations: storedConversations({ database, now }), complete })],
    ['core.discover', discoverHandler(discover)],
    ['core.onefind', onefind],
    ['core.onescrape', createOnescrape(ladder)],
    ['core.onesearch', createOnesearch()],
    ['scraping.scrape', createScrapingScrape({ judgePage })],
    ...fileHandlers(files.context, { guard, userAgent: config.userAgent }),
  ])
  const jobHandlers = new Map<string, JobHandler>([
    ['core.onefind-deep', onefindDeep],
    ['core.onescrape-deep', createOnescrapeDeep(ladder)],
    ['core.onesearch-deep', createOnesearchDeep({ complete })],
    ...demoHandlers(pages, files.context),
  ])
  const calls: Calls = { catalog, validator, lanes, inHouse, local, now, kept: createKeptReplies(now), ledger, database, keepOutput, sessions: { database, now, boxFor: createReadyBoxes(lanes.targetOf, now) }, ...(wallet === null ? {} : { wallet }) }
  const jobs = startJobs({ calls, handlers: jobHandlers, ends, logger, concurrency: work ? config.jobConcurrency : 0 })
  return {
    calls,
    discover,
    jobs,
    files: files.context,
    router: models.router,
    guard,
    async close() {
      await jobs.close()
      await files.close()
      await yields.settle()
      await Promise.all([pages.close(), simulators.close(), guard.close(), simulatorGuard.close(), gates.close(), operatorDispatcher.close(), chainDispatcher.close(), models.close()])
      await ledger.close()
    },
  }
}

function openLedger(config: Config, database: Database, now: Clock): Ledger {
  return createLedger({ database, now, topupUrl: `${config.publicUrl}/balance`, sellsCredit: config.cards !== null, pause: (ms) => new Promise((resume) => setTimeout(resume, ms)) })
}
