import type { ReaderDeps } from '../../composites/onescrape/accept-reading.ts'
import { createDomainMemory } from '../../composites/onescrape/domain-memory.ts'
import { createYieldStore } from '../../composites/onescrape/yield-store.ts'
import type { Database } from '../../db/database.ts'
import type { Clock } from '../../lib/clock.ts'
import { createPages, type Pages } from '../../reader/create-pages.ts'
import { judgePage } from '../../reader/judge/judge.ts'
import type { Config } from '../settings/config.ts'
import { ownPagesOf } from '../settings/own-pages.ts'

/** The in-house page readers. */
export type Reading = {
  readonly pages: Pages
  readonly readers: ReaderDeps
  close(): Promise<void>
}

export function openReading(config: Config, database: Database, now: Clock): Reading {
  const pages = createPages({
    allowPrivateNetworks: config.allowPrivateNetworks,
    ownPages: ownPagesOf(config),
    userAgent: config.userAgent,
    respectRobots: config.respectRobots,
    browserConcurrency: config.browserConcurrency,
    // One account gets all but one at most.
    extractionWorkers: 2,
    documentWorkers: 2,
    cacheFolder: config.dataDir,
    allowUnsandboxedBrowser: config.allowUnsandboxedBrowser,
    chromiumPath: config.chromiumPath,
    ffmpegPath: config.ffmpegPath,
    searchPath: config.searchPath,
    proxies: config.inHouse.proxies,
  })
  const yields = createYieldStore({ database, now })
  return {
    pages,
    readers: {
      judge: (page, url) => judgePage({ ...page, finalUrl: page.finalUrl ?? url }),
      extract: pages.extract,
      memory: createDomainMemory({ store: yields, now }),
    },
    async close() {
      await yields.settle()
      await pages.close()
    },
  }
}
