import { HOUR_MS } from '../../lib/clock.ts'
import { LINK_MS, type FileContext } from './context.ts'
import { discardOld } from './receive.ts'
import { removalOf } from './room.ts'
import { removeObject } from './store-parcel.ts'

/** After the link's own hour an upload that has begun may go on for this long. */
export const LONGEST_UPLOAD_MS = HOUR_MS
/** After this a slot, and what was half received, is nobody's any more. */
export const ABANDONED_MS = LINK_MS + LONGEST_UPLOAD_MS
const MOST_AT_ONCE = 500
const STORE_IS_AWAY_AFTER = 3

// By the time of the slot and not by its id: an output of a long job is as old by its id as the job.
const ABANDONED = removalOf(
  `id in (select id from files where object_key is null and created_at < $2 order by created_at limit ${MOST_AT_ONCE} for update skip locked)`,
)

export type FileSweep = {
  readonly slots: number
  readonly objects: number
  readonly parcels: number
}

/** Removes slots whose bytes never came, objects that belong to no file, and what processes that died had half received here. Throws when an object could not be removed, after all others. */
export async function sweepFiles(
  context: Pick<FileContext, 'database' | 'store' | 'now' | 'incoming'>,
): Promise<FileSweep> {
  const { database, now, incoming } = context
  const nowMs = now()
  const slots = await database.query(ABANDONED, [new Date(nowMs), new Date(nowMs - ABANDONED_MS)])
  const due = await database.query<{ key: string }>(
    `select key from loose_objects where due_at <= $1 order by due_at limit ${MOST_AT_ONCE}`,
    [new Date(nowMs)],
  )
  const parcels = await discardOld(incoming, nowMs - ABANDONED_MS)
  const failures = await removeAll(
    context,
    due.rows.map(({ key }) => key),
  )
  if (failures[0] !== undefined) throw failures[0]
  return { slots: slots.count, objects: due.count, parcels }
}

/** One that cannot be removed does not keep the others; several in a row mean that the store is away. Returns why, for each that is left for the next sweep. */
async function removeAll(
  context: Pick<FileContext, 'database' | 'store'>,
  keys: readonly string[],
): Promise<readonly Error[]> {
  const failures: Error[] = []
  let inARow = 0
  for (const key of keys) {
    if (inARow === STORE_IS_AWAY_AFTER) break
    try {
      await removeObject(context, key)
      inARow = 0
    } catch (error) {
      failures.push(error as Error)
      inARow += 1
    }
  }
  return failures
}
