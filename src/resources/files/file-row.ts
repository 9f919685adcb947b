import { toRfc3339 } from '../../lib/clock.ts'
import { publicId, type Id } from '../../lib/ids.ts'
import type { Mode } from '../../lib/mode.ts'
import { LINK_MS, type FileDeps } from './file-deps.ts'

export type FileRow = {
  readonly id: Id
  readonly account_id: Id
  readonly mode: Mode
  readonly filename: string
  readonly mime: string
  readonly tags: readonly string[]
  readonly note: string | null
  readonly source: string
  readonly size_bytes: bigint
  readonly sha256: Buffer | null
  readonly object_key: string | null
  readonly created_at: Date
  /** The key that created it. */
  readonly key_id: Id | null
}

export const FILE_COLUMNS =
  'id, account_id, mode, filename, mime, tags, note, source, size_bytes, sha256, object_key, created_at, key_id'

/** A file as returned to callers. */
export type FileRecord = {
  readonly file_id: string
  readonly filename: string
  readonly mime: string
  readonly size: number
  readonly sha256: string
  readonly tags: readonly string[]
  readonly note: string | null
  /** "upload", "url", or the action that produced it. */
  readonly source: string
  readonly created_at: string
  readonly get_url: string
  /** When `get_url` expires. The file itself stays until it is deleted. */
  readonly expires_at: string
}

/** The record of a stored file, with a new link. */
export function fileRecord(
  { links, now }: Pick<FileDeps, 'links' | 'now'>,
  row: FileRow,
): FileRecord {
  const sizeBytes = Number(row.size_bytes)
  const expiresMs = freshExpiryMs(now())
  return {
    file_id: publicId('file', row.id),
    filename: row.filename,
    mime: row.mime,
    size: sizeBytes,
    sha256: row.sha256?.toString('hex') ?? '',
    tags: row.tags,
    note: row.note,
    source: row.source,
    created_at: toRfc3339(row.created_at.getTime()),
    get_url: links.urlFor('get', { id: row.id, sizeBytes, mode: row.mode, expiresMs }),
    expires_at: toRfc3339(expiresMs),
  }
}

/** Links expire at whole seconds, and so do the times shown to callers. */
export function freshExpiryMs(nowMs: number): number {
  return Math.floor((nowMs + LINK_MS) / 1000) * 1000
}
