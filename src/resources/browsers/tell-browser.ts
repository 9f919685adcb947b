import type { Data } from '../../catalog/outcome.ts'
import { toRfc3339 } from '../../lib/clock.ts'
import type { Id } from '../../lib/ids.ts'
import { askFor, type BrowserParts } from './browser-parts.ts'
import { findBrowser, isPaidFor, minutesBetween, unknownBrowser } from './browser-row.ts'
import { stateOfBrowser } from './browserbase.ts'

/** Whether it lives, and for how long it is paid. Its vendor is asked, which alone knows whether its client has left. */
export async function tellBrowser(parts: BrowserParts, { accountId, session, timeoutMs }: { readonly accountId: Id; readonly session: string; readonly timeoutMs: number }): Promise<Data> {
  const row = await findBrowser(parts.database, accountId, session)
  if (row === undefined) throw unknownBrowser()
  const { status, isAlive } = isPaidFor(row, parts.now()) ? await stateOfBrowser(askFor(parts, accountId, timeoutMs), session) : { status: 'ended', isAlive: false }
  return { sessionId: session, status, alive: isAlive, paidMinutes: isAlive ? minutesBetween(parts.now(), row.paid_until_ms) : 0, expiresAt: toRfc3339(Number(row.paid_until_ms)) }
}
