import { onlyMaker, type Owner } from '../../lib/owner.ts'
import type { FileDeps } from './file-deps.ts'
import { requireFileId, unknownFile } from './find-file.ts'
import { removalOf } from './file-usage.ts'
import { removeObject } from './store-received.ts'

const DELETE = removalOf(
  'id = $2 and account_id = $3 and mode = $4 and ($5::uuid is null or key_id = $5)',
)

/**
 * Removes a file or an open upload and frees its space immediately. Returns the freed bytes. Throws
 * AppError `unknown_file`.
 */
export async function deleteFile(
  deps: Pick<FileDeps, 'database' | 'store' | 'now'>,
  owner: Owner,
  fileId: string,
): Promise<number> {
  const { rows } = await deps.database.query<{ object_key: string | null; size_bytes: bigint }>(
    DELETE,
    [new Date(deps.now()), requireFileId(fileId), owner.accountId, owner.mode, onlyMaker(owner)],
  )
  const [gone] = rows
  if (gone === undefined) throw unknownFile()
  // The file is removed even if the store is unreachable: the sweep then removes the object.
  if (gone.object_key !== null) await removeObject(deps, gone.object_key).catch(() => undefined)
  return Number(gone.size_bytes)
}
