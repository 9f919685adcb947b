import type { Database } from '../db/database.ts'
import { AppError } from '../errors/app-error.ts'
import { DAY_MS } from '../lib/clock.ts'
import { firstIdAt, parsePublicId } from '../lib/ids.ts'
import { onlyMaker, type Owner } from '../lib/owner.ts'
import { EVENT_COLUMNS, eventRecord, type EventRecord, type EventRow } from './event-record.ts'

/** Longer than the longest period of a limit, so that no threshold is written twice. */
export const EVENTS_STORED_MS = 35 * DAY_MS

/** `after`: an event id, "latest", or null for the oldest stored event. `types`: as in a webhook. */
export type EventPage = {
  readonly after: string | null
  readonly limit: number
  readonly types: readonly string[]
}

/** The events after a cursor, oldest first. `nextAfter` is the cursor of the next request. */
export type FoundEvents = {
  readonly events: readonly EventRecord[]
  readonly nextAfter: string | null
}

const VISIBLE = 'account_id = $1 and mode = $2 and ($3::uuid is null or key_id = $3)'

function visibleTo(owner: Owner) {
  return [owner.accountId, owner.mode, onlyMaker(owner)] as const
}

/** Throws AppError unknown_event for a cursor that the owner does not see. */
export async function listEvents(
  database: Pick<Database, 'query'>,
  owner: Owner,
  { after, limit, types }: EventPage,
): Promise<FoundEvents> {
  if (after === 'latest') {
    const [latest] = await listLatestEvents(database, owner, 1)
    return { events: [], nextAfter: latest?.id ?? null }
  }
  const from = after === null ? 0n : await sequenceOf(database, owner, after)
  const { rows } = await database.query<EventRow>(
    `select ${EVENT_COLUMNS} from events where ${VISIBLE} and sequence > $4
       and ($5::text[] is null or receives_event($5, type)) order by sequence limit $6`,
    [...visibleTo(owner), from, types.length === 0 ? null : types, limit],
  )
  const events = rows.map(eventRecord)
  return { events, nextAfter: events.at(-1)?.id ?? after }
}

/** Throws AppError unknown_event. */
export async function readEvent(
  database: Pick<Database, 'query'>,
  owner: Owner,
  id: string,
): Promise<EventRecord> {
  const { rows } = await database.query<EventRow>(
    `select ${EVENT_COLUMNS} from events where ${VISIBLE} and id = $4`,
    [...visibleTo(owner), parsePublicId('event', id)],
  )
  const [row] = rows
  if (row === undefined) throw new AppError('unknown_event')
  return eventRecord(row)
}

/** Newest first. */
export async function listLatestEvents(
  database: Pick<Database, 'query'>,
  owner: Owner,
  limit: number,
): Promise<readonly EventRecord[]> {
  const { rows } = await database.query<EventRow>(
    `select ${EVENT_COLUMNS} from events where ${VISIBLE} order by sequence desc limit $4`,
    [...visibleTo(owner), limit],
  )
  return rows.map(eventRecord)
}

async function sequenceOf(
  database: Pick<Database, 'query'>,
  owner: Owner,
  after: string,
): Promise<bigint> {
  const { rows } = await database.query<{ sequence: bigint }>(
    `select sequence from events where ${VISIBLE} and id = $4`,
    [...visibleTo(owner), parsePublicId('event', after)],
  )
  const [row] = rows
  if (row === undefined) throw new AppError('unknown_event', undefined, { param: 'after' })
  return row.sequence
}

/** Deletes events, with their deliveries, and unused paces after their retention time. Returns the number of events. */
export async function deleteOldEvents(database: Database, nowMs: number): Promise<number> {
  const { count } = await database.query(
    'delete from events where id in (select id from events where id < $1 order by id limit 10000)',
    [firstIdAt(nowMs - EVENTS_STORED_MS)],
  )
  await database.query('delete from delivery_paces where busy_until_ms < $1', [
    nowMs - EVENTS_STORED_MS,
  ])
  return count
}
