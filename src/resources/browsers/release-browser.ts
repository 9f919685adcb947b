import type { Data } from '../../catalog/vocabulary/outcome.ts'
import type { Owner } from '../../lib/owner.ts'
import type { BrowserDeps } from './browser-deps.ts'
import { lockBrowser, findBrowser, minutesBetween, unknownBrowser } from './browser-row.ts'
import { recordingField } from './recording-state.ts'
import { notifySoon } from './end-browsers.ts'

/** Ends a session once. Repeated calls return the same. */
export async function releaseBrowser(
  deps: BrowserDeps,
  { owner, session }: { readonly owner: Owner; readonly session: string },
): Promise<Data> {
  const { database, now } = deps
  const found = await findBrowser(database, owner, session)
  if (found === undefined) throw unknownBrowser()
  const unused = await database.transaction(async (tx) => {
    const row = (await lockBrowser(tx, found.id)) ?? found
    const endedMs = row.ended_ms ?? now()
    if (row.ended_ms === null)
      await tx.query('update browser_sessions set ended_ms = $2 where id = $1', [row.id, endedMs])
    return minutesBetween(endedMs, row.paid_until_ms)
  })
  await notifySoon(deps, found)
  const row = (await findBrowser(database, owner, session)) ?? found
  return {
    sessionId: session,
    released: true,
    unused_minutes: unused,
    ...recordingField(row, false, now()),
  }
}
