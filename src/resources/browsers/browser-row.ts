import type { Database, Transaction } from '../../db/database.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Id } from '../../lib/ids.ts'
import { onlyMaker, type Owner } from '../../lib/owner.ts'

export type BrowserRow = {
  readonly id: Id
  readonly account_id: Id
  /** The vendor's id of the session; null before it is open and paid. */
  readonly session: string | null
  readonly opened_ms: bigint
  readonly paid_until_ms: bigint
  readonly lasts_until_ms: bigint
  readonly ended_ms: bigint | null
  /** When the process of an in-house browser last reported it; null for a session of the vendor. */
  readonly host_seen_ms: bigint | null
  /** The machine and process of an in-house browser. */
  readonly host: string | null
  /** Null for a session without a recording. `recording` also while the video is stored. */
  readonly recording: 'recording' | 'stored' | 'failed' | null
  /** The public id of the stored video. */
  readonly recording_file: string | null
}

export const MINUTE_MS = 60_000

/** Finds a session by the id that its owner knows. Undefined for other accounts. */
export async function findBrowser(
  database: Database,
  owner: Owner,
  session: string,
): Promise<BrowserRow | undefined> {
  // PostgreSQL text cannot contain zero bytes, so no session has such an id.
  if (session.includes('\0')) return undefined
  const { rows } = await database.query<BrowserRow>(
    'select * from browser_sessions where session = $1 and account_id = $2 and ($3::uuid is null or key_id = $3)',
    [session, owner.accountId, onlyMaker(owner)],
  )
  return rows[0]
}

/** Locks the session until the transaction ends. */
export async function lockBrowser(tx: Transaction, id: Id): Promise<BrowserRow | undefined> {
  const { rows } = await tx.query<BrowserRow>(
    'select * from browser_sessions where id = $1 for no key update',
    [id],
  )
  return rows[0]
}

export function isPaidFor(
  { ended_ms: endedMs, paid_until_ms: paidUntilMs }: BrowserRow,
  nowMs: number,
): boolean {
  return endedMs === null && nowMs < Number(paidUntilMs)
}

/** Whole minutes between two times; 0 if negative. */
export function minutesBetween(fromMs: number | bigint, untilMs: number | bigint): number {
  return Math.max(0, Math.floor((Number(untilMs) - Number(fromMs)) / MINUTE_MS))
}

/** For the owner only: other accounts do not learn that the session existed. */
export function endedBrowser(): AppError {
  return new AppError(
    'unknown_session',
    'This session has ended: it was released, its paid minutes are used up, or its client disconnected.',
    { param: 'session_id', fix: 'Open another with browser/create_session.' },
  )
}

export function unknownBrowser(): AppError {
  return new AppError('unknown_session', undefined, {
    param: 'session_id',
    fix: 'Check "session_id": the sessionId that browser/create_session returned to this account.',
  })
}
