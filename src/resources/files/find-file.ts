import type { Database } from '../../db/database.ts'
import { accountMayAct, mayAct } from '../../db/may-act.ts'
import { AppError } from '../../errors/app-error.ts'
import { parsePublicId, type Id } from '../../lib/ids.ts'
import type { Mode } from '../../lib/mode.ts'
import { onlyMaker, type Owner } from '../../lib/owner.ts'
import type { FileDeps } from './file-deps.ts'
import { FILE_COLUMNS, type FileRow } from './file-row.ts'

/**
 * The owner's file. Throws AppError `unknown_file`, also for another account's file and for an open
 * upload.
 */
export async function findFile(database: Database, owner: Owner, fileId: string): Promise<FileRow> {
  const { rows } = await database.query<FileRow>(
    `select ${FILE_COLUMNS} from files where id = $1 and account_id = $2 and mode = $3 and object_key is not null and ($4::uuid is null or key_id = $4)`,
    [requireFileId(fileId), owner.accountId, owner.mode, onlyMaker(owner)],
  )
  const [row] = rows
  if (row === undefined) throw unknownFile()
  return row
}

type Linked = { readonly id: Id; readonly mode: Mode }

/**
 * The file or upload of a link. Throws AppError `unknown_file` if it was removed or its account is paused or
 * closed.
 */
export async function findLinked(database: Database, { id, mode }: Linked): Promise<FileRow> {
  const { rows } = await database.query<FileRow>(
    `select ${FILE_COLUMNS} from files where id = $1 and mode = $2 and ${accountMayAct('files.account_id')}`,
    [id, mode],
  )
  const [row] = rows
  if (row === undefined) throw unknownFile()
  return row
}

const UPLOADER_MAY_ACT = mayAct({
  account: 'files.account_id',
  key: 'files.key_id',
  nowMs: '$3::bigint',
  madeMs: 'floor(extract(epoch from files.created_at) * 1000)',
})

/** As `findLinked`, for the link of an upload. Throws AppError `link_invalid` if the key that created it may no longer act. */
export async function findUpload(
  { database, now }: Pick<FileDeps, 'database' | 'now'>,
  link: Linked,
): Promise<FileRow> {
  const { rows } = await database.query<FileRow & { readonly may_act: boolean }>(
    `select ${FILE_COLUMNS}, ${UPLOADER_MAY_ACT} as may_act from files where id = $1 and mode = $2 and ${accountMayAct('files.account_id')}`,
    [link.id, link.mode, now()],
  )
  const [row] = rows
  if (row === undefined) throw unknownFile()
  if (!row.may_act) throw uploadRevoked()
  return row
}

export function uploadRevoked(): AppError {
  return new AppError(
    'link_invalid',
    'The key that created this upload was revoked, rotated or paused, or has expired.',
    { fix: 'Create a new upload with files/upload and an active key.' },
  )
}

/** Throws AppError `unknown_file` for an invalid file id. */
export function requireFileId(fileId: string): Id {
  const id = parsePublicId('file', fileId)
  if (id === null) throw unknownFile()
  return id
}

export function unknownFile(): AppError {
  return new AppError('unknown_file', 'Unknown file.')
}
