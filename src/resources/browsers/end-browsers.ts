/** Ends sessions whose minutes are over, and has the vendor end those that have ended, until it has heard. */
import { DAY_MS } from '../../lib/clock.ts'
import { publicId, type Id } from '../../lib/ids.ts'
import { askFor, type BrowserDeps } from './browser-deps.ts'
import type { BrowserRow } from './browser-row.ts'
import { endBrowser, findBrowsers } from './browserbase.ts'

const MOST_AT_ONCE = 20
const AGAIN_AFTER_MS = 30_000
/** One of which nobody heard that the vendor opened it may come so long after the call was given up. */
const LOOK_FOR_MS = 10 * 60_000
const TELL_WITHIN_MS = 10_000
/** Whoever releases a session waits so long for the vendor to hear of it; after that it is told in the background. */
const SOON_MS = 5_000
/** As long as what accounts made at other vendors is known. */
const REMEMBERED_MS = 90 * DAY_MS

/** What any process does again and again. */
export async function endBrowsers(deps: BrowserDeps): Promise<void> {
  const { database, target } = deps
  const nowMs = deps.now()
  await database.query(
    'update browser_sessions set ended_ms = paid_until_ms where ended_ms is null and paid_until_ms <= $1',
    [nowMs],
  )
  // A process without the way there leaves it to those that have it.
  if (target === null) return
  for (let heard = true; heard;) {
    const { rows } = await database.query<BrowserRow>(
      `update browser_sessions set tell_at_ms = $2 where id = any(array(select id from browser_sessions where ended_ms is not null and not is_torn_down and tell_at_ms <= $1 order by tell_at_ms limit ${MOST_AT_ONCE} for update skip locked)) returning *`,
      [nowMs, nowMs + AGAIN_AFTER_MS],
    )
    const told = await Promise.allSettled(rows.map((row) => tell(deps, row)))
    // A vendor that hears of none is not told of all: who stops this process waits for it.
    heard = told.length === MOST_AT_ONCE && told.some(({ status }) => status === 'fulfilled')
  }
}

/** Tells the vendor of one that has just ended, unless another process does. Never throws: it is told again later. */
export async function tellSoon(deps: BrowserDeps, id: Id): Promise<void> {
  const { database, now, target } = deps
  if (target === null) return
  const nowMs = now()
  const { rows } = await database.query<BrowserRow>(
    'update browser_sessions set tell_at_ms = $2 where id = $1 and ended_ms is not null and not is_torn_down and tell_at_ms <= $3 returning *',
    [id, nowMs + AGAIN_AFTER_MS, nowMs],
  )
  const [row] = rows
  if (row === undefined) return
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, SOON_MS)))
  await Promise.race([tell(deps, row).catch(() => undefined), late])
  clearTimeout(timer)
}

async function tell(
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
  const ask = askFor(deps, accountId, TELL_WITHIN_MS)
  try {
    const sessions = session === null ? await findBrowsers(ask, publicId('session', id)) : [session]
    await Promise.all(sessions.map((one) => endBrowser(ask, one)))
  } catch (error) {
    // By then the vendor has ended it by itself.
    if (now() < Number(lastsUntilMs)) throw error
  }
  const mayStillCome = session === null && now() - Number(endedMs) < LOOK_FOR_MS
  if (!mayStillCome)
    await database.query('update browser_sessions set is_torn_down = true where id = $1', [id])
}

/** Forgets sessions that ended long ago. Returns how many. */
export async function forgetBrowsers({
  database,
  now,
}: Pick<BrowserDeps, 'database' | 'now'>): Promise<number> {
  const { count } = await database.query(
    'delete from browser_sessions where id = any(array(select id from browser_sessions where ended_ms < $1 limit 1000))',
    [now() - REMEMBERED_MS],
  )
  return count
}
