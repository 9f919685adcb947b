import type { Database } from '../../db/database.ts'
import { AppError, invariant } from '../../errors/app-error.ts'
import { newId, type Id } from '../../lib/ids.ts'
import { cleanFilename, mimeOf } from './filename.ts'
import type { Owner } from '../../lib/owner.ts'
import type { FileContext } from './context.ts'
import { FILE_COLUMNS, type FileRow } from './file-row.ts'
import { readOpenSlots, readRoom } from './room.ts'

export type SlotInput = {
  readonly filename: string
  readonly sizeBytes: number
  readonly source: string
  /** Told by the name when left out. */
  readonly mime?: string | undefined
  readonly tags?: readonly string[] | undefined
  readonly note?: string | undefined
  /** What the bytes must hash to. */
  readonly sha256?: Buffer | undefined
  /** The id that the file is to have; a new one when left out. */
  readonly id?: Id | undefined
}

type SlotContext = Pick<FileContext, 'database' | 'now' | 'limits'>

// The room is taken and the slot is made in one statement, which waits for whoever is changing the account's room.
const CREATE = `
  with room as (
    insert into file_room as present (account_id, mode, used_bytes) values ($2, $3, $8)
    on conflict (account_id, mode) do update set used_bytes = present.used_bytes + excluded.used_bytes
    where present.used_bytes + excluded.used_bytes <= $12
    returning account_id
  )
  insert into files (id, account_id, mode, filename, mime, tags, note, size_bytes, source, sha256, created_at, key_id)
  select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $13 from room
  returning ${FILE_COLUMNS}`

/** Takes room for a file that is to come. Throws AppError file_too_large or storage_quota_exceeded; then no room is taken. */
export async function createSlot(
  { database, now, limits }: SlotContext,
  owner: Owner,
  input: SlotInput,
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
    ],
    'files-create-slot',
  )
  const [row] = rows
  if (row !== undefined) return row
  throw await quotaExceeded(database, owner, {
    usedBytes: await readRoom(database, ofAccount(owner)),
    quotaBytes: maxAccountBytes,
    sizeBytes,
  })
}

/**
 * Looks whether a file of this size could be kept, before its bytes are fetched; a former one of the same id would make
 * way. Takes nothing: the slot decides. Throws AppError file_too_large or storage_quota_exceeded.
 */
export async function expectRoom(
  { database, limits }: SlotContext,
  owner: Owner,
  sizeBytes: number,
  id: Id | undefined,
): Promise<void> {
  const { maxFileBytes, maxAccountBytes } = limits
  if (sizeBytes > maxFileBytes) throw fileTooLarge(maxFileBytes, sizeBytes)
  const usedBytes = await readRoom(database, ofAccount(owner))
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

/** The room is shared by all keys of the account. */
function ofAccount(owner: Owner): Owner {
  return { ...owner, scope: 'account' }
}

export function fileTooLarge(maxBytes: number, sizeBytes?: number): AppError {
  return new AppError(
    'file_too_large',
    `A file may have at most ${maxBytes} bytes${sizeBytes === undefined ? '' : `; this one has ${sizeBytes}`}.`,
    {
      details: {
        max_bytes: maxBytes,
        ...(sizeBytes === undefined ? {} : { size_bytes: sizeBytes }),
      },
    },
  )
}

/** Slots take room too, and stand in no list of files: the refusal names the oldest of them. */
async function quotaExceeded(
  database: Database,
  owner: Owner,
  {
    usedBytes,
    quotaBytes,
    sizeBytes,
  }: { readonly usedBytes: number; readonly quotaBytes: number; readonly sizeBytes: number },
): Promise<AppError> {
  const { count, bytes, fileIds } = await readOpenSlots(database, owner)
  const slots =
    count === 0
      ? ''
      : ' So it does for uploads that never came, which details.open_slots names; they give their room back by themselves two hours after files/upload.'
  return new AppError(
    'storage_quota_exceeded',
    `${sizeBytes} bytes do not fit: ${usedBytes} of the account's ${quotaBytes} bytes are taken.`,
    {
      fix: `Delete files that are no longer needed: files/list finds them, files/delete frees their room.${slots}`,
      details: {
        used_bytes: usedBytes,
        quota_bytes: quotaBytes,
        size_bytes: sizeBytes,
        ...(count === 0 ? {} : { open_slots: { count, bytes, file_ids: fileIds } }),
      },
    },
  )
}
