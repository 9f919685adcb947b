import type { Readable } from 'node:stream'
import type { Owner } from '../../lib/owner.ts'
import type { FileDeps } from './file-deps.ts'
import { createUpload, checkQuota, fileTooLarge } from './create-upload.ts'
import type { Id } from '../../lib/ids.ts'
import { fileRecord, type FileRecord, type FileRow } from './file-row.ts'
import { unknownFile } from './find-file.ts'
import { discard, receive, TooManyBytes } from './receive.ts'
import { removalOf } from './file-usage.ts'
import { storeReceived } from './store-received.ts'
import type { ReceivedFile } from './store.ts'

export type OutputFacts = {
  readonly filename: string
  /** Default: derived from the filename. */
  readonly mime?: string | undefined
  /** The action that produced it, such as "render/scrape". */
  readonly source: string
  readonly tags?: readonly string[] | undefined
  readonly note?: string | undefined
  /** For repeatable work: the file's id. A repetition replaces the file. */
  readonly id?: Id | undefined
  /** When the file is deleted, in Unix milliseconds. Never by default. */
  readonly expiresMs?: number
  /** The declared length. A file that would not fit is rejected before it is read. */
  readonly expectedBytes?: number | null
}

/** For writes that may continue after the call's own signal; never aborts. */
const NEVER = new AbortController().signal
const IDLE_MS = 60_000

/**
 * Saves an output of a paid call as a file of the account. Reads the stream to its end. Throws
 * AppError `file_too_large`, `storage_quota_exceeded` or `overloaded`, and errors of the stream;
 * then nothing is stored.
 */
export async function saveOutput(
  deps: FileDeps,
  owner: Owner,
  facts: OutputFacts,
  stream: Readable,
  signal: AbortSignal = NEVER,
): Promise<FileRecord> {
  const { maxFileBytes } = deps.limits
  const { expectedBytes, id } = facts
  if (expectedBytes !== undefined && expectedBytes !== null)
    await checkQuota(deps, owner, expectedBytes, id)
  const received = await receive(stream, {
    folder: deps.incoming,
    maxBytes: maxFileBytes,
    signal,
    idleMs: IDLE_MS,
  }).catch((error: unknown) => {
    stream.destroy()
    throw error instanceof TooManyBytes ? fileTooLarge(maxFileBytes) : error
  })
  try {
    return fileRecord(deps, await saveReceived(deps, owner, facts, received))
  } finally {
    await discard(received)
  }
}

async function saveReceived(
  deps: FileDeps,
  owner: Owner,
  facts: OutputFacts,
  received: ReceivedFile,
): Promise<FileRow> {
  if (facts.id !== undefined)
    await deps.database.query(REMOVE_PREVIOUS, [
      new Date(deps.now()),
      facts.id,
      owner.accountId,
      owner.mode,
    ])
  const upload = await createUpload(deps, owner, {
    ...facts,
    sizeBytes: received.sizeBytes,
    sha256: received.sha256,
  })
  try {
    const stored = await storeReceived(deps, upload.id, received)
    if (stored === null) throw unknownFile()
    return stored
  } catch (error) {
    await deps.database.query(REMOVE_UPLOAD, [new Date(deps.now()), upload.id])
    throw error
  }
}

const REMOVE_UPLOAD = removalOf('id = $2 and object_key is null')
const REMOVE_PREVIOUS = removalOf('id = $2 and account_id = $3 and mode = $4')
