import pg from 'pg'
import type { Database } from '../../db/database.ts'
import { LOCK_NUMBER } from '../../db/lock-number.ts'
import { AppError } from '../../errors/app-error.ts'
import { DAY_MS } from '../../lib/clock.ts'
import { firstIdAt, uuidOf } from '../../lib/ids.ts'

/** Days for which the log is stored, unless the operator changes it. */
export const CALL_LOG_DAYS = 7
const DAYS_AHEAD = 2
const TABLES = ['call_log', 'call_bodies'] as const
/** Lock timeout; or the day already has rows in the default partition, where it then stays. */
const EXPECTED: ReadonlySet<string | undefined> = new Set(['55P03', '23514'])

type Span = { readonly nowMs: number; readonly days: number }

/**
 * Creates the partitions of today and the next two days, and drops those that ended `days` days ago.
 * Safe at any time, from any number of processes. Gives up while a table stays locked; the next run
 * continues, and rows of a day without a partition go to the default one.
 */
export async function keepCallLog(
  database: Pick<Database, 'transaction' | 'query'>,
  { nowMs, days }: Span,
): Promise<void> {
  const today = Math.floor(nowMs / DAY_MS)
  const oldest = today - days
  for (const table of TABLES) {
    for (let day = today; day <= today + DAYS_AHEAD; day += 1)
      await changeLocked(database, createPartition(table, day))
    const { rows } = await database.query<{ name: string }>(
      'select child.relname as name from pg_inherits join pg_class as child on child.oid = inhrelid where inhparent = $1::text::regclass',
      [table],
    )
    const ended = rows.filter(({ name }) => (dayOf(name) ?? Infinity) < oldest)
    for (const { name } of ended) await changeLocked(database, `drop table if exists ${name}`)
    await database.query(`delete from ${table}_default where id < $1`, [firstIdAt(oldest * DAY_MS)])
  }
}

async function changeLocked(
  database: Pick<Database, 'transaction'>,
  statement: string,
): Promise<void> {
  try {
    await database.transaction(async (tx) => {
      // Otherwise a change that waits for a long reader would make every writer wait.
      await tx.query("set local lock_timeout = '1s'")
      await tx.query(`select pg_advisory_xact_lock(${LOCK_NUMBER.partitions})`)
      await tx.query(statement)
    })
  } catch (error) {
    const reason = error instanceof AppError ? error.cause : error
    if (!(reason instanceof pg.DatabaseError && EXPECTED.has(reason.code))) throw error
  }
}

function createPartition(table: string, day: number): string {
  const bounds = [day, day + 1].map((one) => `'${uuidOf(firstIdAt(one * DAY_MS))}'`)
  return `create table if not exists ${table}_${nameOf(day)} partition of ${table} for values from (${bounds[0]}) to (${bounds[1]})`
}

function nameOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '_')
}

/** The day of a partition, counted from 1970-01-01; null for the default one. */
function dayOf(name: string): number | null {
  const [, year, month, day] = /_(\d{4})_(\d\d)_(\d\d)$/.exec(name) ?? []
  return year === undefined ? null : Date.UTC(Number(year), Number(month) - 1, Number(day)) / DAY_MS
}
