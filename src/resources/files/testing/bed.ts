/** What tests of files start from: a database, a disk store in a folder of its own, small limits, two accounts. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { AppError, invariant } from '../../../errors/app-error.ts'
import { accountsOf, START_MS } from '../../../../test/harness/accounts.ts'
import { openTestFiles } from '../../../../test/harness/files.ts'
import { manualClock, type ManualClock } from '../../../../test/harness/manual-clock.ts'
import { cloneDatabase } from '../../../../test/harness/postgres.ts'
import type { Owner } from '../../../lib/owner.ts'
import type { FileContext } from '../context.ts'
import { createSlot, type SlotInput } from '../create-slot.ts'
import type { FileRecord, FileRow } from '../file-row.ts'
import { fillSlot, type Arrival } from '../fill-slot.ts'
import { findFile } from '../find-file.ts'
import type { LinkFacts } from '../link.ts'

export const LIMITS = { maxFileBytes: 1_000, maxAccountBytes: 2_000 }

export type FileBed = {
  readonly context: FileContext
  readonly clock: ManualClock
  readonly owner: Owner
  readonly stranger: Owner
  slot(sizeBytes: number, facts?: Partial<SlotInput> & { owner?: Owner }): Promise<FileRow>
  fill(slot: FileRow, bytes: Buffer | Readable, arrival?: Partial<Arrival>): Promise<FileRecord>
  /** A stored file of these bytes. */
  file(bytes: Buffer, facts?: Partial<SlotInput> & { owner?: Owner }): Promise<FileRecord>
  /** What the store holds of a file of the owner's. */
  bytesOf(fileId: string): Promise<Buffer>
  /** Bytes that the books say the owner uses, and the sum of the rows: always the same. */
  used(owner?: Owner): Promise<number>
  /** Names of the files that lie in the store, and of those that are arriving. */
  objects(): string[]
  arriving(): string[]
}

export async function openFileBed(limits = LIMITS): Promise<FileBed> {
  const { database } = await cloneDatabase()
  const clock = manualClock(START_MS)
  const context = await openTestFiles(database, clock, limits)
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

  const slot: FileBed['slot'] = (sizeBytes, { owner: whose = owner, ...facts } = {}) =>
    createSlot(context, whose, { filename: 'a.bin', source: 'upload', ...facts, sizeBytes })
  const fill: FileBed['fill'] = (row, bytes, arrival = {}) =>
    fillSlot(context, linkOf(row), {
      body: Buffer.isBuffer(bytes) ? Readable.from([bytes]) : bytes,
      announcedBytes: null,
      sha256: null,
      signal: new AbortController().signal,
      idleMs: 10_000,
      ...arrival,
    })
  return {
    context,
    clock,
    owner,
    stranger,
    slot,
    fill,
    file: async (bytes, facts) => fill(await slot(bytes.length, facts), bytes),
    async bytesOf(fileId) {
      const { object_key: key } = await findFile(database, owner, fileId)
      const stream = await context.store.open(key ?? '', null)
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
        throw new RangeError(`room ${row?.used} is not the sum of the files ${row?.sum}`)
      return Number(row.used)
    },
    objects: () => namesIn(join(context.folder, 'objects')),
    arriving: () => namesIn(context.incoming),
  }
}

/** What a store does that cannot be reached. */
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
