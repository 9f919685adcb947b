import type { Database } from '../../db/database.ts'
import type { Id } from '../../lib/ids.ts'
import { removalOf } from './room.ts'

const DELETE = removalOf('account_id = $2')

/** Removes all files and slots of an account. Their bytes are handed to the sweep, which any worker does within minutes. Returns how many. */
export async function deleteAllFiles(
  database: Database,
  accountId: Id,
  nowMs: number,
): Promise<number> {
  return (await database.query(DELETE, [new Date(nowMs), accountId])).count
}
