import { pipeline } from 'node:stream/promises'
import type { Readable } from 'node:stream'
import { GatheredBytes } from '../../lib/gathered-bytes.ts'
import { encodingsOf, MOST_ENCODINGS } from '../../upstream/content-encoding.ts'
import { BodyIncomplete, hasEnd, isComplete } from './body-end.ts'
import { KNOWN_ENCODING, lenientDecoder } from '../../upstream/lenient-decoder.ts'

/** The body exceeded the size limit, compressed or decompressed. Nothing was read beyond it. */
export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge'
}

export type BodyRules = {
  readonly maxBytes: number
  /** The compressed length that the server declares. */
  readonly announcedBytes?: number
  /**
   * Called once with the start of the body, before the rest is read or rejected as too large.
   * `false` ends reading there.
   */
  readonly isExpected?: (start: Buffer) => boolean
}

/** Enough bytes to detect a file's type. */
const START_BYTES = 1_024

/**
 * Reads a whole body and decodes its content encodings. Throws BodyTooLarge as soon as the
 * compressed or decompressed bytes exceed `maxBytes`, so a decompression bomb stays small, and
 * BodyIncomplete for a compressed body without its end. Unknown encodings are left as they are.
 */
export async function readBody(
  body: Readable,
  contentEncoding: string | undefined,
  { maxBytes, announcedBytes = 0, isExpected = () => true }: BodyRules,
): Promise<Buffer> {
  const isAnnouncedTooLarge = announcedBytes > maxBytes
  let isChecked = false
  const encodings = knownEncodings(contentEncoding)
  const packed = new GatheredBytes()
  let source = counted(body as AsyncIterable<Buffer>, maxBytes)
  if (encodings.length > 0) source = copied(source, packed)
  for (const name of encodings) source = decoded(source, name)
  const gathered = new GatheredBytes()
  try {
    for await (const chunk of counted(source, maxBytes)) {
      gathered.add(chunk)
      if (isChecked || (gathered.size < START_BYTES && !isAnnouncedTooLarge)) continue
      isChecked = true
      if (!isExpected(gathered.bytes)) return gathered.bytes
      if (isAnnouncedTooLarge) throw new BodyTooLarge(`more than ${maxBytes} bytes`)
    }
    if (
      encodings[0] !== undefined &&
      !hasEnd(gathered.bytes) &&
      !(await isComplete(packed.bytes, encodings[0], maxBytes))
    )
      throw new BodyIncomplete('the compressed body was cut')
  } finally {
    body.destroy()
  }
  return gathered.bytes
}

async function* copied(source: AsyncIterable<Buffer>, copy: GatheredBytes): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    copy.add(chunk)
    yield chunk
  }
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
  const decoder = lenientDecoder(name, first.value)
  const feeding = pipeline(async function* feed() {
    yield first.value
    yield* source
  }, decoder)
  feeding.catch((error: Error) => decoder.destroy(error))
  yield* decoder as AsyncIterable<Buffer>
  await feeding
}

/**
 * With more encodings than the limit, only the last are undone; the result is still compressed and
 * not a page.
 */
function knownEncodings(header: string | undefined): string[] {
  return encodingsOf(header)
    .filter((name) => KNOWN_ENCODING.test(name))
    .slice(-MOST_ENCODINGS)
}
