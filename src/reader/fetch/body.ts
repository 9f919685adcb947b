import { pipeline } from 'node:stream/promises'
import type { Readable } from 'node:stream'
import { GatheredBytes } from '../../lib/gathered-bytes.ts'
import { encodingsOf, MOST_ENCODINGS } from '../../upstream/content-encoding.ts'
import { KNOWN_ENCODING, lenientDecoder } from '../../upstream/lenient-decoder.ts'

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

/**
 * Reads a body to its end, undoing its content encodings. Throws BodyTooLarge as soon as the packed or the unpacked
 * side passes `maxBytes`, so a small bomb never grows. An encoding that nobody knows leaves the bytes as they are.
 */
export async function readBody(
  body: Readable,
  contentEncoding: string | undefined,
  { maxBytes, announcedBytes = 0, isWanted = () => true }: BodyRules,
): Promise<Buffer> {
  const isAnnouncedTooLarge = announcedBytes > maxBytes
  let isAsked = false
  let source = counted(body as AsyncIterable<Buffer>, maxBytes)
  for (const name of knownEncodings(contentEncoding)) source = decoded(source, name)
  const gathered = new GatheredBytes()
  try {
    for await (const chunk of counted(source, maxBytes)) {
      gathered.add(chunk)
      if (isAsked || (gathered.size < START_BYTES && !isAnnouncedTooLarge)) continue
      isAsked = true
      if (!isWanted(gathered.bytes)) break
      if (isAnnouncedTooLarge) throw new BodyTooLarge(`more than ${maxBytes} bytes`)
    }
  } finally {
    body.destroy()
  }
  return gathered.bytes
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

/** Of more than are undone the first that were applied: what is left then is packed still, and no page. */
function knownEncodings(header: string | undefined): string[] {
  return encodingsOf(header)
    .filter((name) => KNOWN_ENCODING.test(name))
    .slice(-MOST_ENCODINGS)
}
