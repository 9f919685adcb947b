import { randomBytes } from 'node:crypto'
import { HOUR_MS } from '../../lib/clock.ts'
import type { Id } from '../../lib/ids.ts'
import type { FileDeps } from './file-deps.ts'
import { FILE_COLUMNS, type FileRow } from './file-row.ts'
import type { ReceivedFile } from './store.ts'

/** Longer than any store takes. Afterwards, the sweep removes an object that belongs to no file. */
const ADOPT_WITHIN_MS = HOUR_MS

// Adopts the object only before the sweep may remove it, and only if the upload still exists, is
// empty and has its size.
const ADOPT = `
  with adopted as (
    update files set object_key = $2, sha256 = $3
    where id = $1 and object_key is null and size_bytes = $5 and exists (select from loose_objects where key = $2 and due_at > $4)
    returning ${FILE_COLUMNS}
  ), settled as (delete from loose_objects using adopted where key = adopted.object_key)
  select * from adopted`

type storeDeps = Pick<FileDeps, 'database' | 'store' | 'now'>

/**
 * Stores received bytes as the file of an upload. Null if the upload was deleted or filled
 * meanwhile; then nothing is stored.
 */
export async function storeReceived(
  deps: storeDeps,
  fileId: Id,
  received: ReceivedFile,
): Promise<FileRow | null> {
  const { database, store, now } = deps
  const key = randomBytes(24).toString('hex')
  await database.query('insert into loose_objects (key, due_at) values ($1, $2)', [
    key,
    new Date(now() + ADOPT_WITHIN_MS),
  ])
  await store.put(key, received)
  const { rows } = await database.query<FileRow>(ADOPT, [
    fileId,
    key,
    received.sha256,
    new Date(now()),
    received.sizeBytes,
  ])
  const [row] = rows
  if (row === undefined) await removeObject(deps, key)
  return row ?? null
}

/**
 * Removes an object queued for removal. Throws AppError `overloaded`; then the sweep tries again.
 */
export async function removeObject(
  { database, store }: Pick<FileDeps, 'database' | 'store'>,
  key: string,
): Promise<void> {
  await store.remove(key)
  await database.query('delete from loose_objects where key = $1', [key])
}
