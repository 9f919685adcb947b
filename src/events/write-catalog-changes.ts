import type { Database } from '../db/database.ts'
import { DAY_MS } from '../lib/clock.ts'
import type { Id } from '../lib/ids.ts'

/** An account is active for this long after the last use of a live key. */
const ACTIVE_MS = 30 * DAY_MS
/** An event names this many actions. A release can change hundreds of prices. */
const MOST_NAMED = 50
const MOST_AT_ONCE = 1_000

// All price changes of one start have one time in the audit log, that of their transaction.
const MISSING = `
  with listed as (
    select id, changed_at, subject_id, fields -> 'price' as price,
      case what when 'deleted' then 'action.unavailable' else 'price.changed' end as type,
      row_number() over (partition by changed_at, what order by subject_id) as place
    from changes
    where subject = 'price' and what <> 'created' and changed_at > now() - interval '1 day'
  ), noticed as (
    select type, type || ' ' || min(id) as once_key, jsonb_build_object(
        'count', count(*),
        'actions', jsonb_agg(
          case type when 'price.changed'
            then jsonb_build_object('action', subject_id, 'before', price -> 0, 'after', price -> 1)
            else jsonb_build_object('action', subject_id, 'before', price -> 0)
          end order by subject_id
        ) filter (where place <= ${MOST_NAMED})
      ) as facts
    from listed group by type, changed_at
  ), active as (
    select distinct account_id from keys join budgets on budgets.id = keys.id
    where mode = 'live' and state <> 'closed' and last_used_ms > $1
      and exists (select from noticed)
  )
  select account_id, type, once_key, facts::text from noticed cross join active
  where not exists (
    select from events
    where events.account_id = active.account_id and events.once_key = noticed.once_key
  ) order by account_id, type limit ${MOST_AT_ONCE}`

type Missing = {
  readonly account_id: Id
  readonly type: string
  readonly once_key: string
  readonly facts: string
}

/**
 * Writes price.changed and action.unavailable to every active account, once for each start that
 * found the catalog changed in the last day (src/audit/record-prices.ts). Each event has a
 * transaction of its own, so that no charge waits for the others. Returns the number of events.
 */
export async function writeCatalogChanges(database: Database, nowMs: number): Promise<number> {
  const { rows } = await database.query<Missing>(MISSING, [nowMs - ACTIVE_MS])
  let written = 0
  for (const { account_id: account, type, once_key: once, facts } of rows) {
    const { rows: events } = await database.query<{ event: Id | null }>(
      "select write_event($1, $2, 'live', null, $3, $4::jsonb, once => $5) as event",
      [nowMs, account, type, facts, once],
    )
    if (events[0]?.event != null) written += 1
  }
  return written
}
