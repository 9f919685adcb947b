import type { Database } from '../db/database.ts'
import type { Owner } from '../lib/owner.ts'
import type { EventWaiters } from './event-waiters.ts'
import { listEvents, type EventPage, type FoundEvents } from './list-events.ts'

export type EventReadDeps = {
  readonly database: Pick<Database, 'query'>
  readonly waiters: EventWaiters
  /** Limits the queries of a request whose account has many events that it does not match. */
  readonly pause: () => Promise<void>
}

/**
 * As `listEvents`. Without a matching event it waits for one, up to `waitMs`, and then returns an
 * empty page. Throws AppError unknown_event, rate_limited.
 */
export async function awaitEvents(
  { database, waiters, pause }: EventReadDeps,
  owner: Owner,
  page: EventPage,
  { waitMs, gone }: { readonly waitMs: number; readonly gone?: AbortSignal },
): Promise<FoundEvents> {
  if (waitMs === 0 || page.after === 'latest') return listEvents(database, owner, page)
  // Waits before the query, so that an event between the two is not missed.
  const waiter = waiters.waitFor(owner, waitMs, gone)
  try {
    for (;;) {
      const found = await listEvents(database, owner, page)
      if (found.events.length > 0 || waiter.isOver()) return found
      await waiter.next()
      if (!waiter.isOver()) await pause()
    }
  } finally {
    waiter.giveUp()
  }
}
