import type { Readable } from 'node:stream'
import type { Owner } from '../../lib/owner.ts'
import type { FileContext } from './context.ts'
import { createSlot, expectRoom, fileTooLarge } from './create-slot.ts'
import type { Id } from '../../lib/ids.ts'
import { fileRecord, type FileRecord, type FileRow } from './file-row.ts'
import { unknownFile } from './find-file.ts'
import { discard, receive, TooManyBytes } from './receive.ts'
import { removalOf } from './room.ts'
import { storeParcel } from './store-parcel.ts'
import type { Parcel } from './store.ts'

export type OutputFacts = {
  readonly filename: string
  /** Told by the name when left out. */
  readonly mime?: string | undefined
  /** What made it, such as "render/scrape". */
  readonly source: string
  readonly tags?: readonly string[] | undefined
  readonly note?: string | undefined
  /** For work that may be done again: the file's id, under which there is one file, the last one kept. */
  readonly id?: Id | undefined
  /** As announced: what would not fit is refused before it is read. */
  readonly expectedBytes?: number | null
}

/** Writes may take longer than any call's own signal lets them; this one never ends. */
const NEVER = new AbortController().signal
const IDLE_MS = 60_000

/**
 * Puts an output of a paid call into the account's files, so that it can be fetched again. The stream is read to its
 * end. Throws AppError file_too_large, storage_quota_exceeded or overloaded, and what the stream throws; then nothing is kept.
 */
export async function keepOutput(
  context: FileContext,
  owner: Owner,
  facts: OutputFacts,
  stream: Readable,
  signal: AbortSignal = NEVER,
): Promise<FileRecord> {
  const { maxFileBytes } = context.limits
  const { expectedBytes, id } = facts
  if (expectedBytes !== undefined && expectedBytes !== null)
    await expectRoom(context, owner, expectedBytes, id)
  const parcel = await receive(stream, {
    folder: context.incoming,
    maxBytes: maxFileBytes,
    signal,
    idleMs: IDLE_MS,
  }).catch((error: unknown) => {
    stream.destroy()
    throw error instanceof TooManyBytes ? fileTooLarge(maxFileBytes) : error
  })
  try {
    return fileRecord(context, await keepParcel(context, owner, facts, parcel))
  } finally {
    await discard(parcel)
  }
}

async function keepParcel(
  context: FileContext,
  owner: Owner,
  facts: OutputFacts,
  parcel: Parcel,
): Promise<FileRow> {
  if (facts.id !== undefined)
    await context.database.query(MAKE_WAY, [
      new Date(context.now()),
      facts.id,
      owner.accountId,
      owner.mode,
    ])
  const slot = await createSlot(context, owner, {
    ...facts,
    sizeBytes: parcel.sizeBytes,
    sha256: parcel.sha256,
  })
  try {
    const stored = await storeParcel(context, slot.id, parcel)
    if (stored === null) throw unknownFile()
    return stored
  } catch (error) {
    await context.database.query(GIVE_BACK, [new Date(context.now()), slot.id])
    throw error
  }
}

const GIVE_BACK = removalOf('id = $2 and object_key is null')
const MAKE_WAY = removalOf('id = $2 and account_id = $3 and mode = $4')
