/** What any process does for open sessions again and again: pays for the next stretch, ends what is over. */
import type { Transaction } from '../../db/database.ts'
import { AppError } from '../../errors/app-error.ts'
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
  KEY_MAY_PAY,
  lockSession,
  type CloseReason,
  type LockedSession,
  type SessionRow,
} from './session-row.ts'

const RENEW_BEFORE_MS = 60_000
/** A stretch that pays for hardly longer is none. */
const LEAST_GAIN_MS = 1_000
const MOST_AT_ONCE = 20
const FIRST_ID = '0'.repeat(32)
/** No call takes so long to have a machine made: who wanted this one is gone. */
const MAKING_MS = 5 * 60_000
/** So long closing again does no harm, and what a session cost can be looked up. */
const REMEMBERED_MS = 30 * DAY_MS

type Kept = {
  readonly row: SessionRow
  readonly did: 'renewed' | 'ended'
  readonly charged: Micros
}

type Due = { readonly id: Id; readonly paid_until_ms: bigint }

/**
 * Returns how many sessions were renewed and how many ended. One that cannot be kept keeps no other one from it, and is
 * thrown at the end.
 */
export async function keepSessions(
  deps: SessionDeps,
): Promise<{ readonly renewed: number; readonly ended: number }> {
  const failures: unknown[] = []
  const prolonged: Promise<void>[] = []
  const counts = { renewed: 0, ended: 0 }
  let after: Due | undefined
  // All that are due, however many: the sessions of one account must not keep those of another from being paid for.
  do {
    const due = await dueSessions(deps, after)
    const kept: Kept[] = []
    // One after the other: calls need the database too.
    for (const { id } of due) {
      const one = await keepSession(deps, id).catch((error: unknown) => void failures.push(error))
      if (one) kept.push(one)
    }
    for (const { did } of kept) counts[did] += 1
    // Nobody waits for a vendor while others have to be paid for.
    prolonged.push(...kept.map((one) => prolong(deps, one)))
    after = due.length < MOST_AT_ONCE ? undefined : due.at(-1)
  } while (after !== undefined)
  await Promise.all(prolonged)
  if (failures.length > 0) throw failures[0]
  return counts
}

/** Sessions that something may have to be done for, of those that are paid for until later than `after`. */
async function dueSessions(
  { database, now }: SessionDeps,
  after: Due | undefined,
): Promise<readonly Due[]> {
  const { rows } = await database.query<Due>(
    `select id, paid_until_ms from compute_sessions where closed_ms is null
       and (paid_until_ms < $1::bigint + ${RENEW_BEFORE_MS} or (used_ms <= $1::bigint - ${IDLE_MS} and cpu_hour_micros is null) or (handle is null and opened_ms < $1::bigint - ${MAKING_MS}) or not ${KEY_MAY_PAY})
       and (paid_until_ms, id) > ($2, $3::uuid)
     order by paid_until_ms, id limit ${MOST_AT_ONCE}`,
    [now(), after?.paid_until_ms ?? -1, after?.id ?? FIRST_ID],
  )
  return rows
}

/** Does for one what is due; null: nothing is, or another process is at it, which `waits` waits for. */
export async function keepSession(deps: SessionDeps, id: Id, waits = false): Promise<Kept | null> {
  const { database, now, tally } = deps
  const nowMs = now()
  const kept = await database.transaction(async (tx): Promise<Kept | null> => {
    const row = await lockSession(tx, id, !waits)
    if (row === undefined || row.closed_ms !== null) return null
    const over = overBecause(row, nowMs)
    const leftMs = Number(row.paid_until_ms) - nowMs
    if (over === null && (leftMs > RENEW_BEFORE_MS || Number(row.paid_until_ms) >= endsAtMs(row)))
      return null
    const isByUse = isMeteredByUse(row)
    const paid =
      over !== null ? null : isByUse ? await holdAnew(tx, row, nowMs) : await payOn(tx, row, nowMs)
    if (paid !== null) return { row, did: 'renewed', charged: paid }
    if (over === null && !isByUse && leftMs > GIVE_UP_BEFORE_MS) return null
    return { row, did: 'ended', charged: await endSession(tx, row, over ?? 'unpaid', nowMs) }
  })
  if (kept !== null) tally?.charged(kept.row.mode, kept.row.service, kept.charged)
  return kept
}

/** Holds for the next stretch, or for as large a part of it as there is credit for, and settles the last one. Gives what that one was charged; null: neither. */
async function payOn(tx: Transaction, row: SessionRow, nowMs: number): Promise<Micros | null> {
  const most = nextAmount(row, nowMs)
  for (const amount of [most, most / 2n, most / 4n]) {
    const untilMs = Math.min(
      endsAtMs(row),
      nowMs + STRETCH_MS,
      nowMs + timeFor(row.rate_micros, amount),
    )
    // What it may cost is held for already, or as good as that.
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

/** As `payOn`, for a session that is metered by use: a program that is under way is charged when it ends. */
async function holdAnew(tx: Transaction, row: SessionRow, nowMs: number): Promise<Micros | null> {
  const { charged, isHeld } = await settleAndHold(tx, row, 0n, nowMs)
  return isHeld ? charged : null
}

/** A vendor that would not keep the machine longer ends it itself; where it has done so already, the session is over. */
async function prolong(deps: SessionDeps, { row, did }: Kept): Promise<void> {
  if (did !== 'renewed' || row.handle === null) return
  try {
    await deps
      .boxFor(row.service, row.mode, row.account_id)
      ?.prolong(row.handle, lifeMs(row.service))
  } catch (error) {
    if (error instanceof AppError && error.code === 'upstream_not_found')
      await endIfGone(deps, row).catch(() => undefined)
  }
}

function overBecause(row: LockedSession, nowMs: number): CloseReason | null {
  if (row.handle === null) return nowMs - Number(row.opened_ms) > MAKING_MS ? 'not_made' : null
  if (nowMs >= endsAtMs(row)) return 'lifetime'
  if (nowMs >= (closesAtMs(row) ?? Number.POSITIVE_INFINITY)) return 'idle'
  // Nobody renewed it in time: what came after was not paid for, unless idling is free.
  const isLate = nowMs > Number(row.paid_until_ms) && !isMeteredByUse(row)
  return isLate || !row.key_may_pay ? 'unpaid' : null
}

/** What the next stretch costs, within what the whole session may cost. */
function nextAmount(row: SessionRow, nowMs: number): Micros {
  const stretch = priceOfTime(row.rate_micros, STRETCH_MS)
  return row.most_micros === null
    ? stretch
    : minMicros(stretch, row.most_micros - row.charged_micros - usedOf(row, nowMs))
}

/** Forgets sessions that ended long ago. Returns how many. */
export async function forgetSessions({ database, now }: SessionDeps): Promise<number> {
  const { count } = await database.query(
    'delete from compute_sessions where id = any(array(select id from compute_sessions where closed_ms < $1 limit 1000))',
    [now() - REMEMBERED_MS],
  )
  return count
}
