import { systemClock, type Clock } from '../lib/clock.ts'
import { createGuard } from '../upstream/guard.ts'
import type { ContentFormat } from './extract.ts'
import { createExtractionPool } from './extraction-pool.ts'
import { createPageGetter } from './get.ts'
import type { Verdict } from './judge.ts'
import { createSemanticContents, type ContentsReply } from './lanes/semantic-contents.ts'
import type { LaneCall, LaneInput } from './lanes/lane-call.ts'

export type PagesSettings = {
  /** CIDR blocks that may be read although they are private; for development and tests. */
  allowPrivateNetworks: readonly string[]
  /** Exact URLs of this gateway that may be read. */
  ownPages: readonly string[]
  userAgent: string
  respectRobots: boolean
  browserConcurrency: number
  extractionWorkers: number
  /** Where the browser is unpacked, once for all processes. */
  cacheFolder: string
  now?: Clock | undefined
}

export type RawPage = { html: string; url: string; format: ContentFormat; mainContent: boolean }
export type ExtractedPage = { title: string | null; content: string; format: ContentFormat; chars: number; verdict: Verdict }

/** Reading pages in-house: what the lanes and the composites need of it. */
export type Pages = {
  semanticContents(input: LaneInput, call: LaneCall): Promise<ContentsReply>
  /** Content of a page that somebody else fetched, judged by its source as if its status were 200. Throws AppError overloaded or upstream_error. */
  extract(raw: RawPage): Promise<ExtractedPage>
  close(): Promise<void>
}

export function createPages(settings: PagesSettings): Pages {
  const now = settings.now ?? systemClock
  const guard = createGuard({ allowPrivateNetworks: settings.allowPrivateNetworks, ownPages: settings.ownPages })
  const getter = createPageGetter({ guard, userAgent: settings.userAgent, respectRobots: settings.respectRobots, now })
  const pool = createExtractionPool({ workers: settings.extractionWorkers })
  const extract: Pages['extract'] = async (raw) => {
    const { title, content, format, chars, verdict } = await pool.run({ ...raw, status: 200 })
    return { title, content, format, chars, verdict }
  }
  return {
    semanticContents: createSemanticContents({ getter, pool }),
    extract,
    async close() {
      await pool.close()
      await guard.close()
    },
  }
}
