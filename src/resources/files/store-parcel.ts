import { randomBytes } from 'node:crypto'
import { HOUR_MS } from '../../lib/clock.ts'
import type { Id } from '../../lib/ids.ts'
import type { FileContext } from './context.ts'
import { FILE_COLUMNS, type FileRow } from './file-row.ts'
import type { Parcel } from './store.ts'

/** Longer than any store takes to keep a parcel; then what was not adopted is removed by the sweep. */
const ADOPT_WITHIN_MS = HOUR_MS

// The object is adopted only while the sweep may not remove it, and by a slot that is still there and still empty.
const ADOPT = `
  with adopted as (
    update files set object_key = $2, sha256 = $3
    where id = $1 and object_key is null and exists (select from loose_objects where key = $2 and due_at > $4)
    returning ${FILE_COLUMNS}
  ), settled as (delete from loose_objects using adopted where key = adopted.object_key)
  select * from adopted`

type StoreContext = Pick<FileContext, 'database' | 'store' | 'now'>

/** Puts a parcel into the store and makes it the slot's file. Null when the slot is gone or was filled meanwhile: then nothing is kept. */
export async function storeParcel(
  context: StoreContext,
  fileId: Id,
  parcel: Parcel,
): Promise<FileRow | null> {
  const { database, store, now } = context
  const key = randomBytes(24).toString('hex')
  await database.query('insert into loose_objects (key, due_at) values ($1, $2)', [
    key,
    new Date(now() + ADOPT_WITHIN_MS),
  ])
  await store.keep(key, parcel)
  const { rows } = await database.query<FileRow>(ADOPT, [
    fileId,
    key,
    parcel.sha256,
    new Date(now()),
  ])
  const [row] = rows
  if (row === undefined) await removeObject(context, key)
  return row ?? null
}

/** Removes an object that is on the list of loose ones. Throws AppError overloaded; then the sweep tries again. */
export async function removeObject(
  { database, store }: Pick<FileContext, 'database' | 'store'>,
  key: string,
): Promise<void> {
  await store.remove(key)
  await database.query('delete from loose_objects where key = $1', [key])
}
