import type { Database } from '../db/database.ts'

const MONTHS_AHEAD = 2

/** Makes the partitions of this month and the next two. Safe to call at any time, from any number of processes. */
export async function makePartitions(database: Database, nowMs: number): Promise<void> {
  const now = new Date(nowMs)
  for (let ahead = 0; ahead <= MONTHS_AHEAD; ahead += 1) {
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1))
    await database.query('select make_transaction_partition($1::date)', [month.toISOString().slice(0, 10)])
  }
}
