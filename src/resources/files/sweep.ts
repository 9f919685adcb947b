import { LINK_MS, type FileContext } from './context.ts'
import { discardOld } from './receive.ts'
import { removalOf } from './room.ts'
import { removeObject } from './store-parcel.ts'

/** After the link's own hour an upload that has begun may go on for this long. */
export const LONGEST_UPLOAD_MS = 60 * 60 * 1000
/** After this a slot, and what was half received, is nobody's any more. */
export const ABANDONED_MS = LINK_MS + LONGEST_UPLOAD_MS
const MOST_AT_ONCE = 500

// By the time of the slot and not by its id: an output of a long job is as old by its id as the job.
const ABANDONED = removalOf(`id in (select id from files where object_key is null and created_at < $2 order by created_at limit ${MOST_AT_ONCE} for update skip locked)`)

export type FileSweep = { readonly slots: number; readonly objects: number; readonly parcels: number }

/** Removes slots whose bytes never came, objects that belong to no file, and what processes that died had half received here. */
export async function sweepFiles(context: Pick<FileContext, 'database' | 'store' | 'now' | 'incoming'>): Promise<FileSweep> {
  const { database, now, incoming } = context
  const nowMs = now()
  const slots = await database.query(ABANDONED, [new Date(nowMs), new Date(nowMs - ABANDONED_MS)])
  const due = await database.query<{ key: string }>(`select key from loose_objects where due_at <= $1 order by due_at limit ${MOST_AT_ONCE}`, [new Date(nowMs)])
  for (const { key } of due.rows) await removeObject(context, key)
  return { slots: slots.count, objects: due.count, parcels: await discardOld(incoming, nowMs - ABANDONED_MS) }
}
