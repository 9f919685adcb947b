import type { Database } from '../../db/database.ts'
import { AppError } from '../../errors/app-error.ts'
import { parsePublicId, type Id } from '../../lib/ids.ts'
import type { Mode } from '../../lib/mode.ts'
import { onlyMaker, type Owner } from '../../lib/owner.ts'
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

// The primary keys of an account are closed only with the account.
const OF_OPEN_ACCOUNT = `not exists (select from keys join budgets on budgets.id = keys.id where keys.account_id = files.account_id and is_primary and state = 'closed')`

/**
 * The file or upload of a link. Throws AppError `unknown_file` if it was removed or its account was
 * closed.
 */
export async function findLinked(
  database: Database,
  link: { readonly id: Id; readonly mode: Mode },
): Promise<FileRow> {
  const { rows } = await database.query<FileRow>(
    `select ${FILE_COLUMNS} from files where id = $1 and mode = $2 and ${OF_OPEN_ACCOUNT}`,
    [link.id, link.mode],
  )
  const [row] = rows
  if (row === undefined) throw unknownFile()
  return row
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
