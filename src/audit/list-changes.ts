import type { Database, SqlValue } from '../db/database.ts'
import { decodeCursor, encodeCursor } from '../lib/cursor.ts'
import { csvLine } from '../lib/csv.ts'
import { DAY_MS } from '../lib/clock.ts'
import type { Id } from '../lib/ids.ts'
import {
  CHANGE_COLUMNS,
  changeRecord,
  type ChangeRecord,
  type ChangeRow,
  type ChangeSubject,
} from './change-record.ts'

/** Without `accountId`: the changes of all accounts, and those that concern none. */
export type ChangeFilter = {
  readonly accountId?: Id
  readonly fromMs?: number
  /** Exclusive. */
  readonly toMs?: number
  /** Only changes by operators: at the command line or in the console. */
  readonly byOperators?: boolean
  readonly subject?: ChangeSubject
}

export type ChangePage = {
  readonly changes: readonly ChangeRecord[]
  readonly nextCursor: string | null
}

const ROWS_PER_READ = 1_000
// No index has the subject. A page ends where its scan ended, and the next one continues there.
const LOOKED_THROUGH = 20_000
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
  const values: SqlValue[] = [
    filter.accountId ?? null,
    filter.fromMs === undefined ? null : new Date(filter.fromMs),
    filter.toMs === undefined ? null : new Date(filter.toMs),
    before,
  ]
  const looked = `select id, changed_at, account_id, author, origin, request_id, reason, subject, subject_id, what, fields
       from changes
       where ($1::uuid is null or account_id = $1)
         and ($2::timestamptz is null or changed_at >= $2)
         and ($3::timestamptz is null or changed_at < $3)
         and id < $4 ${filter.byOperators === true ? "and author like 'operator %'" : ''}
       order by id desc limit`
  const { rows } =
    filter.subject === undefined
      ? await database.query<ChangeRow>(`${looked} $5`, [...values, limit + 1])
      : await database.query<ChangeRow>(
          `select * from (${looked} ${LOOKED_THROUGH}) as looked where subject = $6 order by id desc limit $5`,
          [...values, limit + 1, filter.subject],
        )
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1)?.id : undefined
  const stop =
    last !== undefined || filter.subject === undefined
      ? last
      : await endOfScan(database, looked, values)
  return {
    changes: shown.map(changeRecord),
    nextCursor: stop === undefined ? null : encodeCursor(stop.toString(16).padStart(32, '0')),
  }
}

/** The last entry that a page with a subject scanned; undefined at the end of the log. */
async function endOfScan(
  database: Pick<Database, 'query'>,
  looked: string,
  values: readonly SqlValue[],
): Promise<bigint | undefined> {
  const { rows } = await database.query<{ id: bigint }>(
    `${looked} 1 offset ${LOOKED_THROUGH - 1}`,
    [...values],
  )
  return rows[0]?.id
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
