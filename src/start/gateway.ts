import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { Agent } from 'undici'
import { createLanes } from '../calls/lanes.ts'
import type { Calls } from '../calls/run.ts'
import type { InHouseHandler, LocalHandler } from '../catalog/handlers.ts'
import { createCatalog } from '../catalog/index.ts'
import { createValidator } from '../catalog/validate.ts'
import { createDiscover } from '../core/discover/create-discover.ts'
import { discoverHandler } from '../core/discover/handler.ts'
import { onefind } from '../core/onefind/onefind.ts'
import { createDomainMemory } from '../core/onescrape/domain-memory.ts'
import { createOnescrape } from '../core/onescrape/onescrape.ts'
import { createOnesearch } from '../core/onesearch/onesearch.ts'
import { createScrapingScrape } from '../core/scraping-scrape.ts'
import type { Database } from '../db/database.ts'
import { createAuthenticator } from '../keys/authenticate.ts'
import { createLedger, type Ledger } from '../ledger/ledger.ts'
import type { Clock } from '../lib/clock.ts'
import { createPages } from '../pages/create-pages.ts'
import { judgePage } from '../pages/judge.ts'
import type { FileContext } from '../resources/files/context.ts'
import { fileHandlers } from '../resources/files/handlers.ts'
import { startSimulators } from '../simulators/start.ts'
import { createApp } from '../surfaces/http/app.ts'
import { createGuard } from '../upstream/guard.ts'
import { createKeptReplies } from '../upstream/kept-replies.ts'
import type { Config } from './config.ts'
import { openFiles } from './files.ts'
import { ownPagesOf } from './own-pages.ts'

export type Gateway = { readonly app: FastifyInstance; readonly ledger: Ledger; readonly files: FileContext; close(): Promise<void> }

const VENDOR_CONNECTIONS = 256
const CACHED_KEYS = 20_000
const CACHED_KEY_MS = 30_000

/** Wires everything that answers calls: one place where parts meet, nothing that decides. */
export async function openGateway(config: Config, database: Database, logger: Logger, now: Clock): Promise<Gateway> {
  const ledger = openLedger(config, database, now)
  const catalog = createCatalog()
  const validator = createValidator()
  const guard = createGuard({ allowPrivateNetworks: config.allowPrivateNetworks })
  const operatorDispatcher = new Agent({ connections: VENDOR_CONNECTIONS, keepAliveTimeout: 30_000 })
  const simulators = await startSimulators({ now })
  const files = await openFiles(config, database, now)
  const pages = createPages({
    allowPrivateNetworks: config.allowPrivateNetworks,
    ownPages: ownPagesOf(config),
    userAgent: config.userAgent,
    respectRobots: config.respectRobots,
    browserConcurrency: config.browserConcurrency,
    extractionWorkers: 1,
    cacheFolder: config.dataDir,
  })
  const inHouse = new Map<string, InHouseHandler>([
    ['semantic.contents', pages.semanticContents],
    ['render.scrape', pages.renderScrape],
    ['render.map', pages.renderMap],
  ])
  const lanes = createLanes({ catalog, upstreams: config.upstreams, guardedDispatcher: guard.dispatcher, operatorDispatcher, inHouse: new Set(inHouse.keys()), simulatorUrl: simulators.url, userAgent: config.userAgent })
  const discover = createDiscover({ services: catalog.services, laneOf: lanes.statusOf })
  const local = new Map<string, LocalHandler>([
    ['core.discover', discoverHandler(discover)],
    ['core.onefind', onefind],
    ['core.onescrape', createOnescrape({ judge: (page, url) => judgePage({ ...page, finalUrl: page.finalUrl ?? url }), extract: pages.extract, memory: createDomainMemory() })],
    ['core.onesearch', createOnesearch()],
    ['scraping.scrape', createScrapingScrape({ judgePage })],
    ...fileHandlers(files.context, { guard, userAgent: config.userAgent }),
  ])
  const calls: Calls = { catalog, validator, lanes, inHouse, local, now, kept: createKeptReplies(now), ledger, database }
  const authenticator = createAuthenticator({ database, now, cacheSize: CACHED_KEYS, cacheMs: CACHED_KEY_MS })
  const app = await createApp({
    calls,
    authenticator,
    keys: { database, now, forget: authenticator.forget },
    published: { catalog, laneOf: lanes.statusOf, publicUrl: config.publicUrl, discover },
    files: files.context,
    rateLimitPerMinute: config.rateLimitPerMinute,
    logger,
  })
  return {
    app,
    ledger,
    files: files.context,
    async close() {
      // First the way in, which waits for calls in flight; then what those calls used.
      await app.close()
      await Promise.all([authenticator.close(), pages.close(), simulators.close(), guard.close(), operatorDispatcher.close(), files.close()])
      await ledger.close()
    },
  }
}

/** The ledger as any process of this configuration uses it. */
export function openLedger(config: Config, database: Database, now: Clock): Ledger {
  return createLedger({ database, now, topupUrl: `${config.publicUrl}/balance`, pause: (ms) => new Promise((resume) => setTimeout(resume, ms)) })
}
