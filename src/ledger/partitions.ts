import pg from 'pg'
import type { Database } from '../db/database.ts'
import { LOCK_NUMBER } from '../db/lock-number.ts'
import { AppError } from '../errors/app-error.ts'

const MONTHS_AHEAD = 2
/** The lock was not to be had in time; or what had it wrote the month's first row into the default partition, where the month then stays. */
const IN_THE_WAY: ReadonlySet<string | undefined> = new Set(['55P03', '23514'])

/**
 * Makes the partitions of this month and the next two. Safe to call at any time, from any number of processes. Gives
 * up when the table is in use for long; rows without a partition of their own land in the default one until then.
 */
export async function makePartitions(database: Database, nowMs: number): Promise<void> {
  try {
    await database.transaction(async (tx) => {
      // A new partition locks the table and its default partition: two processes that make one at once would wait for
      // each other in a circle, and behind one that waits for a long reader every call would wait too.
      await tx.query("set local lock_timeout = '1s'")
      await tx.query(`select pg_advisory_xact_lock(${LOCK_NUMBER.partitions})`)
      for (const month of monthsFrom(nowMs))
        await tx.query('select make_transaction_partition($1::date)', [month])
    })
  } catch (error) {
    const reason = error instanceof AppError ? error.cause : error
    if (!(reason instanceof pg.DatabaseError && IN_THE_WAY.has(reason.code))) throw error
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
