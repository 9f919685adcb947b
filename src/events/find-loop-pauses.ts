import type { Database } from '../db/database.ts'
import { parsePublicId, type Id } from '../lib/ids.ts'
import type { Owner } from '../lib/owner.ts'
import { EVENT_COLUMNS, eventRecord, type EventRecord, type EventRow } from './event-record.ts'

/**
 * The event of the loop breaker for each of these paused keys that it paused last, by key id. One commit
 * pauses the key and writes both events, so their sequence numbers follow each other.
 */
export async function findLoopPauses(
  database: Pick<Database, 'query'>,
  { accountId, mode }: Pick<Owner, 'accountId' | 'mode'>,
  pausedKeyIds: readonly string[],
): Promise<ReadonlyMap<string, EventRecord>> {
  const ids = pausedKeyIds.flatMap((id) => parsePublicId('key', id) ?? [])
  if (ids.length === 0) return new Map()
  const { rows } = await database.query<EventRow & { readonly key_id: Id }>(
    `select ${EVENT_COLUMNS} from events
     join (select key_id, max(sequence) as sequence from events
           where account_id = $1 and mode = $2 and key_id = any($3::uuid[]) and type = 'key.paused'
           group by key_id) as last
       on events.key_id = last.key_id and events.sequence between last.sequence - 1 and last.sequence + 1
     where account_id = $1 and mode = $2 and type = 'key.loop_suspected'`,
    [accountId, mode, ids],
  )
  return new Map(rows.map(eventRecord).map((event) => [String(event.data['key_id']), event]))
}
