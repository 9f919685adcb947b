import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { BEAT_MS } from '../../composites/crawls/crawl.ts'
import { createCrawlWorker } from '../../composites/crawls/crawl-worker.ts'
import { createHostPace, type Pause } from '../../composites/crawls/host-pace.ts'
import type { Database } from '../../db/database.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Extraction } from './extraction.ts'
import type { Reading } from './reading.ts'

export type Crawls = { close(): Promise<void> }

/** Pauses between the requests of crawls to one host. */
const SPACING_MS = 500
const MOST_CONCURRENT = 4

const pause: Pause = (ms, signal) => delay(ms, undefined, { signal })

/** Does the crawls of all processes that share the database. Without `concurrency`, none. */
export function startCrawls({
  database,
  now,
  reading: { pages },
  extraction: { extractPaid: extractData },
  logger,
  concurrency,
}: {
  readonly database: Database
  readonly now: Clock
  readonly reading: Pick<Reading, 'pages'>
  readonly extraction: Pick<Extraction, 'extractPaid'>
  readonly logger: Logger
  readonly concurrency: number
}): Crawls {
  const worker = createCrawlWorker({
    database,
    now,
    pages,
    extractData,
    pause,
    pace: createHostPace({ now, pause, spacingMs: SPACING_MS }),
    concurrency: Math.min(MOST_CONCURRENT, concurrency),
    onError: (error, crawlId) => logger.error({ err: error, crawl_id: crawlId }, 'a crawl stopped'),
  })
  let beating = Promise.resolve()
  const timer = setInterval(() => {
    beating = beating
      .then(() => worker.beat())
      .catch((error: unknown) => logger.error({ err: error }, 'the crawls could not be continued'))
  }, BEAT_MS)
  if (concurrency === 0) clearInterval(timer)
  return {
    async close() {
      clearInterval(timer)
      await beating
      await worker.stop()
    },
  }
}
