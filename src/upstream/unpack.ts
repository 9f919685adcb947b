import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib'
import { encodingsOf, MOST_ENCODINGS } from './content-encoding.ts'

type Unpack = (body: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>

const UNPACKERS: Readonly<Record<string, Unpack>> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
  zstd: promisify(zstdDecompress),
}

/**
 * Decodes the body of a server that compresses unrequested; null if it is not in the declared
 * encoding. Rejects with RangeError if it exceeds `maxBytes` at any step.
 */
export async function unpack(
  body: Buffer,
  contentEncoding: string,
  maxBytes: number,
): Promise<Buffer | null> {
  const names = encodingsOf(contentEncoding)
  if (names.length > MOST_ENCODINGS) return null
  let plain = body
  for (const name of names) {
    const unpacker = UNPACKERS[name]
    if (unpacker === undefined) return null
    try {
      plain = await unpacker(plain, { maxOutputLength: maxBytes })
    } catch (error) {
      if (error instanceof RangeError) throw error
      return null
    }
  }
  return plain
}
