import { withAddressParam } from '../../catalog/validate/web-address.ts'
import { SharedRoom } from '../../lib/fairness/shared-room.ts'
import { download, downloadFailure, type Download } from '../../upstream/download.ts'
import type { Owner } from '../../lib/owner.ts'
import type { FileContext } from './context.ts'
import type { FileRecord } from './file-row.ts'
import { mimeOf } from './filename.ts'
import { keepOutput } from './keep-output.ts'
import { typeOf, type Fetching } from './served-as.ts'

export type UrlInput = {
  readonly url: string
  readonly filename?: string | undefined
  readonly tags?: readonly string[] | undefined
  readonly note?: string | undefined
}

const IDLE_MS = 30_000
/** Bytes of unknown length wait on this machine's disk before they take room, so only so many may come at once. */
const MOST_AT_ONCE = 16

export type UploadFromUrl = (
  owner: Owner,
  input: UrlInput,
  signal: AbortSignal,
) => Promise<FileRecord>

/** Fetches a public URL into the owner's files. Throws what `download` and `keepOutput` throw; then nothing is kept. */
export function createUploadFromUrl(context: FileContext, fetching: Fetching): UploadFromUrl {
  const room = new SharedRoom(MOST_AT_ONCE, 'downloads')
  return async (owner, input, signal) => {
    room.take(owner.accountId)
    try {
      const found = await download(input.url, {
        ...fetching,
        signal,
        idleMs: IDLE_MS,
        now: context.now,
      }).catch((error: unknown) => {
        throw withAddressParam(error, 'url')
      })
      return await keepDownload(context, owner, input, found, signal)
    } finally {
      room.giveBack(owner.accountId)
    }
  }
}

async function keepDownload(
  context: FileContext,
  owner: Owner,
  input: UrlInput,
  found: Download,
  signal: AbortSignal,
): Promise<FileRecord> {
  const { announcedBytes, body } = found
  try {
    const filename = input.filename ?? nameOf(found)
    return await keepOutput(
      context,
      owner,
      {
        filename,
        mime: typeOf(found) ?? mimeOf(filename),
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

/** The name that the server gives the file, else the last part of its address. */
function nameOf({ headers, finalUrl }: Download): string {
  const disposition = String(headers['content-disposition'] ?? '')
  const extended = /filename\*\s*=\s*utf-8''([^;\s]+)/i.exec(disposition)?.[1]
  const plain = /filename\s*=\s*(?:"((?:\\.|[^"\\])*)"|([^;\s"]+))/i.exec(disposition)
  const told = plain?.[1]?.replaceAll(/\\(.)/g, '$1') ?? plain?.[2] ?? ''
  return (
    decoded(extended) ??
    (told === '' ? decoded(new URL(finalUrl).pathname.split('/').at(-1)) : told) ??
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
