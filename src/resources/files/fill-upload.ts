import type { Readable } from 'node:stream'
import { AppError } from '../../errors/app-error.ts'
import type { FileDeps } from './file-deps.ts'
import { resizeUpload } from './create-upload.ts'
import { fileRecord, type FileRecord, type FileRow } from './file-row.ts'
import { findLinked, findUpload, unknownFile } from './find-file.ts'
import type { Maker } from '../makers/maker-watch.ts'
import type { LinkFacts } from './link.ts'
import { discard, receive, TooManyBytes } from './receive.ts'
import { storeReceived } from './store-received.ts'
import type { ReceivedFile } from './store.ts'

export type Arrival = {
  readonly body: Readable
  /** The length that the sender declares; null without one. */
  readonly announcedBytes: number | null
  /** The SHA-256 that the sender declares. */
  readonly sha256: Buffer | null
  readonly signal: AbortSignal
  /** The longest silence of the sender. */
  readonly idleMs: number
  /** Whether the body's chunks are used only here, so that their memory can be freed. */
  readonly ownsChunks?: boolean
  /** Called with the maker of the upload before its bytes are read. */
  readonly onMaker?: (maker: Maker) => void
}

/**
 * Receives the bytes of an upload. They become the file only if they are complete and match the
 * declared hash; otherwise the upload stays open for another try. Sending a stored file again
 * changes nothing. Throws AppError `unknown_file`, `link_invalid`, `upload_mismatch`,
 * `request_timeout` or `overloaded`, and errors of the body.
 */
export async function fillUpload(
  deps: FileDeps,
  link: LinkFacts,
  arrival: Arrival,
): Promise<FileRecord> {
  const { announcedBytes } = arrival
  const found = await findUpload(deps, link)
  arrival.onMaker?.({
    accountId: found.account_id,
    keyId: found.key_id,
    madeMs: found.created_at.getTime(),
  })
  const upload = link.sizeBytes === null ? await reserveSize(deps, found, announcedBytes) : found
  const sizeBytes = Number(upload.size_bytes)
  if (announcedBytes !== null && announcedBytes !== sizeBytes)
    throw wrongSize(sizeBytes, `${announcedBytes}`)
  const received = await receive(arrival.body, {
    folder: deps.incoming,
    maxBytes: sizeBytes,
    signal: arrival.signal,
    idleMs: arrival.idleMs,
    ownsChunks: arrival.ownsChunks ?? false,
  }).catch((error: unknown) => {
    throw error instanceof TooManyBytes ? wrongSize(sizeBytes, 'more') : error
  })
  try {
    return fileRecord(deps, await accept(deps, upload, received, arrival.sha256))
  } finally {
    await discard(received)
  }
}

/** The upload with the size that its sender declares, reserved like that of any upload. */
async function reserveSize(
  deps: FileDeps,
  upload: FileRow,
  announcedBytes: number | null,
): Promise<FileRow> {
  if (upload.object_key !== null) return upload
  if (announcedBytes === null)
    throw new AppError('upload_mismatch', 'This upload needs to know its size first.', {
      fix: 'Send the number of bytes as Content-Length.',
    })
  return resizeUpload(deps, upload, announcedBytes)
}

async function accept(
  deps: FileDeps,
  upload: FileRow,
  received: ReceivedFile,
  sha256: Buffer | null,
): Promise<FileRow> {
  if (BigInt(received.sizeBytes) !== upload.size_bytes)
    throw wrongSize(Number(upload.size_bytes), `${received.sizeBytes}`)
  for (const expected of [sha256, upload.sha256])
    if (expected !== null && !expected.equals(received.sha256))
      throw wrongHash(expected, received.sha256)
  if (upload.object_key !== null) return upload
  const stored = await storeReceived(deps, upload.id, received)
  if (stored !== null) return stored
  // Another request for the same upload was faster, or the upload was deleted meanwhile.
  const present = await findLinked(deps.database, upload)
  if (present.sha256 === null) throw unknownFile()
  if (!present.sha256.equals(received.sha256)) throw wrongHash(present.sha256, received.sha256)
  return present
}

function wrongSize(expected: number, got: string): AppError {
  return new AppError(
    'upload_mismatch',
    `This upload is for ${expected} bytes, but ${got} were received.`,
    { details: { size_bytes: expected } },
  )
}

function wrongHash(expected: Buffer, got: Buffer): AppError {
  return new AppError(
    'upload_mismatch',
    'The received bytes do not match the SHA-256 of this file.',
    {
      details: { expected_sha256: expected.toString('hex'), received_sha256: got.toString('hex') },
    },
  )
}
