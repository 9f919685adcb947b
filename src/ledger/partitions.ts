import pg from 'pg'
import type { Database } from '../db/database.ts'
import { LOCK_NUMBER } from '../db/lock-number.ts'
import { AppError } from '../errors/app-error.ts'

const MONTHS_AHEAD = 2
/** Lock timeout; or the month already has rows in the default partition, where it then stays. */
const EXPECTED: ReadonlySet<string | undefined> = new Set(['55P03', '23514'])

/**
 * Creates the partitions of this month and the next two. Safe at any time, from any number of
 * processes. Gives up when the table stays locked; rows of a month without a partition go to the
 * default one.
 */
export async function makePartitions(database: Database, nowMs: number): Promise<void> {
  try {
    await database.transaction(async (tx) => {
      // A new partition locks the table and its default partition. Two processes would deadlock.
      // And if one waited for a long reader, every call would wait for it.
      await tx.query("set local lock_timeout = '1s'")
      await tx.query(`select pg_advisory_xact_lock(${LOCK_NUMBER.partitions})`)
      for (const month of monthsFrom(nowMs))
        await tx.query('select make_transaction_partition($1::date)', [month])
    })
  } catch (error) {
    const reason = error instanceof AppError ? error.cause : error
    if (!(reason instanceof pg.DatabaseError && EXPECTED.has(reason.code))) throw error
  }
}

function monthsFrom(nowMs: number): string[] {
  const now = new Date(nowMs)
  return Array.from({ length: MONTHS_AHEAD + 1 }, (_, ahead) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1))
      .toISOString()
      .slice(0, 10),
  )
}
