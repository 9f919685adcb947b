import { onlyMaker, type Owner } from '../../lib/owner.ts'
import type { FileContext } from './context.ts'
import { requireFileId, unknownFile } from './find-file.ts'
import { removalOf } from './room.ts'
import { removeObject } from './store-parcel.ts'

const DELETE = removalOf(
  'id = $2 and account_id = $3 and mode = $4 and ($5::uuid is null or key_id = $5)',
)

/** Removes a file, or a slot whose bytes never came, and frees its room at once. Returns the bytes freed. Throws AppError unknown_file. */
export async function deleteFile(
  context: Pick<FileContext, 'database' | 'store' | 'now'>,
  owner: Owner,
  fileId: string,
): Promise<number> {
  const { rows } = await context.database.query<{ object_key: string | null; size_bytes: bigint }>(
    DELETE,
    [new Date(context.now()), requireFileId(fileId), owner.accountId, owner.mode, onlyMaker(owner)],
  )
  const [gone] = rows
  if (gone === undefined) throw unknownFile()
  // The file is gone whether or not the store can be reached: what is left of it is on the sweep's list.
  if (gone.object_key !== null) await removeObject(context, gone.object_key).catch(() => undefined)
  return Number(gone.size_bytes)
}
