import type { InHouseHandler } from '../../catalog/vocabulary/handlers.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import type { Database } from '../../db/database.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Clock } from '../../lib/clock.ts'
import { newId } from '../../lib/ids.ts'
import type { Owner } from '../../lib/owner.ts'
import type { Pages } from '../../reader/create-pages.ts'
import type { CrawlInput, CrawlService } from './crawl.ts'
import { findCrawl, listDocuments, type FoundCrawl } from './crawl-reads.ts'
import { createCrawl } from './crawl-store.ts'

export type CrawlHandlerDeps = {
  readonly database: Database
  readonly now: Clock
  readonly pages: Pick<Pages, 'checkCrawl'>
}

const DEFAULT_DEPTH = 10
/** The time of the launch that checks the start page. */
const CHECK_MS = 15_000
/** Pages in one answer of `render/crawl_status`. */
const PAGES_PER_ANSWER = 25
const ID = /^[0-9a-f]{32}$/

/** The crawls that the gateway does itself, in the reply shapes of the vendors. */
export function crawlHandlers(deps: CrawlHandlerDeps): ReadonlyMap<string, InHouseHandler> {
  return new Map<string, InHouseHandler>([
    ['render.crawl', launch(deps, 'render')],
    ['render.crawl_status', status(deps, 'render')],
    ['render2.crawl', launch(deps, 'render2')],
    ['render2.crawl_status', status(deps, 'render2')],
  ])
}

/** Fails without charge if the start page cannot be read at all. */
function launch({ database, now, pages }: CrawlHandlerDeps, service: CrawlService): InHouseHandler {
  return async (raw, tools) => {
    const input = toCrawlInput(raw)
    const { accountId, mode, keyId, scope, signal } = tools
    const problem = await pages.checkCrawl(input.url, { signal, timeoutMs: CHECK_MS })
    if (problem !== null) return { success: false, error: problem }
    const id = newId(now())
    await createCrawl(database, { accountId, mode, keyId, scope }, { id, service, input }, now())
    return { success: true, id }
  }
}

function toCrawlInput(raw: Data): CrawlInput {
  const { url, formats, onlyMainContent, renderJs, waitFor, maxDepth } = raw
  const maxPages = raw['maxPages'] ?? raw['limit']
  return {
    url: new URL(String(url)).href,
    formats: formats as readonly string[],
    onlyMainContent: onlyMainContent === true,
    maxPages: Number(maxPages),
    maxDepth: maxDepth === undefined ? DEFAULT_DEPTH : Number(maxDepth),
    ...(renderJs === undefined ? {} : { renderJs: renderJs === true }),
    ...(waitFor === undefined ? {} : { waitFor: Number(waitFor) }),
  }
}

/** `render` returns pages in parts while they are read; `render2` returns all of them at the end. */
function status({ database }: CrawlHandlerDeps, service: CrawlService): InHouseHandler {
  return async ({ id, skip: from }, tools) => {
    const found = await requireCrawl(database, tools, service, id)
    const { tally, input } = found
    const skip = Number(from ?? 0)
    const isWhole = service === 'render2'
    const documents =
      isWhole && found.status === 'scraping'
        ? []
        : await listDocuments(database, String(id), {
            skip,
            limit: isWhole ? input.maxPages : PAGES_PER_ANSWER,
          })
    const nextSkip = skip + documents.length
    return {
      success: true,
      status: found.status,
      total: Math.min(input.maxPages, tally.read + tally.waiting),
      completed: tally.read,
      data: documents,
      ...(!isWhole && nextSkip < tally.read
        ? { next: `https://crawl.invalid/?skip=${nextSkip}` }
        : {}),
    }
  }
}

/** Throws AppError unknown_job for an unknown crawl and for one of another owner. */
export async function requireCrawl(
  database: Database,
  { accountId, mode, keyId, scope }: Owner,
  service: CrawlService,
  id: unknown,
): Promise<FoundCrawl> {
  const owner = { accountId, mode, keyId, scope }
  const found = ID.test(String(id)) ? await findCrawl(database, owner, service, String(id)) : null
  if (found !== null) return found
  const launchedBy = service.includes('/') ? service : `${service}/crawl`
  throw new AppError('unknown_job', undefined, {
    param: 'id',
    fix: `Check "id": it must be one that ${launchedBy} returned to this account.`,
  })
}
