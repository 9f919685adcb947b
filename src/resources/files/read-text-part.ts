import type { Readable } from 'node:stream'
import { AppError } from '../../errors/app-error.ts'
import type { Owner } from '../../lib/owner.ts'
import type { FileDeps } from './file-deps.ts'
import { findFile, unknownFile } from './find-file.ts'

export type TextPart = {
  readonly file_id: string
  readonly mime: string
  readonly size: number
  readonly offset: number
  readonly text: string
  /** The byte at which the next part begins; null at the end of the file. */
  readonly next_offset: number | null
}

// A character has at most four bytes in UTF-8.
const BYTES_PER_CHAR = 4
const CHARS_OF_OTHER_FIELDS = 500

/**
 * The owner's file as text from a byte on, such as the rest of a truncated answer. Throws AppError
 * `unknown_file`, also for another account's file, and `invalid_params` for an offset behind the end
 * or a file that is not text.
 */
export async function readTextPart(
  { database, store }: Pick<FileDeps, 'database' | 'store'>,
  owner: Owner,
  fileId: string,
  { offset, maxChars }: { readonly offset: number; readonly maxChars: number },
): Promise<TextPart> {
  const { mime, size_bytes: bytes, object_key: key } = await findFile(database, owner, fileId)
  const size = Number(bytes)
  if (offset > 0 && offset >= size)
    throw new AppError('invalid_params', `The file has ${size} bytes.`, { param: 'offset' })
  const most = Math.max(1, maxChars - CHARS_OF_OTHER_FIELDS)
  const end = Math.min(size, offset + most * BYTES_PER_CHAR)
  const stream =
    key === null || size === 0 ? null : await store.open(key, { first: offset, last: end - 1 })
  if (stream === null && size > 0) throw unknownFile()
  const text = fitJson(decode(await collect(stream), end === size), most)
  const next = offset + Buffer.byteLength(text)
  return { file_id: fileId, mime, size, offset, text, next_offset: next < size ? next : null }
}

async function collect(stream: Readable | null): Promise<Buffer> {
  const pieces: Buffer[] = []
  if (stream !== null) for await (const piece of stream) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

/** Throws AppError invalid_params for bytes that are not UTF-8. A character that the end of the range splits is left to the next part. */
function decode(bytes: Buffer, isEnd: boolean): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, {
      stream: !isEnd,
    })
  } catch {
    throw new AppError('invalid_params', 'This is not text from the given offset on.', {
      param: 'file_id',
      fix: 'Download the file: run files/get returns its link. Send offsets as next_offset or truncated returned them.',
    })
  }
}

/** The longest start of the text, estimated by its share of escapes, that has at most `most` characters as JSON. */
function fitJson(text: string, most: number): string {
  let fitting = text
  for (let chars = JSON.stringify(fitting).length; chars > most;) {
    const length = Math.floor((fitting.length * most) / chars) - 1
    const head = fitting.slice(0, Math.max(1, length))
    fitting = /[\ud800-\udbff]$/.test(head) ? head.slice(0, -1) : head
    if (fitting.length <= 1) return fitting
    chars = JSON.stringify(fitting).length
  }
  return fitting
}
