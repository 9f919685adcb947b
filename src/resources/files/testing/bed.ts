/**
 * A test setup for files: a database, a disk store in its own folder, small limits, two accounts.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { AppError, invariant } from '../../../errors/app-error.ts'
import { accountsOf, START_MS } from '../../../../test/harness/beds/accounts.ts'
import { openTestFiles } from '../../../../test/harness/beds/files.ts'
import { manualClock, type ManualClock } from '../../../../test/harness/manual-clock.ts'
import { cloneDatabase } from '../../../../test/harness/postgres.ts'
import type { Owner } from '../../../lib/owner.ts'
import type { FileDeps } from '../file-deps.ts'
import { createUpload, type UploadRequest } from '../create-upload.ts'
import type { FileRecord, FileRow } from '../file-row.ts'
import { fillUpload, type Arrival } from '../fill-upload.ts'
import { findFile } from '../find-file.ts'
import type { LinkFacts } from '../link.ts'

export const LIMITS = { maxFileBytes: 1_000, maxAccountBytes: 2_000 }

export type FileBed = {
  readonly deps: FileDeps
  readonly clock: ManualClock
  readonly owner: Owner
  readonly stranger: Owner
  upload(sizeBytes: number, facts?: Partial<UploadRequest> & { owner?: Owner }): Promise<FileRow>
  fill(upload: FileRow, bytes: Buffer | Readable, arrival?: Partial<Arrival>): Promise<FileRecord>
  /** A stored file of these bytes. */
  file(bytes: Buffer, facts?: Partial<UploadRequest> & { owner?: Owner }): Promise<FileRecord>
  /** The stored bytes of the owner's file. */
  bytesOf(fileId: string): Promise<Buffer>
  /** The owner's recorded usage; asserts that it equals the sum of the rows. */
  used(owner?: Owner): Promise<number>
  /** Names of the stored files, and of those in progress. */
  objects(): string[]
  arriving(): string[]
}

export async function openFileBed(limits = LIMITS): Promise<FileBed> {
  const { database } = await cloneDatabase()
  const clock = manualClock(START_MS)
  const deps = await openTestFiles(database, clock, limits)
  const accounts = accountsOf(database, clock)
  const owner: Owner = {
    accountId: await accounts.openAccount(),
    mode: 'live',
    keyId: null,
    scope: 'account',
  }
  const stranger: Owner = {
    accountId: await accounts.openAccount(),
    mode: 'live',
    keyId: null,
    scope: 'account',
  }

  const upload: FileBed['upload'] = (sizeBytes, { owner: whose = owner, ...facts } = {}) =>
    createUpload(deps, whose, { filename: 'a.bin', source: 'upload', ...facts, sizeBytes })
  const fill: FileBed['fill'] = (row, bytes, arrival = {}) =>
    fillUpload(deps, linkOf(row), {
      body: Buffer.isBuffer(bytes) ? Readable.from([bytes]) : bytes,
      announcedBytes: null,
      sha256: null,
      signal: new AbortController().signal,
      idleMs: 10_000,
      ...arrival,
    })
  return {
    deps,
    clock,
    owner,
    stranger,
    upload,
    fill,
    file: async (bytes, facts) => fill(await upload(bytes.length, facts), bytes),
    async bytesOf(fileId) {
      const { object_key: key } = await findFile(database, owner, fileId)
      const stream = await deps.store.open(key ?? '', null)
      invariant(stream !== null, 'a stored file has its bytes')
      return buffer(stream)
    },
    async used({ accountId, mode } = owner) {
      const { rows } = await database.query<{ used: bigint; sum: bigint }>(
        `select coalesce((select used_bytes from file_room where account_id = $1 and mode = $2), 0) as used,
                coalesce((select sum(size_bytes) from files where account_id = $1 and mode = $2), 0)::bigint as sum`,
        [accountId, mode],
      )
      const [row] = rows
      if (row === undefined || row.used !== row.sum)
        throw new RangeError(`usage ${row?.used} is not the sum of the files ${row?.sum}`)
      return Number(row.used)
    },
    objects: () => namesIn(join(deps.folder, 'objects')),
    arriving: () => namesIn(deps.incoming),
  }
}

/** A store method that fails as unavailable. */
export async function away(): Promise<never> {
  throw new AppError('overloaded')
}

export function linkOf({ id, size_bytes: size, mode }: FileRow): LinkFacts {
  return { id, sizeBytes: Number(size), mode, expiresMs: START_MS + 3_600_000 }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
  } catch {
    return []
  }
}
