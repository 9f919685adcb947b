/**
 * Ends sessions after their paid minutes, and notifies the vendor of ended sessions until it has
 * confirmed.
 */
import { DAY_MS } from '../../lib/clock.ts'
import type { Database } from '../../db/database.ts'
import { mayAct } from '../../db/may-act.ts'
import { publicId, type Id } from '../../lib/ids.ts'
import { driverFor, type BrowserDeps } from './browser-deps.ts'
import type { BrowserRow } from './browser-row.ts'
import { endReached } from './in-house/host/reach-browser.ts'
import { tendOwnBrowsers } from './in-house/tend-own-browsers.ts'

const BATCH_SIZE = 20
const RETRY_MS = 30_000
/** How long to search for a session whose order was given up without a response. */
const SEARCH_MS = 10 * 60_000
const NOTIFY_TIMEOUT_MS = 10_000
/**
 * How long a caller that releases a session waits for the vendor; then the vendor is notified in
 * the background.
 */
const RELEASE_WAIT_MS = 5_000
/** As long as references to other vendors' resources are stored. */
const RETENTION_MS = 90 * DAY_MS

const MAKER_MAY_ACT = mayAct({
  account: 'browser_sessions.account_id',
  key: 'browser_sessions.key_id',
  nowMs: '$1::bigint',
  madeMs: 'opened_ms',
})

/** A periodic chore of every process. Also ends the sessions of revoked keys and paused accounts. */
export async function endBrowsers(deps: BrowserDeps): Promise<void> {
  const { database, target } = deps
  const nowMs = deps.now()
  await database.query(
    `update browser_sessions set ended_ms = least(paid_until_ms, $1::bigint) where ended_ms is null and (paid_until_ms <= $1 or not ${MAKER_MAY_ACT})`,
    [nowMs],
  )
  await tendOwnBrowsers(deps)
  // A process without the vendor's key leaves this to processes that have it.
  if (target === null) return
  for (let isMore = true; isMore;) {
    const { rows } = await database.query<BrowserRow>(
      `update browser_sessions set tell_at_ms = $2 where id = any(array(select id from browser_sessions where host_seen_ms is null and ended_ms is not null and not is_torn_down and tell_at_ms <= $1 order by tell_at_ms limit ${BATCH_SIZE} for update skip locked)) returning *`,
      [nowMs, nowMs + RETRY_MS],
    )
    const results = await Promise.allSettled(rows.map((row) => notifyVendor(deps, row)))
    // Stops if the vendor confirms none of a batch, because a stop of the process waits for this
    // loop.
    isMore = results.length === BATCH_SIZE && results.some(({ status }) => status === 'fulfilled')
  }
}

/**
 * Notifies the vendor of a session that has just ended, unless another process does. Never throws:
 * the notification is retried later.
 */
export async function notifySoon(
  deps: BrowserDeps,
  { id, host }: Pick<BrowserRow, 'id' | 'host'>,
): Promise<void> {
  const { database, now, target, own } = deps
  await endReached(own, { session: publicId('session', id), host })
  if (target === null) return
  const nowMs = now()
  const { rows } = await database.query<BrowserRow>(
    'update browser_sessions set tell_at_ms = $2 where id = $1 and host_seen_ms is null and ended_ms is not null and not is_torn_down and tell_at_ms <= $3 returning *',
    [id, nowMs + RETRY_MS, nowMs],
  )
  const [row] = rows
  if (row === undefined) return
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, RELEASE_WAIT_MS)))
  await Promise.race([notifyVendor(deps, row).catch(() => undefined), late])
  clearTimeout(timer)
}

async function notifyVendor(
  deps: BrowserDeps,
  {
    id,
    account_id: accountId,
    session,
    lasts_until_ms: lastsUntilMs,
    ended_ms: endedMs,
  }: BrowserRow,
): Promise<void> {
  const { database, now } = deps
  const driver = driverFor(deps, {
    hostSeenMs: null,
    host: null,
    accountId,
    timeoutMs: NOTIFY_TIMEOUT_MS,
  })
  try {
    const sessions = session === null ? await driver.find(publicId('session', id)) : [session]
    await Promise.all(sessions.map((one) => driver.end(one)))
  } catch (error) {
    // By then the vendor has ended the session itself.
    if (now() < Number(lastsUntilMs)) throw error
  }
  const mayStillCome = session === null && now() - Number(endedMs) < SEARCH_MS
  if (!mayStillCome)
    await database.query('update browser_sessions set is_torn_down = true where id = $1', [id])
}

/** Ends all sessions of an account within seconds. Videos that are not stored yet never are. */
export async function endBrowsersOf(
  database: Database,
  accountId: Id,
  nowMs: number,
): Promise<void> {
  await database.query(
    "update browser_sessions set ended_ms = coalesce(ended_ms, $2), recording = case when recording = 'recording' then 'failed' else recording end where account_id = $1",
    [accountId, nowMs],
  )
}

/** Deletes sessions that ended long ago. Returns their number. */
export async function forgetBrowsers({
  database,
  now,
}: Pick<BrowserDeps, 'database' | 'now'>): Promise<number> {
  const { count } = await database.query(
    'delete from browser_sessions where id = any(array(select id from browser_sessions where ended_ms < $1 limit 1000))',
    [now() - RETENTION_MS],
  )
  return count
}
