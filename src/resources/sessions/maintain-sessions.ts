/**
 * Maintains open sessions: pays for the next stretch, and ends sessions that are over. A chore of
 * every process.
 */
import type { Transaction } from '../../db/database.ts'
import { AppError } from '../../errors/app-error.ts'
import { writeSessionClosing } from '../../events/write-session-closing.ts'
import { DAY_MS } from '../../lib/clock.ts'
import type { Id } from '../../lib/ids.ts'
import { minMicros, type Micros } from '../../lib/money.ts'
import { openFurtherHold, settleHold } from './books.ts'
import { endIfGone, endSession } from './end-session.ts'
import { settleAndHold } from './meter-program.ts'
import {
  closesAtMs,
  endsAtMs,
  GIVE_UP_BEFORE_MS,
  IDLE_MS,
  lifeMs,
  type SessionDeps,
} from './session-deps.ts'
import { priceOfTime, STRETCH_MS, timeFor, usedOf } from './session-meter.ts'
import {
  isMeteredByUse,
  lockSession,
  makerMayPay,
  type CloseReason,
  type LockedSession,
  type SessionRow,
} from './session-row.ts'

const RENEW_BEFORE_MS = 60_000
/** A renewal that gains less time is skipped. */
const LEAST_GAIN_MS = 1_000
const BATCH_SIZE = 20
const FIRST_ID = '0'.repeat(32)
/** No call waits longer for a machine, so the process of an older order has died. */
const CREATION_MS = 5 * 60_000
/** During this time, closing again is harmless and a session's cost can be looked up. */
const RETENTION_MS = 30 * DAY_MS

type Maintained = {
  readonly row: SessionRow
  readonly change: 'renewed' | 'ended'
  readonly charged: Micros
}

type Due = { readonly id: Id; readonly paid_until_ms: bigint }

/**
 * Returns the numbers of renewed and ended sessions. Tries every session, then throws the first
 * failure.
 */
export async function maintainSessions(
  deps: SessionDeps,
): Promise<{ readonly renewed: number; readonly ended: number }> {
  const failures: unknown[] = []
  const prolonged: Promise<void>[] = []
  const counts = { renewed: 0, ended: 0 }
  let after: Due | undefined
  // Handles all due sessions: one account's sessions must not delay those of another.
  do {
    const due = await dueSessions(deps, after)
    const changed: Maintained[] = []
    // One after another, because calls need the database too.
    for (const { id } of due) {
      const one = await maintainSession(deps, id).catch(
        (error: unknown) => void failures.push(error),
      )
      if (one) changed.push(one)
    }
    for (const { change } of changed) counts[change] += 1
    // Requests to vendors run in the background, so that other sessions are paid for in time.
    prolonged.push(...changed.map((one) => prolong(deps, one)))
    after = due.length < BATCH_SIZE ? undefined : due.at(-1)
  } while (after !== undefined)
  await Promise.all(prolonged)
  if (failures.length > 0) throw failures[0]
  return counts
}

/** The next sessions that may be due, ordered by the end of their paid time. */
async function dueSessions(
  { database, now }: SessionDeps,
  after: Due | undefined,
): Promise<readonly Due[]> {
  const { rows } = await database.query<Due>(
    `select id, paid_until_ms from compute_sessions where closed_ms is null
       and (paid_until_ms < $1::bigint + ${RENEW_BEFORE_MS} or (used_ms <= $1::bigint - ${IDLE_MS} and (cpu_hour_micros is null or service <> 'boxe')) or (handle is null and opened_ms < $1::bigint - ${CREATION_MS}) or not ${makerMayPay('$1')})
       and (paid_until_ms, id) > ($2, $3::uuid)
     order by paid_until_ms, id limit ${BATCH_SIZE}`,
    [now(), after?.paid_until_ms ?? -1, after?.id ?? FIRST_ID],
  )
  return rows
}

/**
 * Maintains one session. Null if nothing is due, or if another process has locked it; with `waits`,
 * waits for the lock.
 */
export async function maintainSession(
  deps: SessionDeps,
  id: Id,
  waits = false,
): Promise<Maintained | null> {
  const { database, now, tally } = deps
  const nowMs = now()
  const changed = await database.transaction(async (tx): Promise<Maintained | null> => {
    const row = await lockSession(tx, id, nowMs, !waits)
    if (row === undefined || row.closed_ms !== null) return null
    const over = endReason(row, nowMs)
    const leftMs = Number(row.paid_until_ms) - nowMs
    if (over === null && leftMs > RENEW_BEFORE_MS) return null
    if (over === null && Number(row.paid_until_ms) >= endsAtMs(row)) {
      await writeSessionClosing(tx, row, { reason: 'lifetime', closesMs: endsAtMs(row), nowMs })
      return null
    }
    const isByUse = isMeteredByUse(row)
    const paid =
      over !== null
        ? null
        : isByUse
          ? await renewHold(tx, row, nowMs)
          : await payNextStretch(tx, row, nowMs)
    if (paid !== null) return { row, change: 'renewed', charged: paid }
    if (over === null && !isByUse && leftMs > GIVE_UP_BEFORE_MS) {
      const closesMs = Number(row.paid_until_ms) - GIVE_UP_BEFORE_MS
      await writeSessionClosing(tx, row, { reason: 'unpaid', closesMs, nowMs })
      return null
    }
    return { row, change: 'ended', charged: await endSession(tx, row, over ?? 'unpaid', nowMs) }
  })
  if (changed !== null) tally?.charged(changed.row.mode, changed.row.service, changed.charged)
  return changed
}

/**
 * Holds the next stretch, or as much of it as the credit covers, and settles the last one. Returns
 * the charge; null if no renewal was possible or needed.
 */
async function payNextStretch(
  tx: Transaction,
  row: SessionRow,
  nowMs: number,
): Promise<Micros | null> {
  const most = nextAmount(row, nowMs)
  for (const amount of [most, most / 2n, most / 4n]) {
    const untilMs = Math.min(
      endsAtMs(row),
      nowMs + STRETCH_MS,
      nowMs + timeFor(row.rate_micros, amount),
    )
    // The cost limit is already held, or nearly so.
    if (untilMs < Number(row.paid_until_ms) + LEAST_GAIN_MS) return null
    const holdId = await openFurtherHold(tx, row, amount, untilMs, nowMs)
    if (holdId === null) continue
    const charged = await settleHold(tx, row, usedOf(row, nowMs), nowMs)
    await tx.query(
      'update compute_sessions set hold_id = $2, metered_from_ms = $3, paid_until_ms = $4, charged_micros = charged_micros + $5 where id = $1',
      [row.id, holdId, nowMs, untilMs, charged],
    )
    return charged
  }
  return null
}

/**
 * Like `payNextStretch`, for a session metered by use: a running program is charged when it ends.
 */
async function renewHold(tx: Transaction, row: SessionRow, nowMs: number): Promise<Micros | null> {
  const { charged, isHeld } = await settleAndHold(tx, row, 0n, nowMs)
  return isHeld ? charged : null
}

/**
 * If the vendor does not extend the machine's life, it ends it itself. If it already has, the
 * session ends.
 */
async function prolong(deps: SessionDeps, { row, change }: Maintained): Promise<void> {
  if (change !== 'renewed' || row.handle === null) return
  try {
    await deps
      .boxFor(row.service, row.mode, row.account_id)
      ?.prolong(row.handle, lifeMs(row.service))
  } catch (error) {
    if (error instanceof AppError && error.code === 'upstream_not_found')
      await endIfGone(deps, row).catch(() => undefined)
  }
}

function endReason(row: LockedSession, nowMs: number): CloseReason | null {
  if (row.handle === null) return nowMs - Number(row.opened_ms) > CREATION_MS ? 'not_made' : null
  if (nowMs >= endsAtMs(row)) return 'lifetime'
  if (nowMs >= (closesAtMs(row) ?? Number.POSITIVE_INFINITY)) return 'idle'
  // Not renewed in time: the time since then is unpaid, unless idle time is free.
  const isLate = nowMs > Number(row.paid_until_ms) && !isMeteredByUse(row)
  return isLate || !row.key_may_pay ? 'unpaid' : null
}

/** The cost of the next stretch, within the session's cost limit. */
function nextAmount(row: SessionRow, nowMs: number): Micros {
  const stretch = priceOfTime(row.rate_micros, STRETCH_MS)
  return row.most_micros === null
    ? stretch
    : minMicros(stretch, row.most_micros - row.charged_micros - usedOf(row, nowMs))
}

/** Deletes sessions that ended long ago. Returns their number. */
export async function forgetSessions({ database, now }: SessionDeps): Promise<number> {
  const { count } = await database.query(
    'delete from compute_sessions where id = any(array(select id from compute_sessions where closed_ms < $1 limit 1000))',
    [now() - RETENTION_MS],
  )
  return count
}
