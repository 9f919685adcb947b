/** The code behind actions without a vendor, by the names in `inHouse` and `handler` of their records. Register new ones here. */
import { cancelHandler, resultHandler } from '../../calls/jobs/job-actions.ts'
import { storedAnswerHandler } from '../../calls/idempotency/stored-answer.ts'
import type { Lanes } from '../../calls/lanes/lanes.ts'
import type { InHouseHandler, JobHandler, LocalHandler } from '../../catalog/vocabulary/handlers.ts'
import type { Catalog } from '../../catalog/index.ts'
import type { Validator } from '../../catalog/validate/validate.ts'
import type { Complete } from '../../composites/shared/complete.ts'
import { createCompliance } from '../../composites/compliance/create-compliance.ts'
import { createConsult } from '../../composites/consult/consult.ts'
import { createStoredConversations } from '../../composites/consult/stored-conversations.ts'
import type { Discover } from '../../composites/discover/create-discover.ts'
import { createContentsWithSummaries } from '../../composites/extraction/contents-with-summaries.ts'
import { createExtractWithSchema } from '../../composites/extraction/extract-with-schema.ts'
import { extractHandlers } from '../../composites/extraction/extract-handlers.ts'
import { createScrapeWithSchema } from '../../composites/extraction/scrape-with-schema.ts'
import { createProxyExtract } from '../../composites/extraction/proxy-extract.ts'
import type { Extraction } from './extraction.ts'
import { crawlHandlers } from '../../composites/crawls/crawl-handlers.ts'
import { discoverHandler } from '../../composites/discover/handler.ts'
import { emailHandlers, type EmailDeps } from '../../composites/emails/email-handlers.ts'
import { searchHandlers } from '../../composites/search/search-handlers.ts'
import { onefindDeep } from '../../composites/onefind/onefind-deep.ts'
import { onefind } from '../../composites/onefind/onefind.ts'
import type { ReaderDeps } from '../../composites/onescrape/accept-reading.ts'
import { createOnescrapeDeep } from '../../composites/onescrape/onescrape-deep.ts'
import { createOnescrape } from '../../composites/onescrape/onescrape.ts'
import { createOnesearchDeep } from '../../composites/onesearch/onesearch-deep.ts'
import { createOnesearch } from '../../composites/onesearch/onesearch.ts'
import { createScrapingScrape } from '../../composites/scraping/scrape.ts'
import type { Database } from '../../db/database.ts'
import type { JobWaiters } from '../../jobs/waiters.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Pages } from '../../reader/create-pages.ts'
import { judgePage } from '../../reader/judge/judge.ts'
import type { FileDeps } from '../../resources/files/file-deps.ts'
import { fileHandlers } from '../../resources/files/handlers.ts'
import type { SessionDeps } from '../../resources/sessions/session-deps.ts'
import { snapshotHandlers } from '../../resources/sessions/snapshot-handlers.ts'
import { createDomainNames } from '../../upstream/domain-names.ts'
import type { BoxesDeps } from '../../resources/boxes/boxes-deps.ts'
import { sandboxHandlers } from '../../resources/boxes/sandbox-handlers.ts'
import type { MediaDeps } from '../../resources/media/media-deps.ts'
import { mediaHandlers } from '../../resources/media/media-handlers.ts'
import type { GitDeps } from '../../resources/git/git-deps.ts'
import { createMakerWatch } from '../../resources/makers/maker-watch.ts'
import { gitHandlers } from '../../resources/git/git-handlers.ts'
import type { InboxDeps } from '../../resources/inboxes/inbox-deps.ts'
import { inboxHandlers } from '../../resources/inboxes/inbox-handlers.ts'
import type { Guard } from '../../upstream/guard.ts'
import { createSiteProbe } from '../../upstream/site-probe.ts'
import { demoHandlers } from '../processes/demo.ts'
import type { Search } from './in-house/search.ts'
import { createDocumentHandler } from './read-documents.ts'

type Web = {
  readonly pages: Pages
  readonly extraction: Extraction
  readonly guard: Guard
  readonly userAgent: string
  readonly database: Database
  readonly now: Clock
  readonly git: GitDeps | null
  readonly inboxes: InboxDeps | null
  readonly emails: EmailDeps | null
  readonly search: Search | null
  readonly boxes: BoxesDeps | null
  readonly media: MediaDeps | null
}

/** In-house implementations that answer in a vendor's reply format. */
export function inHouseHandlers({
  pages,
  extraction,
  guard,
  userAgent,
  database,
  now,
  git,
  inboxes,
  emails,
  search,
  boxes,
  media,
}: Web): ReadonlyMap<string, InHouseHandler> {
  return new Map<string, InHouseHandler>([
    [
      'compliance.check',
      createCompliance({ names: createDomainNames(), site: createSiteProbe(guard, userAgent) }),
    ],
    ['semantic.contents', createContentsWithSummaries({ pages, ...extraction })],
    ['rag.extract', pages.ragExtract],
    ['agentic.extract', createExtractWithSchema({ pages, ...extraction })],
    ['render.scrape', pages.renderScrape],
    ['render.map', pages.renderMap],
    ['render2.scrape', createScrapeWithSchema({ pages, ...extraction })],
    ['render2.map', pages.render2Map],
    ['cheapunblock.scrape', pages.cheapunblockScrape],
    ['unblock.unblock', pages.proxied.unblock],
    ['geoegress.scrape', pages.proxied.geoegressScrape],
    ['proxy.scrape', pages.proxied.proxyScrape],
    ['proxy.markdown', pages.proxied.proxyMarkdown],
    ['proxy.scrape_residential', pages.proxied.proxyScrapeResidential],
    ['proxy.extract', createProxyExtract({ pages: pages.proxied, ...extraction })],
    ...crawlHandlers({ database, now, pages }),
    ...extractHandlers({ database, now, pages, checker: extraction.checker }),
    ...(git === null ? [] : gitHandlers(git)),
    ...(inboxes === null ? [] : inboxHandlers(inboxes)),
    ...(emails === null ? [] : emailHandlers(emails)),
    ...(search === null ? [] : searchHandlers({ ...search, ...extraction, pages, now })),
    ...(boxes?.sellsSandboxes === true
      ? sandboxHandlers(boxes, createMakerWatch({ database, now }))
      : []),
    ...(media === null ? [] : mediaHandlers(media)),
  ])
}

type LocalDeps = {
  readonly catalog: Catalog
  readonly validator: Validator
  readonly lanes: Lanes
  readonly discover: Discover
  readonly readers: ReaderDeps
  readonly pages: Pages
  readonly complete: Complete
  readonly waiters: JobWaiters
  readonly files: FileDeps
  readonly guard: Guard
  readonly userAgent: string
  readonly database: Database
  readonly now: Clock
  readonly sessions: SessionDeps
}

/** Multi-source actions, polls, advice, files and snapshots. */
export function localHandlers({
  catalog,
  validator,
  lanes,
  discover,
  readers,
  pages,
  complete,
  waiters,
  files,
  guard,
  userAgent,
  database,
  now,
  sessions,
}: LocalDeps): ReadonlyMap<string, LocalHandler> {
  return new Map<string, LocalHandler>([
    ['core.result', resultHandler(database, waiters)],
    ['core.cancel', cancelHandler(database)],
    ['media.result', storedAnswerHandler(database, waiters, 'media/generate')],
    [
      'core.consult',
      createConsult({
        catalog,
        validator,
        discover,
        laneOf: lanes.statusOf,
        conversations: createStoredConversations({ database, now }),
        complete,
      }),
    ],
    ['core.discover', discoverHandler(discover)],
    ['core.onefind', onefind],
    ['core.onescrape', createOnescrape(readers)],
    ['core.onesearch', createOnesearch()],
    ['reader.document', createDocumentHandler(pages, files)],
    ['scraping.scrape', createScrapingScrape({ judgePage })],
    ...fileHandlers(files, { guard, userAgent }),
    ...snapshotHandlers(sessions, 'boxd'),
  ])
}

/** Multi-source actions that run as durable jobs. */
export function jobHandlers({
  readers,
  complete,
  pages,
  files,
}: {
  readonly readers: ReaderDeps
  readonly complete: Complete
  readonly pages: Pages
  readonly files: FileDeps
}): ReadonlyMap<string, JobHandler> {
  return new Map<string, JobHandler>([
    ['core.onefind-deep', onefindDeep],
    ['core.onescrape-deep', createOnescrapeDeep(readers)],
    ['core.onesearch-deep', createOnesearchDeep({ complete })],
    ...demoHandlers(pages, files),
  ])
}
