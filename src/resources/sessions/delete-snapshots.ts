/**
 * Ends snapshots: deleted by their owner, expired or given up. The row stays until the vendor has
 * deleted the snapshot.
 */
import type { Database } from '../../db/database.ts'
import { DAY_MS, HOUR_MS } from '../../lib/clock.ts'
import type { Id } from '../../lib/ids.ts'
import type { Owner } from '../../lib/owner.ts'
import type { SessionDeps } from './session-deps.ts'
import { idOfSnapshot, SEEN, seenBy, unknownSnapshot, type SnapshotRow } from './snapshot-row.ts'

const BATCH_SIZE = 20
const RETRY_MS = 60_000
/** A call takes at most five minutes, so the process of an older unfinished order has died. */
const GIVEN_UP_AFTER_MS = 10 * 60_000
/** How long to search for a snapshot whose order was given up. */
const SEARCH_MS = HOUR_MS
/** After this time the gateway stops retrying a failing vendor. */
const GIVE_UP_DELETION_MS = 30 * DAY_MS

/** Hides the snapshot from callers immediately. Throws AppError `unknown_snapshot`. */
export async function deleteSnapshot(
  { database, now }: SessionDeps,
  owner: Owner,
  service: string,
  snapshotId: string,
): Promise<void> {
  const nowMs = now()
  const { count } = await database.query(
    `update compute_snapshots set ended_ms = $4 where ${SEEN} and id = $6`,
    [...seenBy(owner, service, nowMs), idOfSnapshot(snapshotId)],
  )
  if (count === 0) throw unknownSnapshot()
}

/** Ends all snapshots of an account and erases their names. */
export async function endSnapshotsOf(
  database: Database,
  accountId: Id,
  nowMs: number,
): Promise<void> {
  await database.query(
    'update compute_snapshots set name = null, ended_ms = coalesce(ended_ms, $2) where account_id = $1',
    [accountId, nowMs],
  )
}

/**
 * Ends expired snapshots and lost orders, and deletes ended ones at the vendor. A chore of every
 * process.
 */
export async function sweepSnapshots(deps: SessionDeps): Promise<void> {
  const nowMs = deps.now()
  await deps.database.query(
    'update compute_snapshots set ended_ms = $1 where ended_ms is null and (expires_ms <= $1 or (made_ms is null and ordered_ms < $2))',
    [nowMs, nowMs - GIVEN_UP_AFTER_MS],
  )
  const { rows } = await deps.database.query<SnapshotRow>(
    `select * from compute_snapshots where ended_ms is not null and tell_at_ms <= $1 order by tell_at_ms limit ${BATCH_SIZE}`,
    [nowMs],
  )
  await Promise.allSettled(rows.map((row) => deleteAtVendor(deps, row)))
}

async function deleteAtVendor(
  { database, now, boxFor }: SessionDeps,
  { id, service, mode, account_id: accountId }: SnapshotRow,
): Promise<void> {
  const nowMs = now()
  const {
    rows: [row],
  } = await database.query<SnapshotRow>(
    'update compute_snapshots set tell_at_ms = $2 where id = $1 and tell_at_ms <= $3 returning *',
    [id, nowMs + RETRY_MS, nowMs],
  )
  if (row === undefined) return
  const endedMs = Number(row.ended_ms)
  if (nowMs - endedMs > GIVE_UP_DELETION_MS) return forget()
  const snapshots = boxFor(service, mode, accountId)?.snapshots
  // A process without the vendor's key leaves this to processes that have it.
  if (snapshots === undefined) return
  const references = row.reference === null ? await snapshots.find(id) : [row.reference]
  await Promise.all(references.map((reference) => snapshots.delete(reference)))
  if (row.reference !== null || nowMs - endedMs >= SEARCH_MS) await forget()

  async function forget(): Promise<void> {
    await database.query('delete from compute_snapshots where id = $1', [id])
  }
}
