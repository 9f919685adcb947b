import type { Database } from '../db/database.ts'
import type { Clock } from '../lib/clock.ts'

/** Dependencies of the functions in this folder. */
export type KeyDeps = {
  readonly database: Database
  readonly now: Clock
  /**
   * Drops this process's cached entries of these changes: hashes of secrets, and trees of keys.
   * Other processes are notified by the database.
   */
  readonly forget: (changes: readonly string[]) => void
}
