/**
 * Ends the machines of closed sessions at their vendors, and retries until each vendor has
 * confirmed.
 */
import { DAY_MS } from '../../lib/clock.ts'
import { endLostSessions } from './end-lost-sessions.ts'
import type { SessionDeps } from './session-deps.ts'
import type { SessionRow } from './session-row.ts'

const BATCH_SIZE = 20
/**
 * By then the vendor has ended the machine itself. Machines with free idle time do not end there,
 * so they are retried until their session is deleted.
 */
const RETRY_FOR_MS = DAY_MS
const RETRY_MS = 30_000
/** How long to search for a machine whose order was given up or whose process died. */
const SEARCH_MS = 10 * 60_000

/** Also ends sessions of dead processes. A periodic chore of every process. No session waits for it, because vendors are slow. */
export async function tearDownSessions(deps: SessionDeps): Promise<void> {
  await endLostSessions(deps)
  const nowMs = deps.now()
  const { rows } = await deps.database.query<SessionRow>(
    `select * from compute_sessions where closed_ms <= $2 and (closed_ms >= $1 or cpu_hour_micros is not null) and not is_torn_down and tell_at_ms <= $2 order by random() limit ${BATCH_SIZE}`,
    [nowMs - RETRY_FOR_MS, nowMs],
  )
  await Promise.allSettled(rows.map((row) => tearDown(deps, row)))
}

/** Throws the vendor's failure; a later run tries again. */
export async function tearDown(
  { database, now, boxFor }: SessionDeps,
  {
    id,
    service,
    mode,
    account_id: accountId,
  }: Pick<SessionRow, 'id' | 'service' | 'mode' | 'account_id'>,
): Promise<void> {
  const box = boxFor(service, mode, accountId)
  // A process without the vendor's key leaves this to processes that have it.
  if (box === null) return
  const nowMs = now()
  const { rows } = await database.query<Pick<SessionRow, 'handle' | 'closed_ms'>>(
    'update compute_sessions set tell_at_ms = $2 where id = $1 and closed_ms is not null and not is_torn_down and tell_at_ms <= $3 returning handle, closed_ms',
    [id, nowMs + RETRY_MS, nowMs],
  )
  const [row] = rows
  if (row === undefined) return
  const handles = row.handle === null ? await box.find(id) : [row.handle]
  await Promise.all(handles.map((handle) => box.close(handle)))
  const mayStillCome = row.handle === null && nowMs - Number(row.closed_ms) < SEARCH_MS
  if (!mayStillCome)
    await database.query(
      'update compute_sessions set is_torn_down = true, handle = null where id = $1',
      [id],
    )
}
