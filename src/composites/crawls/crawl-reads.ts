import type { Database } from '../../db/database.ts'
import type { Id } from '../../lib/ids.ts'
import { onlyMaker, type Owner } from '../../lib/owner.ts'
import type { CrawlInput, CrawlService, CrawlStatus } from './crawl.ts'
import { tallyCrawl, type CrawlTally } from './crawl-store.ts'

export type FoundCrawl = {
  readonly status: CrawlStatus
  readonly input: CrawlInput
  readonly tally: CrawlTally
}

/** Null for an unknown crawl and for one of another owner. */
export async function findCrawl(
  database: Database,
  owner: Owner,
  service: CrawlService,
  id: Id,
): Promise<FoundCrawl | null> {
  const { rows } = await database.query<{ status: CrawlStatus; input: CrawlInput }>(
    'select status, input from page_crawls where id = $1 and account_id = $2 and mode = $3 and service = $4 and ($5::uuid is null or key_id = $5)',
    [id, owner.accountId, owner.mode, service, onlyMaker(owner)],
  )
  const [row] = rows
  return row === undefined ? null : { ...row, tally: await tallyCrawl(database, id) }
}

/** The documents of read pages in their order. */
export async function listDocuments(
  database: Database,
  id: Id,
  { skip, limit }: { skip: number; limit: number },
): Promise<unknown[]> {
  const { rows } = await database.query<{ document: unknown }>(
    "select document from page_crawl_pages where crawl_id = $1 and state = 'read' order by place offset $2 limit $3",
    [id, skip, limit],
  )
  return rows.map(({ document }) => document)
}

/** The rows of an extraction in their order. `document` is null until the row is read. */
export async function listRows(
  database: Database,
  id: Id,
): Promise<readonly { url: string; state: string; document: unknown }[]> {
  const { rows } = await database.query<{ url: string; state: string; document: unknown }>(
    'select url, state, document from page_crawl_pages where crawl_id = $1 order by place',
    [id],
  )
  return rows
}

/** Whether an extraction has data of at least one page. */
export async function hasData(database: Database, id: Id): Promise<boolean> {
  const { rows } = await database.query<{ found: boolean }>(
    "select exists (select 1 from page_crawl_pages where crawl_id = $1 and document ? 'data') as found",
    [id],
  )
  return rows[0]?.found === true
}
