import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { toRfc3339 } from '../../lib/clock.ts'
import type { Owner } from '../../lib/owner.ts'
import { driverFor, type BrowserDeps } from './browser-deps.ts'
import { recordingField } from './recording-state.ts'
import { findBrowser, isPaidFor, minutesBetween, unknownBrowser } from './browser-row.ts'

/**
 * Whether a session is alive, and how long it is paid for. Queries the vendor, because only it
 * knows whether the client disconnected.
 */
export async function describeBrowser(
  deps: BrowserDeps,
  {
    owner,
    session,
    timeoutMs,
  }: { readonly owner: Owner; readonly session: string; readonly timeoutMs: number },
): Promise<Data> {
  const row = await findBrowser(deps.database, owner, session)
  if (row === undefined) throw unknownBrowser()
  const { status, isAlive, liveViewUrl } = isPaidFor(row, deps.now())
    ? await driverFor(deps, {
        hostSeenMs: row.host_seen_ms,
        host: row.host,
        accountId: owner.accountId,
        timeoutMs,
      }).stateOf(session)
    : { status: 'ended', isAlive: false, liveViewUrl: undefined }
  return {
    sessionId: session,
    status,
    alive: isAlive,
    paidMinutes: isAlive ? minutesBetween(deps.now(), row.paid_until_ms) : 0,
    expiresAt: toRfc3339(Number(row.paid_until_ms)),
    ...(liveViewUrl === undefined ? {} : { liveViewUrl }),
    ...recordingField(row, isAlive, deps.now()),
  }
}
