import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { toRfc3339 } from '../../lib/clock.ts'
import type { Owner } from '../../lib/owner.ts'
import { askFor, type BrowserParts } from './browser-parts.ts'
import { findBrowser, isPaidFor, minutesBetween, unknownBrowser } from './browser-row.ts'
import { stateOfBrowser } from './browserbase.ts'

/** Whether it lives, and for how long it is paid. Its vendor is asked, which alone knows whether its client has left. */
export async function tellBrowser(
  parts: BrowserParts,
  {
    owner,
    session,
    timeoutMs,
  }: { readonly owner: Owner; readonly session: string; readonly timeoutMs: number },
): Promise<Data> {
  const row = await findBrowser(parts.database, owner, session)
  if (row === undefined) throw unknownBrowser()
  const { status, isAlive } = isPaidFor(row, parts.now())
    ? await stateOfBrowser(askFor(parts, owner.accountId, timeoutMs), session)
    : { status: 'ended', isAlive: false }
  return {
    sessionId: session,
    status,
    alive: isAlive,
    paidMinutes: isAlive ? minutesBetween(parts.now(), row.paid_until_ms) : 0,
    expiresAt: toRfc3339(Number(row.paid_until_ms)),
  }
}
