import { pipeline } from 'node:stream/promises'
import type { Readable, Transform } from 'node:stream'
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw, createZstdDecompress } from 'node:zlib'

/** The body passed the size limit, packed or unpacked; nothing was read beyond it. */
export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge'
}

export type BodyRules = {
  readonly maxBytes: number
  /** What the server says that it sends, packed. */
  readonly announcedBytes?: number
  /** Asked once, with the start of the body, before more of it is read or found to be too much: on false that is all that is read. */
  readonly isWanted?: (start: Buffer) => boolean
}

/** Enough to tell what a file is. */
const START_BYTES = 1_024
const MAX_ENCODINGS = 3
// Many servers cut the end of a compressed stream; browsers show what arrived, and so do we.
const LENIENT = { finishFlush: constants.Z_SYNC_FLUSH }

/**
 * Reads a body to its end, undoing its content encodings. Throws BodyTooLarge as soon as the packed or the unpacked
 * side passes `maxBytes`, so a small bomb never grows. An encoding that nobody knows leaves the bytes as they are.
 */
export async function readBody(body: Readable, contentEncoding: string | undefined, { maxBytes, announcedBytes = 0, isWanted = () => true }: BodyRules): Promise<Buffer> {
  const isAnnouncedTooLarge = announcedBytes > maxBytes
  let isAsked = false
  let size = 0
  let source = counted(body as AsyncIterable<Buffer>, maxBytes)
  for (const name of encodingsOf(contentEncoding).reverse()) source = decoded(source, name)
  const chunks: Buffer[] = []
  try {
    for await (const chunk of counted(source, maxBytes)) {
      chunks.push(chunk)
      size += chunk.length
      if (isAsked || (size < START_BYTES && !isAnnouncedTooLarge)) continue
      isAsked = true
      if (!isWanted(Buffer.concat(chunks))) break
      if (isAnnouncedTooLarge) throw new BodyTooLarge(`more than ${maxBytes} bytes`)
    }
  } finally {
    body.destroy()
  }
  return Buffer.concat(chunks)
}

async function* counted(source: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let seen = 0
  for await (const chunk of source) {
    seen += chunk.length
    if (seen > maxBytes) throw new BodyTooLarge(`more than ${maxBytes} bytes`)
    yield chunk
  }
}

async function* decoded(source: AsyncGenerator<Buffer>, name: string): AsyncGenerator<Buffer> {
  const first = await source.next()
  if (first.done === true) return
  const decoder = decoderFor(name, first.value)
  const feeding = pipeline(async function* feed() {
    yield first.value
    yield* source
  }, decoder)
  feeding.catch((error: Error) => decoder.destroy(error))
  yield* decoder as AsyncIterable<Buffer>
  await feeding
}

function encodingsOf(header: string | undefined): string[] {
  const names = (header ?? '').toLowerCase().split(',').map((name) => name.trim())
  return names.filter((name) => /^(x-)?gzip$|^deflate$|^br$|^zstd$/.test(name)).slice(0, MAX_ENCODINGS)
}

/** "deflate" means zlib by the standard and raw deflate by many servers: the first byte tells which. */
function decoderFor(name: string, start: Buffer): Transform {
  if (name === 'br') return createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH })
  if (name === 'zstd') return createZstdDecompress({ finishFlush: constants.ZSTD_e_flush })
  if (name !== 'deflate') return createGunzip(LENIENT)
  return ((start[0] ?? 0) & 0x0f) === 8 ? createInflate(LENIENT) : createInflateRaw(LENIENT)
}
