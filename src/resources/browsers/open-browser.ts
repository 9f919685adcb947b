import { AppError } from '../../errors/app-error.ts'
import { toRfc3339 } from '../../lib/clock.ts'
import { publicId, type Id } from '../../lib/ids.ts'
import type { Owner } from '../../lib/owner.ts'
import { REFUSALS } from '../sessions/open-session.ts'
import { driverFor, type BrowserDeps, type Sale } from './browser-deps.ts'
import { lockBrowser, MINUTE_MS } from './browser-row.ts'
import { LONGEST_SECONDS, type BrowserOrder, type MadeBrowser } from './browser-driver.ts'
import { notifySoon } from './end-browsers.ts'

/** `id`: the call's. `givenUpMs`: when the call has ended and its hold may be released. */
export type OpeningCall = Omit<BrowserOrder, 'label'> & {
  readonly isInHouse: boolean
  readonly id: Id
  readonly owner: Owner
  readonly timeoutMs: number
  readonly givenUpMs: number
}

/**
 * Opens a session at the vendor, or on this machine, and sells its first minutes: the requested number, or as many as
 * the vendor allows. Throws the vendor's failure; then nothing is sold, and a session that the
 * vendor may have opened is found and ended.
 */
export async function openBrowser<Answer>(
  deps: BrowserDeps,
  call: OpeningCall,
  sell: Sale<Answer>,
): Promise<Answer> {
  const { database, now } = deps
  const orderedMs = now()
  const hostSeenMs = call.isInHouse ? BigInt(orderedMs) : null
  const host = call.isInHouse ? (deps.own?.host?.name ?? null) : null
  const driver = driverFor(deps, {
    hostSeenMs,
    host,
    accountId: call.owner.accountId,
    timeoutMs: call.timeoutMs,
  })
  // Recorded before the request: if this process dies, others search for the session.
  await database.query(
    'insert into browser_sessions (id, account_id, key_id, opened_ms, paid_until_ms, lasts_until_ms, host_seen_ms, host, recording) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)',
    [
      call.id,
      call.owner.accountId,
      call.owner.keyId,
      orderedMs,
      call.givenUpMs,
      orderedMs + LONGEST_SECONDS * 1000,
      hostSeenMs,
      host,
      call.record === true ? 'recording' : null,
    ],
  )
  let made: MadeBrowser
  try {
    made = await driver.make({ ...call, label: publicId('session', call.id) })
  } catch (error) {
    await giveUp(deps, call.id, null, !(error instanceof AppError && REFUSALS.has(error.code)))
    throw error
  }
  try {
    if (call.isInHouse && !(await driver.stateOf(made.session)).isAlive) throw endedAtStart()
    return await database.transaction(async (tx) => {
      const nowMs = now()
      const row = await lockBrowser(tx, call.id)
      if (row === undefined || row.ended_ms !== null)
        throw new AppError(
          'upstream_timeout',
          'The session opened after the call had ended. Nothing was charged.',
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
          ...(made.liveViewUrl === undefined ? {} : { liveViewUrl: made.liveViewUrl }),
          paidMinutes: minutes,
          expiresAt: toRfc3339(paidUntilMs),
        },
      })
    })
  } catch (error) {
    await giveUp(deps, call.id, made.session, true)
    await notifySoon(deps, { id: call.id, host })
    throw error
  }
}

/** Ends the session unless it was sold: a commit with a lost response may have succeeded. */
async function giveUp(
  { database, now }: BrowserDeps,
  id: Id,
  session: string | null,
  mayExist: boolean,
): Promise<void> {
  await database.query(
    'update browser_sessions set ended_ms = coalesce(ended_ms, $2), session = $3, is_torn_down = $4, tell_at_ms = 0 where id = $1 and session is null',
    [id, now(), session, !mayExist],
  )
}

function endedAtStart(): AppError {
  return new AppError('upstream_error', 'The browser ended at its start. Nothing was charged.', {
    fix: 'Try again.',
  })
}
