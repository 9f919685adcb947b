import type { Database } from '../../db/database.ts'
import type { Id } from '../../lib/ids.ts'
import { removalOf } from './file-usage.ts'

const DELETE = removalOf('account_id = $2')

/**
 * Removes all files and uploads of an account. The sweep removes their bytes within minutes.
 * Returns the number removed.
 */
export async function deleteAllFiles(
  database: Database,
  accountId: Id,
  nowMs: number,
): Promise<number> {
  return (await database.query(DELETE, [new Date(nowMs), accountId])).count
}
