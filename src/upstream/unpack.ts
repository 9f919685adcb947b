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
 * The body of a server that compresses although nobody asked for it, such as a store of compressed files; null when it is
 * not what its server calls it. Rejects with RangeError when it is larger than `maxBytes`, or was on the way.
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
