/**
 * Meters sessions that cost what their programs use: a program is settled when it ends, and the
 * same commit holds the next one.
 */
import type { Transaction } from '../../db/database.ts'
import { invariant } from '../../errors/app-error.ts'
import { DAY_MS } from '../../lib/clock.ts'
import { minMicros, type Micros } from '../../lib/money.ts'
import type { Id } from '../../lib/ids.ts'
import { openFurtherHold, settleHold } from './books.ts'
import { endSession } from './end-session.ts'
import { chargedWith, exactPriceOfUse, PARTS, type MachineUse } from './machine-use.ts'
import type { SessionDeps } from './session-deps.ts'
import { LONGEST_RUN_SECONDS, PROGRAM_MS } from './session-driver.ts'
import { priceOfTime, timeFor } from './session-meter.ts'
import { lockSession, type SessionRow } from './session-row.ts'

/** An idle session holds the price of one program. The hold is renewed once a day. */
export const IDLE_HOLD_MS = DAY_MS

/**
 * The end of a program: with the machine's usage, without a readable usage, or as a failure that is
 * not charged.
 */
export type ProgramEnd = MachineUse | 'unread' | 'failed'

/** The longest time for the next program: as long as the hold pays for the whole machine. */
export function secondsHeldFor({ rate_micros: rate, held_micros: held }: SessionRow): number {
  return held === null
    ? LONGEST_RUN_SECONDS
    : Math.min(
        LONGEST_RUN_SECONDS,
        Math.max(1, Math.floor((timeFor(rate, held) * LONGEST_RUN_SECONDS) / PROGRAM_MS)),
      )
}

/**
 * Charges a program that began at `beganMs` and returns the charge; 0 if closing the session has
 * already charged it.
 */
export async function meterProgram(
  { database, now, tally }: Pick<SessionDeps, 'database' | 'now' | 'tally'>,
  id: Id,
  beganMs: number,
  end: ProgramEnd,
): Promise<Micros> {
  const nowMs = now()
  const metered = await database.transaction(async (tx) => {
    const row = await lockSession(tx, id, nowMs)
    if (row === undefined || row.closed_ms !== null) return null
    const { charge, stretches, prepaid } = chargeOf(row, beganMs, end, nowMs)
    const running = row.running.filter((ms) => nowMs - ms < PROGRAM_MS)
    if (running.includes(beganMs)) running.splice(running.indexOf(beganMs), 1)
    // Without running programs, no earlier interval can overlap a later one.
    await tx.query(
      'update compute_sessions set running = $2, charged_stretches = $3, prepaid_parts = $4 where id = $1',
      [id, JSON.stringify(running), JSON.stringify(running.length === 0 ? [] : stretches), prepaid],
    )
    if (charge === 0n) return { row, charged: 0n }
    const { charged, isHeld } = await settleAndHold(tx, row, charge, nowMs)
    if (!isHeld) await endSession(tx, row, 'unpaid', nowMs)
    return { row, charged }
  })
  if (metered === null) return 0n
  tally?.charged(metered.row.mode, metered.row.service, metered.charged)
  return metered.charged
}

/** `prepaid`: what rounding up leaves for the next program. */
type ProgramCharge = {
  readonly charge: Micros
  readonly stretches: SessionRow['charged_stretches']
  readonly prepaid: bigint
}

function chargeOf(row: SessionRow, beganMs: number, end: ProgramEnd, nowMs: number): ProgramCharge {
  const {
    charged_stretches: charged,
    cpu_hour_micros: cpuHour,
    gigabyte_hour_micros: gigabyteHour,
  } = row
  const prepaid = row.prepaid_parts
  if (end === 'failed') return { charge: 0n, stretches: charged, prepaid }
  if (end === 'unread') {
    const charge = priceOfTime(row.rate_micros, Math.min(nowMs - beganMs, PROGRAM_MS))
    return { charge, stretches: charged, prepaid }
  }
  invariant(cpuHour !== null && gigabyteHour !== null, 'it is metered by use')
  const due = exactPriceOfUse(end, { cpuHour, gigabyteHour }, charged) - prepaid
  const charge = due <= 0n ? 0n : (due + PARTS - 1n) / PARTS
  return { charge, stretches: chargedWith(end, charged), prepaid: charge * PARTS - due }
}

/**
 * Settles the hold at `used`, at most the hold, and opens another for the next program, or for as
 * large a part as the credit covers. If nothing can be held, the caller must end the session.
 */
export async function settleAndHold(
  tx: Transaction,
  row: SessionRow,
  used: Micros,
  nowMs: number,
): Promise<{ readonly charged: Micros; readonly isHeld: boolean }> {
  const charged = await settleHold(tx, row, minMicros(used, row.held_micros ?? 0n), nowMs)
  const rest = row.most_micros === null ? null : row.most_micros - row.charged_micros - charged
  const whole = priceOfTime(row.rate_micros, PROGRAM_MS)
  const untilMs = nowMs + IDLE_HOLD_MS
  for (const amount of [whole, whole / 2n, whole / 4n]) {
    if (rest !== null && amount > rest) continue
    const holdId = await openFurtherHold(tx, row, amount, untilMs, nowMs)
    if (holdId === null) continue
    await tx.query(
      'update compute_sessions set hold_id = $2, held_micros = $3, metered_from_ms = $4, paid_until_ms = $5, charged_micros = charged_micros + $6 where id = $1',
      [row.id, holdId, amount, nowMs, untilMs, charged],
    )
    return { charged, isHeld: true }
  }
  await tx.query('update compute_sessions set charged_micros = charged_micros + $2 where id = $1', [
    row.id,
    charged,
  ])
  return { charged, isHeld: false }
}
