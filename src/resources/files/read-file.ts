import type { Readable } from 'node:stream'
import { AppError } from '../../errors/app-error.ts'
import type { Owner } from '../../lib/owner.ts'
import type { FileDeps } from './file-deps.ts'
import { findFile, unknownFile } from './find-file.ts'

type StoredFiles = Pick<FileDeps, 'database' | 'store'>

/** The content of the owner's file. Throws AppError `unknown_file`, also for another account's file. */
export async function openFile(
  { database, store }: StoredFiles,
  owner: Owner,
  fileId: string,
  maxBytes = Number.POSITIVE_INFINITY,
): Promise<{ readonly stream: Readable; readonly filename: string; readonly mime: string }> {
  const row = await findFile(database, owner, fileId)
  if (row.size_bytes > maxBytes)
    throw new AppError(
      'file_too_large',
      `The file is larger than ${maxBytes / 1024 ** 2} MiB. Nothing was charged.`,
      {
        param: 'file_id',
        details: { max_bytes: maxBytes, size_bytes: Number(row.size_bytes) },
      },
    )
  const stream = row.object_key === null ? null : await store.open(row.object_key, null)
  if (stream === null) throw unknownFile()
  return { stream, filename: row.filename, mime: row.mime }
}

/**
 * The bytes of the owner's file. Throws AppError `unknown_file`, also for another account's file,
 * and `file_too_large` before reading more than `maxBytes`.
 */
export async function readFileBytes(
  files: StoredFiles,
  owner: Owner,
  fileId: string,
  maxBytes: number,
): Promise<{ readonly bytes: Buffer; readonly filename: string; readonly mime: string }> {
  const { stream, filename, mime } = await openFile(files, owner, fileId, maxBytes)
  const pieces: Buffer[] = []
  for await (const piece of stream) pieces.push(piece as Buffer)
  return { bytes: Buffer.concat(pieces), filename, mime }
}
