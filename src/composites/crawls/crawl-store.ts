import type { Database } from '../../db/database.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Id } from '../../lib/ids.ts'
import type { Owner } from '../../lib/owner.ts'
import {
  CRAWL_MS,
  CRAWL_RETENTION_MS,
  DATA_ROW,
  FRONTIER_FACTOR,
  LEASE_MS,
  MAX_ATTEMPTS,
  MAX_CRAWL_BYTES,
  MOST_CRAWLS,
  type Crawl,
  type CrawlInput,
  type CrawlPage,
  type CrawlService,
} from './crawl.ts'

/** Throws AppError too_many_inflight at the account's limit of running crawls. */
export async function createCrawl(
  database: Database,
  owner: Owner,
  { id, service, input }: { id: Id; service: CrawlService; input: CrawlInput },
  nowMs: number,
): Promise<void> {
  await database.transaction(async (tx) => {
    // Concurrent launches of an account are counted one after another.
    await tx.query("select pg_advisory_xact_lock(hashtextextended('crawls/' || $1, 0))", [
      owner.accountId,
    ])
    const { rows } = await tx.query<{ count: bigint }>(
      "select count(*) from page_crawls where account_id = $1 and mode = $2 and status = 'scraping'",
      [owner.accountId, owner.mode],
    )
    if (Number(rows[0]?.count ?? 0) >= MOST_CRAWLS)
      throw new AppError(
        'too_many_inflight',
        `This account already has ${MOST_CRAWLS} crawls and extractions in progress. Nothing was charged.`,
        { retryAfterSeconds: 10, details: { running: MOST_CRAWLS, most: MOST_CRAWLS } },
      )
    await tx.query(
      'insert into page_crawls (id, account_id, key_id, mode, service, input, created_ms, deadline_ms) values ($1, $2, $3, $4, $5, $6, $7, $8)',
      [
        id,
        owner.accountId,
        owner.keyId,
        owner.mode,
        service,
        JSON.stringify(input),
        nowMs,
        nowMs + CRAWL_MS,
      ],
    )
    await tx.query(
      'insert into page_crawl_pages (crawl_id, place, url, depth) select $1, at - 1, url, 0 from unnest($2::text[]) with ordinality as row (url, at)',
      [id, firstRows(service, input)],
    )
  })
}

function firstRows(service: CrawlService, { url, extraction }: CrawlInput): readonly string[] {
  if (extraction === undefined) return [url]
  return service === 'render/extract' ? [...extraction.urls, DATA_ROW] : extraction.urls
}

type CrawlRow = {
  id: Id
  account_id: Id
  mode: Crawl['mode']
  service: CrawlService
  input: CrawlInput
  deadline_ms: bigint
}

/** Leases up to `count` crawls that no living worker holds, oldest first. */
export async function claimCrawls(
  database: Database,
  worker: Id,
  count: number,
  nowMs: number,
): Promise<Crawl[]> {
  const { rows } = await database.query<CrawlRow>(
    `update page_crawls set worker = $1, lease_ms = $2
      where id in (select id from page_crawls where status = 'scraping' and lease_ms <= $3 order by created_ms limit $4 for update skip locked)
      returning id, account_id, mode, service, input, deadline_ms`,
    [worker, nowMs + LEASE_MS, nowMs, count],
  )
  return rows.map((row) => ({
    id: row.id,
    accountId: row.account_id,
    mode: row.mode,
    service: row.service,
    input: row.input,
    deadlineMs: Number(row.deadline_ms),
  }))
}

/** Extends the leases. Returns the crawls that the worker still holds. */
export async function renewCrawls(
  database: Database,
  worker: Id,
  ids: readonly Id[],
  nowMs: number,
): Promise<ReadonlySet<Id>> {
  const { rows } = await database.query<{ id: Id }>(
    "update page_crawls set lease_ms = $3 where id = any($1) and worker = $2 and status = 'scraping' returning id",
    [ids, worker, nowMs + LEASE_MS],
  )
  return new Set(rows.map(({ id }) => id))
}

/** Leaves crawls to other workers immediately. */
export async function yieldCrawls(
  database: Database,
  worker: Id,
  ids: readonly Id[],
): Promise<void> {
  await database.query('update page_crawls set lease_ms = 0 where id = any($1) and worker = $2', [
    ids,
    worker,
  ])
}

const HELD =
  "exists (select 1 from page_crawls where id = $1 and worker = $2 and status = 'scraping')"

/**
 * The next page to read, with this attempt counted; null if none waits or another worker holds the
 * crawl. A page whose readers ended several times is given up.
 */
export async function beginPage(
  database: Database,
  worker: Id,
  crawl: Id,
): Promise<CrawlPage | null> {
  await database.query(
    `update page_crawl_pages set state = 'failed' where crawl_id = $1 and state = 'waiting' and attempts >= ${MAX_ATTEMPTS} and ${HELD}`,
    [crawl, worker],
  )
  const { rows } = await database.query<CrawlPage>(
    `update page_crawl_pages set attempts = attempts + 1
      where crawl_id = $1 and place = (select min(place) from page_crawl_pages where crawl_id = $1 and state = 'waiting') and ${HELD}
      returning place, url, depth, attempts`,
    [crawl, worker],
  )
  return rows[0] ?? null
}

/** A page that could not be tried, because the gateway was busy, waits without a counted attempt. */
export async function returnPage(
  database: Database,
  worker: Id,
  crawl: Id,
  place: number,
): Promise<void> {
  await database.query(
    `update page_crawl_pages set attempts = attempts - 1 where crawl_id = $1 and place = $3 and state = 'waiting' and ${HELD}`,
    [crawl, worker, place],
  )
}

export async function failPage(
  database: Database,
  worker: Id,
  crawl: Id,
  place: number,
): Promise<void> {
  await database.query(
    `update page_crawl_pages set state = 'failed' where crawl_id = $1 and place = $3 and state = 'waiting' and ${HELD}`,
    [crawl, worker, place],
  )
}

/** `document` is JSON. */
export type StoredPage = { readonly document: string; readonly links: readonly string[] }

/** PostgreSQL's JSON has no zero bytes. */
const NUL = /\\u0000/g

export function toStoredJson(document: unknown): string {
  return JSON.stringify(document).replace(NUL, '')
}

/**
 * Stores a page and adds its links, in one commit, unless another worker holds the crawl. So a page is
 * stored once, also after the death of a worker.
 */
export async function storePage(
  database: Database,
  worker: Id,
  crawl: Crawl,
  page: CrawlPage,
  { document, links }: StoredPage,
): Promise<void> {
  await database.transaction(async (tx) => {
    const { count } = await tx.query(
      `update page_crawl_pages set state = 'read', document = $4, bytes = $5 where crawl_id = $1 and place = $3 and state = 'waiting' and ${HELD}`,
      [crawl.id, worker, page.place, document, Buffer.byteLength(document)],
    )
    if (count === 0 || links.length === 0) return
    await tx.query(
      `with known as (select coalesce(max(place), 0) as last, count(*) as pages from page_crawl_pages where crawl_id = $1),
            fresh as (select url, min(at) as at from unnest($2::text[]) with ordinality as link (url, at)
                       where not exists (select 1 from page_crawl_pages where crawl_id = $1 and page_crawl_pages.url = link.url) group by url)
       insert into page_crawl_pages (crawl_id, place, url, depth)
         select $1, known.last + row_number() over (order by at), url, $3 from fresh, known
          order by at limit (select greatest(0, $4 - pages) from known)
       on conflict do nothing`,
      [crawl.id, links, page.depth + 1, crawl.input.maxPages * FRONTIER_FACTOR],
    )
  })
}

export type CrawlTally = { readonly read: number; readonly waiting: number; readonly bytes: number }

export async function tallyCrawl(database: Database, crawl: Id): Promise<CrawlTally> {
  const { rows } = await database.query<{ read: bigint; waiting: bigint; bytes: bigint }>(
    "select count(*) filter (where state = 'read') as read, count(*) filter (where state = 'waiting') as waiting, coalesce(sum(bytes), 0)::bigint as bytes from page_crawl_pages where crawl_id = $1",
    [crawl],
  )
  const [row] = rows
  return {
    read: Number(row?.read ?? 0),
    waiting: Number(row?.waiting ?? 0),
    bytes: Number(row?.bytes ?? 0),
  }
}

/** Whether the page budget, the size or the known pages are used up. */
export function isCrawlDone(
  { read, waiting, bytes }: CrawlTally,
  { maxPages }: CrawlInput,
): boolean {
  return read >= maxPages || waiting === 0 || bytes >= MAX_CRAWL_BYTES
}

/** A crawl without a page has failed. */
export async function endCrawl(
  database: Database,
  worker: Id,
  crawl: Id,
  hasPages: boolean,
): Promise<void> {
  await database.query(
    "update page_crawls set status = $3 where id = $1 and worker = $2 and status = 'scraping'",
    [crawl, worker, hasPages ? 'completed' : 'failed'],
  )
}

/** Deletes old crawls. Returns their number. */
export async function forgetCrawls(database: Database, nowMs: number): Promise<number> {
  const { count } = await database.query(
    'delete from page_crawls where id in (select id from page_crawls where created_ms < $1 limit 100)',
    [nowMs - CRAWL_RETENTION_MS],
  )
  return count
}
