import { withAddressParam } from '../../catalog/validate/web-address.ts'
import { SharedCapacity } from '../../lib/fairness/shared-capacity.ts'
import { download, downloadFailure, type Download } from '../../upstream/download.ts'
import type { Owner } from '../../lib/owner.ts'
import type { FileDeps } from './file-deps.ts'
import type { FileRecord } from './file-row.ts'
import { mimeOf } from './filename.ts'
import { saveOutput } from './save-output.ts'
import { mediaTypeOfDownload, type Fetching } from './download-type.ts'

export type UrlInput = {
  readonly url: string
  readonly filename?: string | undefined
  readonly tags?: readonly string[] | undefined
  readonly note?: string | undefined
}

const IDLE_MS = 30_000
/**
 * Bytes of unknown length wait on the local disk before their space is reserved, so concurrency is
 * limited.
 */
const MAX_CONCURRENT = 16

export type UploadFromUrl = (
  owner: Owner,
  input: UrlInput,
  signal: AbortSignal,
) => Promise<FileRecord>

/**
 * Fetches a public URL into the owner's files. Throws the errors of `download` and `saveOutput`;
 * then nothing is stored.
 */
export function createUploadFromUrl(deps: FileDeps, fetching: Fetching): UploadFromUrl {
  const capacity = new SharedCapacity(MAX_CONCURRENT, 'downloads')
  return async (owner, input, signal) => {
    capacity.take(owner.accountId)
    try {
      const found = await download(input.url, {
        ...fetching,
        signal,
        idleMs: IDLE_MS,
        now: deps.now,
      }).catch((error: unknown) => {
        throw withAddressParam(error, 'url')
      })
      return await saveDownload(deps, owner, input, found, signal)
    } finally {
      capacity.giveBack(owner.accountId)
    }
  }
}

async function saveDownload(
  deps: FileDeps,
  owner: Owner,
  input: UrlInput,
  found: Download,
  signal: AbortSignal,
): Promise<FileRecord> {
  const { announcedBytes, body } = found
  try {
    const filename = input.filename ?? nameOf(found)
    return await saveOutput(
      deps,
      owner,
      {
        filename,
        mime: mediaTypeOfDownload(found) ?? mimeOf(filename),
        source: 'url',
        tags: input.tags,
        note: input.note,
        expectedBytes: announcedBytes,
      },
      body,
      signal,
    )
  } catch (error) {
    body.destroy()
    throw downloadFailure(error)
  }
}

/** The filename in the response, else the last part of the URL. */
function nameOf({ headers, finalUrl }: Download): string {
  const disposition = String(headers['content-disposition'] ?? '')
  const extended = /filename\*\s*=\s*utf-8''([^;\s]+)/i.exec(disposition)?.[1]
  const plain = /filename\s*=\s*(?:"((?:\\.|[^"\\])*)"|([^;\s"]+))/i.exec(disposition)
  const named = plain?.[1]?.replaceAll(/\\(.)/g, '$1') ?? plain?.[2] ?? ''
  return (
    decoded(extended) ??
    (named === '' ? decoded(new URL(finalUrl).pathname.split('/').at(-1)) : named) ??
    ''
  )
}

function decoded(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
