import { AppError } from '../../errors/app-error.ts'
import { toRfc3339 } from '../../lib/clock.ts'
import { publicId, type Id } from '../../lib/ids.ts'
import type { Owner } from '../../lib/owner.ts'
import { REFUSALS } from '../sessions/open-session.ts'
import { askFor, type BrowserDeps, type Sale } from './browser-deps.ts'
import { lockBrowser, MINUTE_MS } from './browser-row.ts'
import { LONGEST_SECONDS, makeBrowser, type BrowserOrder, type MadeBrowser } from './browserbase.ts'
import { tellSoon } from './end-browsers.ts'

/** `id`: the call's. `givenUpMs`: when nobody waits for the call any more, and its hold may be gone. */
export type OpeningCall = Omit<BrowserOrder, 'label'> & {
  readonly id: Id
  readonly owner: Owner
  readonly timeoutMs: number
  readonly givenUpMs: number
}

/**
 * Has the vendor open a session, and sells its first minutes: as many as were asked for, or as the vendor lets it last.
 * Throws what the vendor failed with; nothing is sold then, and what it may have opened all the same is found and ended.
 */
export async function openBrowser<Answer>(
  deps: BrowserDeps,
  call: OpeningCall,
  sell: Sale<Answer>,
): Promise<Answer> {
  const { database, now } = deps
  const ask = askFor(deps, call.owner.accountId, call.timeoutMs)
  const orderedMs = now()
  // Written down before the vendor is asked: should this process die, others look for what was opened.
  await database.query(
    'insert into browser_sessions (id, account_id, key_id, opened_ms, paid_until_ms, lasts_until_ms) values ($1, $2, $3, $4, $5, $6)',
    [
      call.id,
      call.owner.accountId,
      call.owner.keyId,
      orderedMs,
      call.givenUpMs,
      orderedMs + LONGEST_SECONDS * 1000,
    ],
  )
  let made: MadeBrowser
  try {
    made = await makeBrowser(ask, { ...call, label: publicId('session', call.id) })
  } catch (error) {
    await giveUp(deps, call.id, null, !(error instanceof AppError && REFUSALS.has(error.code)))
    throw error
  }
  try {
    return await database.transaction(async (tx) => {
      const nowMs = now()
      const row = await lockBrowser(tx, call.id)
      if (row === undefined || row.ended_ms !== null)
        throw new AppError(
          'upstream_timeout',
          'The session came after the call had been given up. Nothing was charged.',
        )
      const minutes = Math.min(call.minutes, Math.max(1, Math.round(made.lastsMs / MINUTE_MS)))
      const paidUntilMs = nowMs + minutes * MINUTE_MS
      await tx.query(
        'update browser_sessions set session = $2, opened_ms = $3, paid_until_ms = $4, lasts_until_ms = $5 where id = $1',
        [call.id, made.session, nowMs, paidUntilMs, orderedMs + made.lastsMs],
      )
      return sell(tx, {
        minutes,
        data: {
          sessionId: made.session,
          connectUrl: made.connectUrl,
          paidMinutes: minutes,
          expiresAt: toRfc3339(paidUntilMs),
        },
      })
    })
  } catch (error) {
    await giveUp(deps, call.id, made.session, true)
    await tellSoon(deps, call.id)
    throw error
  }
}

/** Ends it, unless it was sold: a commit whose answer got lost may have come through. */
async function giveUp(
  { database, now }: BrowserDeps,
  id: Id,
  session: string | null,
  mayBeThere: boolean,
): Promise<void> {
  await database.query(
    'update browser_sessions set ended_ms = coalesce(ended_ms, $2), session = $3, is_torn_down = $4, tell_at_ms = 0 where id = $1 and session is null',
    [id, now(), session, !mayBeThere],
  )
}
