import { decodeCursor, encodeCursor } from '../../lib/cursor.ts'
import { onlyMaker, type Owner } from '../../lib/owner.ts'
import type { FileDeps } from './file-deps.ts'
import { FILE_COLUMNS, fileRecord, type FileRecord, type FileRow } from './file-row.ts'

export type FileFilter = {
  /** Files must have all of these tags. */
  readonly tags: readonly string[]
  /** A part of the name; case is ignored. */
  readonly query: string | null
  readonly limit: number
  readonly cursor: string | null
}
export type FilePage = { readonly files: readonly FileRecord[]; readonly nextCursor: string | null }

const NO_FILE_IS_LATER = 'f'.repeat(32)

const LIST = `
  select ${FILE_COLUMNS} from files
  where account_id = $1 and mode = $2 and object_key is not null and id < $3
    and ($7::uuid is null or key_id = $7) and tags @> $4::text[] and ($5::text is null or strpos(lower(filename), lower($5)) > 0)
  order by id desc limit $6`

/**
 * The owner's files, newest first, each with a new link. Throws AppError `invalid_params` for an
 * invalid cursor.
 */
export async function listFiles(
  deps: Pick<FileDeps, 'database' | 'links' | 'now'>,
  owner: Owner,
  { tags, query, limit, cursor }: FileFilter,
): Promise<FilePage> {
  const before = cursor === null ? NO_FILE_IS_LATER : decodeCursor(cursor)
  const { rows } = await deps.database.query<FileRow>(LIST, [
    owner.accountId,
    owner.mode,
    before,
    tags,
    query,
    limit + 1,
    onlyMaker(owner),
  ])
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    files: shown.map((row) => fileRecord(deps, row)),
    nextCursor: rows.length > limit && last !== undefined ? encodeCursor(last.id) : null,
  }
}
