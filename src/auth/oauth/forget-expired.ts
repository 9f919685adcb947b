import type { Database } from '../../db/database.ts'
import { DAY_MS } from '../../lib/clock.ts'
import { forgetRegistrations } from './registrations.ts'
import { GRACE_MS } from './rotation.ts'

/** A code that is used again later than this is unknown; its grant continues. */
const CODE_DAYS = 1

/** Deletes expired codes, registrations, refresh tokens and salts of rotations. The keys stay. */
export async function forgetExpiredOAuth(
  database: Pick<Database, 'query'>,
  nowMs: number,
): Promise<void> {
  await forgetRegistrations(database, nowMs)
  await database.query('delete from oauth_codes where expires_at <= $1', [
    new Date(nowMs - CODE_DAYS * DAY_MS),
  ])
  await database.query(
    "delete from oauth_grants using budgets where budgets.id = key_id and (state = 'closed' or expires_ms <= $1)",
    [nowMs],
  )
  await database.query(
    'update oauth_grants set rotation_salt = null, rotated_at = null where rotated_at <= $1',
    [new Date(nowMs - GRACE_MS)],
  )
}
