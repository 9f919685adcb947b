/** Snapshots visible to their owners: finished, not deleted and not expired. */
import type { Database } from '../../db/database.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { DAY_MS, toRfc3339 } from '../../lib/clock.ts'
import { parsePublicId, publicId, type Id } from '../../lib/ids.ts'
import type { Mode } from '../../lib/mode.ts'
import { onlyMaker, type Owner } from '../../lib/owner.ts'

export type SnapshotRow = {
  readonly id: Id
  readonly account_id: Id
  readonly mode: Mode
  readonly service: string
  readonly session_id: Id
  readonly name: string | null
  readonly reference: string | null
  readonly made_ms: bigint | null
  readonly expires_ms: bigint
  readonly ended_ms: bigint | null
}

/** The vendor bills stored snapshots, so none is stored for longer. */
export const SNAPSHOT_LIFE_MS = 7 * DAY_MS
/** Snapshots of one account and mode, including those in progress. */
export const MOST_SNAPSHOTS = 10

/** SQL condition for an owner's visible snapshots. Its parameters are in the order of `seenBy`. */
export const SEEN =
  'account_id = $1 and mode = $2 and service = $3 and made_ms is not null and ended_ms is null and expires_ms > $4 and ($5::uuid is null or key_id = $5)'

export function seenBy(
  owner: Owner,
  service: string,
  nowMs: number,
): readonly [Id, Mode, string, number, Id | null] {
  return [owner.accountId, owner.mode, service, nowMs, onlyMaker(owner)]
}

/** Newest first. */
export async function listSnapshots(
  database: Database,
  owner: Owner,
  service: string,
  nowMs: number,
): Promise<readonly SnapshotRow[]> {
  const { rows } = await database.query<SnapshotRow>(
    `select * from compute_snapshots where ${SEEN} order by id desc limit ${MOST_SNAPSHOTS}`,
    seenBy(owner, service, nowMs),
  )
  return rows
}

/**
 * The vendor's reference of a snapshot. Throws AppError `unknown_snapshot` if it does not exist or
 * is another account's.
 */
export async function findSnapshot(
  database: Database,
  owner: Owner,
  service: string,
  snapshotId: string,
  nowMs: number,
): Promise<string> {
  const { rows } = await database.query<{ reference: string }>(
    `select reference from compute_snapshots where ${SEEN} and id = $6`,
    [...seenBy(owner, service, nowMs), idOfSnapshot(snapshotId)],
  )
  if (rows[0] === undefined) throw unknownSnapshot()
  return rows[0].reference
}

export function idOfSnapshot(snapshotId: string): Id {
  const id = parsePublicId('snapshot', snapshotId)
  if (id === null) throw unknownSnapshot()
  return id
}

export function unknownSnapshot(): AppError {
  return new AppError('unknown_snapshot', undefined, { param: 'snapshot_id' })
}

export function snapshotRecord({
  id,
  session_id: sessionId,
  name,
  made_ms: madeMs,
  expires_ms: expiresMs,
}: SnapshotRow): Data {
  return {
    snapshot_id: publicId('snapshot', id),
    session_id: publicId('session', sessionId),
    name,
    created_at: toRfc3339(Number(madeMs)),
    expires_at: toRfc3339(Number(expiresMs)),
  }
}
