import type { Database } from '../db/database.ts'
import { DAY_MS } from '../lib/clock.ts'

/** Longer than any stop of all processes that work. */
const LATE_MS = 7 * DAY_MS

/** Writes key.expired once for each key whose time has passed. Returns the number of events. */
export async function writeExpiries(database: Database, nowMs: number): Promise<number> {
  const { count } = await database.query(
    `select write_event(
       expires_ms, account_id, mode, keys.id, 'key.expired',
       jsonb_build_object(
         'key_id', public_id('agk', keys.id), 'external_id', external_id,
         'expired_at', to_char(to_timestamp(expires_ms / 1000) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
       ),
       once => format('key.expired %s %s', keys.id, expires_ms)
     ) from budgets join keys on keys.id = budgets.id
     where expires_ms > $1::bigint - ${LATE_MS} and expires_ms <= $1 and state <> 'closed'
       and not exists (
         select from events where events.account_id = keys.account_id
           and once_key = format('key.expired %s %s', keys.id, expires_ms)
       ) limit 1000`,
    [nowMs],
  )
  return count
}
