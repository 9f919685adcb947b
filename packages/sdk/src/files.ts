import type { FilesActions } from './actions.d.ts'
import { readJson, type Result } from './result.ts'
import type { CallOptions, Transport } from './transport.ts'

/** A stored file. `get_url` is a link that expires at `expires_at`. */
export type StoredFile = {
  readonly file_id: string
  readonly filename: string
  readonly mime: string
  readonly size: number
  readonly sha256: string
  readonly tags: readonly string[]
  readonly note: string | null
  readonly source: string
  readonly created_at: string
  readonly get_url: string
  readonly expires_at: string
}

export type UploadFacts = {
  readonly filename: string
  readonly mime?: string
  readonly tags?: readonly string[]
  readonly note?: string
}

export type FileHelpers = {
  /** Stores a file. */
  upload(
    content: Blob | ArrayBuffer | Uint8Array<ArrayBuffer> | string,
    facts: UploadFacts,
    options?: CallOptions,
  ): Promise<Result<StoredFile>>
  /** The response has the bytes: `arrayBuffer()`, `text()` or `body`. */
  download(fileId: string, options?: CallOptions): Promise<Response>
}

/** The actions of the service `files`. `upload` sends the content, too. */
export type Files = Omit<FilesActions, 'upload'> & FileHelpers

type Run = (action: string, input: object, options: CallOptions) => Promise<Result<unknown>>

export function createFileHelpers(transport: Transport, run: Run): FileHelpers {
  return {
    async upload(content, facts, options = {}) {
      const bytes = content instanceof Blob ? content : new Blob([content])
      const slot = await run('files/upload', { ...facts, size_bytes: bytes.size }, options)
      const { put_url: path } = slot.data as { put_url: string }
      // Sending a stored file again changes nothing.
      const answer = await transport.send({ method: 'PUT', path, bytes }, options)
      return { ...slot, data: (readJson(answer) as { readonly data: StoredFile }).data }
    },
    async download(fileId, options = {}) {
      const { data } = await run('files/get', { file_id: fileId }, withoutKey(options))
      return transport.open({ method: 'GET', path: (data as StoredFile).get_url }, options)
    },
  }
}

/** The key belongs to another request. */
function withoutKey({ signal, timeoutMs }: CallOptions): CallOptions {
  return {
    ...(signal === undefined ? {} : { signal }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  }
}
