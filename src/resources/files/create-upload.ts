import type { Database } from '../../db/database.ts'
import { AppError, invariant } from '../../errors/app-error.ts'
import { newId, type Id } from '../../lib/ids.ts'
import { cleanFilename, mimeOf } from './filename.ts'
import type { Owner } from '../../lib/owner.ts'
import type { FileDeps } from './file-deps.ts'
import { FILE_COLUMNS, type FileRow } from './file-row.ts'
import { readOpenUploads, readUsage } from './file-usage.ts'

export type UploadRequest = {
  readonly filename: string
  readonly sizeBytes: number
  readonly source: string
  /** Default: derived from the filename. */
  readonly mime?: string | undefined
  readonly tags?: readonly string[] | undefined
  readonly note?: string | undefined
  /** The expected SHA-256 of the bytes. */
  readonly sha256?: Buffer | undefined
  /** When the file is deleted, in Unix milliseconds. Never by default. */
  readonly expiresMs?: number | undefined
  /** The id of the future file. Default: a new one. */
  readonly id?: Id | undefined
}

type UploadDeps = Pick<FileDeps, 'database' | 'now' | 'limits'>

// One statement reserves the space and creates the upload. It waits for concurrent changes of the
// account's usage.
const CREATE = `
  with space as (
    insert into file_room as present (account_id, mode, used_bytes) values ($2, $3, $8)
    on conflict (account_id, mode) do update set used_bytes = present.used_bytes + excluded.used_bytes
    where present.used_bytes + excluded.used_bytes <= $12
    returning account_id
  )
  insert into files (id, account_id, mode, filename, mime, tags, note, size_bytes, source, sha256, created_at, key_id, expires_at)
  select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $13, $14 from space
  returning ${FILE_COLUMNS}`

/**
 * Reserves space for a future file. Throws AppError `file_too_large` or `storage_quota_exceeded`;
 * then nothing is reserved.
 */
export async function createUpload(
  { database, now, limits }: UploadDeps,
  owner: Owner,
  input: UploadRequest,
): Promise<FileRow> {
  const { sizeBytes, source, note, tags = [], sha256 } = input
  const { maxFileBytes, maxAccountBytes } = limits
  invariant(maxFileBytes <= maxAccountBytes, 'one file fits into an account')
  if (sizeBytes > maxFileBytes) throw fileTooLarge(maxFileBytes, sizeBytes)
  const filename = cleanFilename(input.filename)
  const nowMs = now()
  const { rows } = await database.query<FileRow>(
    CREATE,
    [
      input.id ?? newId(nowMs),
      owner.accountId,
      owner.mode,
      filename,
      input.mime ?? mimeOf(filename),
      [...new Set(tags)],
      note ?? null,
      sizeBytes,
      source,
      sha256 ?? null,
      new Date(nowMs),
      maxAccountBytes,
      owner.keyId,
      input.expiresMs === undefined ? null : new Date(input.expiresMs),
    ],
    'files-create-upload',
  )
  const [row] = rows
  if (row !== undefined) return row
  throw await quotaExceeded(database, owner, {
    usedBytes: await readUsage(database, ofAccount(owner)),
    quotaBytes: maxAccountBytes,
    sizeBytes,
  })
}

/**
 * Checks whether a file of this size would fit, before fetching it. A previous file with the same
 * id counts as replaced. Reserves nothing. Throws AppError `file_too_large` or
 * `storage_quota_exceeded`.
 */
export async function checkQuota(
  { database, limits }: UploadDeps,
  owner: Owner,
  sizeBytes: number,
  id: Id | undefined,
): Promise<void> {
  const { maxFileBytes, maxAccountBytes } = limits
  if (sizeBytes > maxFileBytes) throw fileTooLarge(maxFileBytes, sizeBytes)
  const usedBytes = await readUsage(database, ofAccount(owner))
  if (usedBytes + sizeBytes <= maxAccountBytes) return
  const { rows } = await database.query<{ size_bytes: bigint }>(
    'select size_bytes from files where id = $1 and account_id = $2 and mode = $3',
    [id ?? null, owner.accountId, owner.mode],
  )
  if (usedBytes - Number(rows[0]?.size_bytes ?? 0n) + sizeBytes > maxAccountBytes)
    throw await quotaExceeded(database, owner, {
      usedBytes,
      quotaBytes: maxAccountBytes,
      sizeBytes,
    })
}

const RESIZE = `
  with upload as (
    select id, account_id, mode, size_bytes from files where id = $1 and object_key is null for update
  ), space as (
    update file_room set used_bytes = used_bytes + $2 - upload.size_bytes from upload
    where file_room.account_id = upload.account_id and file_room.mode = upload.mode
      and used_bytes + $2 - upload.size_bytes <= $3
    returning upload.id as upload_id
  )
  update files set size_bytes = $2 from space where id = upload_id
  returning ${FILE_COLUMNS}`

/** Changes the size of an open upload and its reserved space. Throws AppError `file_too_large` or `storage_quota_exceeded`. */
export async function resizeUpload(
  { database, limits }: Pick<FileDeps, 'database' | 'limits'>,
  upload: FileRow,
  sizeBytes: number,
): Promise<FileRow> {
  const { maxFileBytes, maxAccountBytes } = limits
  if (sizeBytes > maxFileBytes) throw fileTooLarge(maxFileBytes, sizeBytes)
  const { rows } = await database.query<FileRow>(RESIZE, [upload.id, sizeBytes, maxAccountBytes])
  const [row] = rows
  if (row !== undefined) return row
  const owner: Owner = {
    accountId: upload.account_id,
    mode: upload.mode,
    keyId: null,
    scope: 'account',
  }
  throw await quotaExceeded(database, owner, {
    usedBytes: await readUsage(database, owner),
    quotaBytes: maxAccountBytes,
    sizeBytes,
  })
}

/** All keys of an account share its space. */
function ofAccount(owner: Owner): Owner {
  return { ...owner, scope: 'account' }
}

export function fileTooLarge(maxBytes: number, sizeBytes?: number): AppError {
  return new AppError(
    'file_too_large',
    `A file can have at most ${maxBytes} bytes${sizeBytes === undefined ? '' : `; this one has ${sizeBytes}`}.`,
    {
      details: {
        max_bytes: maxBytes,
        ...(sizeBytes === undefined ? {} : { size_bytes: sizeBytes }),
      },
    },
  )
}

/**
 * Open uploads use space too but are in no list of files, so the error names the oldest of them.
 */
async function quotaExceeded(
  database: Database,
  owner: Owner,
  {
    usedBytes,
    quotaBytes,
    sizeBytes,
  }: { readonly usedBytes: number; readonly quotaBytes: number; readonly sizeBytes: number },
): Promise<AppError> {
  const { count, bytes, fileIds } = await readOpenUploads(database, owner)
  const uploads =
    count === 0
      ? ''
      : ' Deleting also works for unfinished uploads, listed in details.open_slots; they expire two hours after files/upload.'
  return new AppError(
    'storage_quota_exceeded',
    `${sizeBytes} bytes do not fit: the account uses ${usedBytes} of its ${quotaBytes} bytes.`,
    {
      fix: `Delete files that you no longer need: find them with files/list, delete them with files/delete.${uploads}`,
      details: {
        used_bytes: usedBytes,
        quota_bytes: quotaBytes,
        size_bytes: sizeBytes,
        ...(count === 0 ? {} : { open_slots: { count, bytes, file_ids: fileIds } }),
      },
    },
  )
}
