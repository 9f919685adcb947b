import type { Database } from '../../../db/database.ts'
import type { Clock } from '../../../lib/clock.ts'
import { parsePublicId, publicId, type Id } from '../../../lib/ids.ts'
import { HOST_LOST_MS } from './own-driver.ts'
import type { OwnBrowsers } from './own-browsers.ts'

/** An extension in another process becomes known here within this time. */
const EXTENSION_MS = HOST_LOST_MS

export type TendingDeps = {
  readonly database: Database
  readonly now: Clock
  readonly own?: OwnBrowsers | undefined
}

/**
 * Reports the browsers of this process, ends those whose session has ended, and closes the sessions
 * of browsers that are gone. Every process runs it.
 */
export async function tendOwnBrowsers({ database, now, own }: TendingDeps): Promise<void> {
  const nowMs = now()
  if (own !== undefined) {
    const gone = own.ended()
    await database.query(
      'update browser_sessions set ended_ms = coalesce(ended_ms, $2), is_torn_down = true where id = any($1)',
      [gone.map(idOf), nowMs],
    )
    own.forget(gone)
    const running = own.running()
    const { rows } = await database.query<{ id: Id; paid_until_ms: bigint }>(
      'update browser_sessions set host_seen_ms = $2 where id = any($1) and ended_ms is null and paid_until_ms > $2 returning id, paid_until_ms',
      [running.map(idOf), nowMs],
    )
    const paid = new Set(rows.map(({ id }) => publicId('session', id)))
    for (const { id, paid_until_ms: paidUntilMs } of rows)
      own.endAfter(publicId('session', id), Number(paidUntilMs) - nowMs + EXTENSION_MS)
    await Promise.all(running.filter((one) => !paid.has(one)).map((one) => own.end(one)))
  }
  // Their process has ended, and its browsers with it.
  await database.query(
    'update browser_sessions set ended_ms = coalesce(ended_ms, $1), is_torn_down = true where host_seen_ms < $2 and not is_torn_down and (ended_ms is not null or session is not null)',
    [nowMs, nowMs - HOST_LOST_MS],
  )
}

const idOf = (session: string): Id | null => parsePublicId('session', session)
