import type { Database } from '../db/database.ts'
import { decodeCursor, encodeCursor } from '../lib/cursor.ts'
import { csvLine } from '../lib/csv.ts'
import { DAY_MS } from '../lib/clock.ts'
import type { Id } from '../lib/ids.ts'
import { CHANGE_COLUMNS, changeRecord, type ChangeRecord, type ChangeRow } from './change-record.ts'

/** Without `accountId`: the changes of all accounts, and those that concern none. */
export type ChangeFilter = {
  readonly accountId?: Id
  readonly fromMs?: number
  /** Exclusive. */
  readonly toMs?: number
}

export type ChangePage = {
  readonly changes: readonly ChangeRecord[]
  readonly nextCursor: string | null
}

const ROWS_PER_READ = 1_000
const KEPT_MS = 2 * 366 * DAY_MS
const FIRST_PAGE = 'f'.repeat(15)

/** The audit log, newest first. Throws AppError invalid_params for an invalid cursor. */
export async function listChanges(
  database: Pick<Database, 'query'>,
  {
    filter,
    cursor,
    limit,
  }: { readonly filter: ChangeFilter; readonly cursor: string | null; readonly limit: number },
): Promise<ChangePage> {
  const before = BigInt(`0x${cursor === null ? FIRST_PAGE : decodeCursor(cursor)}`)
  const { rows } = await database.query<ChangeRow>(
    `select id, changed_at, account_id, author, origin, request_id, subject, subject_id, what, fields
       from changes
       where ($1::uuid is null or account_id = $1)
         and ($2::timestamptz is null or changed_at >= $2)
         and ($3::timestamptz is null or changed_at < $3)
         and id < $4
       order by id desc limit $5`,
    [
      filter.accountId ?? null,
      filter.fromMs === undefined ? null : new Date(filter.fromMs),
      filter.toMs === undefined ? null : new Date(filter.toMs),
      before,
      limit + 1,
    ],
  )
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return {
    changes: shown.map(changeRecord),
    nextCursor: last === undefined ? null : encodeCursor(last.id.toString(16).padStart(32, '0')),
  }
}

/** The matching part of the audit log as text, newest first, one page in memory at a time. */
export async function* exportChanges(
  database: Pick<Database, 'query'>,
  { filter, format }: { readonly filter: ChangeFilter; readonly format: 'csv' | 'ndjson' },
): AsyncGenerator<string> {
  if (format === 'csv') yield csvLine(CHANGE_COLUMNS)
  let cursor: string | null = null
  do {
    const page: ChangePage = await listChanges(database, { filter, cursor, limit: ROWS_PER_READ })
    if (page.changes.length > 0)
      yield page.changes
        .map((change) =>
          format === 'csv'
            ? csvLine(CHANGE_COLUMNS.map((column) => change[column]))
            : `${JSON.stringify(change)}\n`,
        )
        .join('')
    cursor = page.nextCursor
  } while (cursor !== null)
}

/** Deletes entries that are two years old. Returns the number of deleted entries. */
export async function forgetChanges(database: Database, nowMs: number): Promise<number> {
  const { count } = await database.query('delete from changes where changed_at < $1', [
    new Date(nowMs - KEPT_MS),
  ])
  return count
}
