import { HOUR_MS } from '../../lib/clock.ts'
import { LINK_MS, type FileDeps } from './file-deps.ts'
import { discardOld } from './receive.ts'
import { removalOf } from './file-usage.ts'
import { removeObject } from './store-received.ts'

/** How long an upload may continue after its link has expired. */
export const LONGEST_UPLOAD_MS = HOUR_MS
/** Age after which open uploads and partly received files are removed. */
export const ABANDONED_MS = LINK_MS + LONGEST_UPLOAD_MS
const BATCH_SIZE = 500
const MAX_FAILURES_IN_A_ROW = 3

// Uses the time of the upload, not of its id: an output of a long job has the job's old id.
const ABANDONED = removalOf(
  `id in (select id from files where object_key is null and created_at < $2 order by created_at limit ${BATCH_SIZE} for update skip locked)`,
)

const EXPIRED = removalOf(
  `id in (select id from files where expires_at < $1 order by expires_at limit ${BATCH_SIZE} for update skip locked)`,
)

export type FileSweep = {
  readonly uploads: number
  readonly expired: number
  readonly objects: number
  readonly received: number
}

/**
 * Removes abandoned uploads, expired files, objects that belong to no file, and partly received files of dead
 * processes. If objects could not be removed, throws after trying the others.
 */
export async function sweepFiles(
  deps: Pick<FileDeps, 'database' | 'store' | 'now' | 'incoming'>,
): Promise<FileSweep> {
  const { database, now, incoming } = deps
  const nowMs = now()
  const uploads = await database.query(ABANDONED, [new Date(nowMs), new Date(nowMs - ABANDONED_MS)])
  const expired = await database.query(EXPIRED, [new Date(nowMs)])
  const due = await database.query<{ key: string }>(
    `select key from loose_objects where due_at <= $1 order by due_at limit ${BATCH_SIZE}`,
    [new Date(nowMs)],
  )
  const received = await discardOld(incoming, nowMs - ABANDONED_MS)
  const failures = await removeAll(
    deps,
    due.rows.map(({ key }) => key),
  )
  if (failures[0] !== undefined) throw failures[0]
  return { uploads: uploads.count, expired: expired.count, objects: due.count, received }
}

/**
 * Tries each object; several failures in a row mean that the store is unavailable. Returns the
 * errors of objects left for the next sweep.
 */
async function removeAll(
  deps: Pick<FileDeps, 'database' | 'store'>,
  keys: readonly string[],
): Promise<readonly Error[]> {
  const failures: Error[] = []
  let inARow = 0
  for (const key of keys) {
    if (inARow === MAX_FAILURES_IN_A_ROW) break
    try {
      await removeObject(deps, key)
      inARow = 0
    } catch (error) {
      failures.push(error as Error)
      inARow += 1
    }
  }
  return failures
}
