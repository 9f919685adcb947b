import type { LocalHandler } from '../../catalog/vocabulary/handlers.ts'
import { done, type Data } from '../../catalog/vocabulary/outcome.ts'
import { toRfc3339 } from '../../lib/clock.ts'
import { publicId } from '../../lib/ids.ts'
import type { Owner } from '../../lib/owner.ts'
import type { FileDeps } from './file-deps.ts'
import { createUpload } from './create-upload.ts'
import { deleteFile } from './delete-file.ts'
import { fileRecord, freshExpiryMs } from './file-row.ts'
import { mediaTypeOf } from './filename.ts'
import { findFile } from './find-file.ts'
import { listFiles } from './list-files.ts'
import { readUsage } from './file-usage.ts'
import type { Fetching } from './download-type.ts'
import { createUploadFromUrl } from './upload-from-url.ts'

// Validated against the catalog's schemas before the handlers run.
type UploadInput = {
  filename: string
  size_bytes: number
  mime?: string
  tags?: string[]
  note?: string
  sha256?: string
}
type UrlInput = { url: string; filename?: string; tags?: string[]; note?: string }
type ListInput = { tags?: string[]; query?: string; limit: number; cursor?: string }

/**
 * The actions of the service "files", by the names in its record. A call that throws is never
 * charged.
 */
export function fileHandlers(
  deps: FileDeps,
  fetching: Fetching,
): ReadonlyMap<string, LocalHandler> {
  const uploadFromUrl = createUploadFromUrl(deps, fetching)
  return new Map<string, LocalHandler>([
    ['files.upload', async (input, owner) => done(await upload(deps, owner, input as UploadInput))],
    [
      'files.upload_from_url',
      async (input, tools) => done(await uploadFromUrl(tools, input as UrlInput, tools.signal)),
    ],
    [
      'files.get',
      async ({ file_id: fileId }, owner) =>
        done(fileRecord(deps, await findFile(deps.database, owner, String(fileId)))),
    ],
    ['files.list', async (input, owner) => done(await list(deps, owner, input as ListInput))],
    [
      'files.delete',
      async ({ file_id: fileId }, owner) =>
        done({
          file_id: fileId,
          deleted: true,
          freed_bytes: await deleteFile(deps, owner, String(fileId)),
        }),
    ],
  ])
}

async function upload(
  deps: FileDeps,
  owner: Owner,
  { filename, size_bytes: sizeBytes, mime, tags, note, sha256 }: UploadInput,
): Promise<Data> {
  const row = await createUpload(deps, owner, {
    filename,
    sizeBytes,
    source: 'upload',
    mime: mime === undefined ? undefined : mediaTypeOf(mime),
    tags,
    note,
    sha256: sha256 === undefined ? undefined : Buffer.from(sha256, 'hex'),
  })
  const expiresMs = freshExpiryMs(deps.now())
  const link = { id: row.id, sizeBytes, mode: row.mode, expiresMs }
  return {
    file_id: publicId('file', row.id),
    filename: row.filename,
    mime: row.mime,
    size: sizeBytes,
    put_url: deps.links.urlFor('put', link),
    get_url: deps.links.urlFor('get', link),
    expires_at: toRfc3339(expiresMs),
  }
}

async function list(
  deps: FileDeps,
  owner: Owner,
  { tags = [], query, limit, cursor }: ListInput,
): Promise<Data> {
  const [page, usedBytes] = await Promise.all([
    listFiles(deps, owner, { tags, query: query ?? null, limit, cursor: cursor ?? null }),
    readUsage(deps.database, owner),
  ])
  return {
    files: page.files,
    next_cursor: page.nextCursor,
    used_bytes: usedBytes,
    quota_bytes: deps.limits.maxAccountBytes,
  }
}
