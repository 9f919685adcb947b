import type { Database } from '../../../db/database.ts'
import type { Clock } from '../../../lib/clock.ts'
import { parsePublicId, publicId, type Id } from '../../../lib/ids.ts'
import { HOST_LOST_MS } from './own-driver.ts'
import type { OwnBrowsers } from './own-browsers.ts'

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
      'update browser_sessions set ended_ms = coalesce(ended_ms, $2), is_torn_down = true where session = any($1)',
      [gone, nowMs],
    )
    own.forget(gone)
    const running = own.running()
    const { rows } = await database.query<{ id: Id }>(
      'update browser_sessions set host_seen_ms = $2 where id = any($1) and ended_ms is null returning id',
      [running.map((session) => parsePublicId('session', session)), nowMs],
    )
    const paid = new Set(rows.map(({ id }) => publicId('session', id)))
    await Promise.all(running.filter((one) => !paid.has(one)).map((one) => own.end(one)))
  }
  // Their process has ended, and its browsers with it.
  await database.query(
    'update browser_sessions set ended_ms = coalesce(ended_ms, $1), is_torn_down = true where host_seen_ms < $2 and not is_torn_down and (ended_ms is not null or session is not null)',
    [nowMs, nowMs - HOST_LOST_MS],
  )
}
