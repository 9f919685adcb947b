/** Finished searches of emailasync, which callers poll. */
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import type { Database } from '../../db/database.ts'
import { DAY_MS } from '../../lib/clock.ts'
import type { Id } from '../../lib/ids.ts'
import type { Owner } from '../../lib/owner.ts'

export type SearchKind = 'email-search' | 'domain-scan' | 'email-verification'

export type EmailSearch = {
  readonly id: Id
  readonly createdMs: number
  /** The status and results of the vendor's shape. */
  readonly item: Data
}

const RETENTION_MS = 30 * DAY_MS
/** As many as the vendor lists. */
const MAX_LISTED = 100

type Row = { readonly id: Id; readonly created_ms: bigint; readonly item: Data }

export async function storeSearch(
  database: Database,
  { accountId }: Pick<Owner, 'accountId'>,
  kind: SearchKind,
  { id, createdMs, item }: EmailSearch,
): Promise<void> {
  await database.query(
    'insert into email_searches (id, account_id, kind, item, created_ms) values ($1, $2, $3, $4, $5)',
    [id, accountId, kind, JSON.stringify(item), createdMs],
  )
}

/** A search of the account; null for an unknown one. */
export async function findSearch(
  database: Database,
  { accountId }: Pick<Owner, 'accountId'>,
  id: Id,
): Promise<EmailSearch | null> {
  const { rows } = await database.query<Row>(
    'select id, created_ms, item from email_searches where id = $1 and account_id = $2',
    [id, accountId],
  )
  return rows[0] === undefined ? null : toSearch(rows[0])
}

/** The latest searches of the account, the newest first. */
export async function listSearches(
  database: Database,
  { accountId }: Pick<Owner, 'accountId'>,
  kind: SearchKind | undefined,
): Promise<readonly EmailSearch[]> {
  const { rows } = await database.query<Row>(
    'select id, created_ms, item from email_searches where account_id = $1 and ($2::text is null or kind = $2) order by created_ms desc, id desc limit $3',
    [accountId, kind ?? null, MAX_LISTED],
  )
  return rows.map(toSearch)
}

function toSearch({ id, created_ms: createdMs, item }: Row): EmailSearch {
  return { id, createdMs: Number(createdMs), item }
}

/** Deletes old searches. Returns their number. */
export async function forgetSearches(database: Database, nowMs: number): Promise<number> {
  const { count } = await database.query(
    'delete from email_searches where id in (select id from email_searches where created_ms < $1 limit 10000)',
    [nowMs - RETENTION_MS],
  )
  return count
}
