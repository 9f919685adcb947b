import type { Readable } from 'node:stream'
import { AppError } from '../../errors/app-error.ts'
import type { FileContext } from './context.ts'
import { fileRecord, type FileRecord, type FileRow } from './file-row.ts'
import { findLinked, unknownFile } from './find-file.ts'
import type { LinkFacts } from './link.ts'
import { discard, receive, TooManyBytes } from './receive.ts'
import { storeParcel } from './store-parcel.ts'
import type { Parcel } from './store.ts'

export type Arrival = {
  readonly body: Readable
  /** As announced by the sender; null when it did not. */
  readonly announcedBytes: number | null
  /** What the sender says that the bytes hash to. */
  readonly sha256: Buffer | null
  readonly signal: AbortSignal
  /** How long the sender may be silent. */
  readonly idleMs: number
  /** Nobody else holds the memory of the body's chunks. */
  readonly ownsChunks?: boolean
}

/**
 * Takes the bytes of an upload slot. They become the file only if all of them came and they hash to what was announced;
 * else the slot stays open for another try. Sending a stored file again changes nothing.
 * Throws AppError unknown_file, upload_mismatch, request_timeout or overloaded, and what the body throws when it breaks off.
 */
export async function fillSlot(
  context: FileContext,
  link: LinkFacts,
  arrival: Arrival,
): Promise<FileRecord> {
  const slot = await findLinked(context.database, link)
  if (arrival.announcedBytes !== null && arrival.announcedBytes !== link.sizeBytes)
    throw wrongSize(link.sizeBytes, `${arrival.announcedBytes}`)
  const parcel = await receive(arrival.body, {
    folder: context.incoming,
    maxBytes: link.sizeBytes,
    signal: arrival.signal,
    idleMs: arrival.idleMs,
    ownsChunks: arrival.ownsChunks ?? false,
  }).catch((error: unknown) => {
    throw error instanceof TooManyBytes ? wrongSize(link.sizeBytes, 'more') : error
  })
  try {
    return fileRecord(context, await accept(context, slot, parcel, arrival.sha256))
  } finally {
    await discard(parcel)
  }
}

async function accept(
  context: FileContext,
  slot: FileRow,
  parcel: Parcel,
  sha256: Buffer | null,
): Promise<FileRow> {
  if (BigInt(parcel.sizeBytes) !== slot.size_bytes)
    throw wrongSize(Number(slot.size_bytes), `${parcel.sizeBytes}`)
  for (const expected of [sha256, slot.sha256])
    if (expected !== null && !expected.equals(parcel.sha256))
      throw wrongHash(expected, parcel.sha256)
  if (slot.object_key !== null) return slot
  const stored = await storeParcel(context, slot.id, parcel)
  if (stored !== null) return stored
  // Another upload to the same slot was faster, or the slot was deleted meanwhile.
  const present = await findLinked(context.database, slot)
  if (present.sha256 === null) throw unknownFile()
  if (!present.sha256.equals(parcel.sha256)) throw wrongHash(present.sha256, parcel.sha256)
  return present
}

function wrongSize(expected: number, got: string): AppError {
  return new AppError(
    'upload_mismatch',
    `This upload slot is for ${expected} bytes; ${got} came.`,
    { details: { size_bytes: expected } },
  )
}

function wrongHash(expected: Buffer, got: Buffer): AppError {
  return new AppError(
    'upload_mismatch',
    'The bytes that came do not have the SHA-256 of this file.',
    {
      details: { expected_sha256: expected.toString('hex'), received_sha256: got.toString('hex') },
    },
  )
}
