/** Has vendors end the machines of sessions that are over, until each has heard. */
import { DAY_MS } from '../../lib/clock.ts'
import type { SessionDeps } from './session-deps.ts'
import type { SessionRow } from './session-row.ts'

const MOST_AT_ONCE = 20
/** By then the vendor has ended the machine by itself. Those that cost nothing while idle have no end there, and it is told until they are forgotten. */
const TELL_FOR_MS = DAY_MS
const AGAIN_AFTER_MS = 30_000
/** A machine whose order was given up, or whose process died, may come so long after that. */
const LOOK_FOR_MS = 10 * 60_000

/** What any process does again and again. No session waits for it: vendors are slow. */
export async function tearDownSessions(deps: SessionDeps): Promise<void> {
  const nowMs = deps.now()
  const { rows } = await deps.database.query<SessionRow>(
    `select * from compute_sessions where closed_ms <= $2 and (closed_ms >= $1 or cpu_hour_micros is not null) and not is_torn_down and tell_at_ms <= $2 order by random() limit ${MOST_AT_ONCE}`,
    [nowMs - TELL_FOR_MS, nowMs],
  )
  await Promise.allSettled(rows.map((row) => tearDown(deps, row)))
}

/** Throws what the vendor failed with; it is asked again later. */
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
  // A process without the way there leaves it to those that have it.
  if (box === null) return
  const nowMs = now()
  const { rows } = await database.query<Pick<SessionRow, 'handle' | 'closed_ms'>>(
    'update compute_sessions set tell_at_ms = $2 where id = $1 and closed_ms is not null and not is_torn_down and tell_at_ms <= $3 returning handle, closed_ms',
    [id, nowMs + AGAIN_AFTER_MS, nowMs],
  )
  const [row] = rows
  if (row === undefined) return
  const handles = row.handle === null ? await box.find(id) : [row.handle]
  await Promise.all(handles.map((handle) => box.close(handle)))
  const mayStillCome = row.handle === null && nowMs - Number(row.closed_ms) < LOOK_FOR_MS
  if (!mayStillCome)
    await database.query(
      'update compute_sessions set is_torn_down = true, handle = null where id = $1',
      [id],
    )
}
