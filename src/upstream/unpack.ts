import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib'

type Unpack = (body: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>

const UNPACKERS: Readonly<Record<string, Unpack>> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
  zstd: promisify(zstdDecompress),
}

/** A server packs once, and a cache before it once more; more is a bomb. */
const MAX_ENCODINGS = 3

/**
 * The body of a server that compresses although nobody asked for it, such as a store of compressed files; null when it is
 * not what its server calls it. Several encodings are named in the order in which they were applied (RFC 9110, section
 * 8.4). Rejects with RangeError when it is larger than `maxBytes`, or was on the way.
 */
export async function unpack(body: Buffer, contentEncoding: string, maxBytes: number): Promise<Buffer | null> {
  const names = contentEncoding.toLowerCase().split(',').map((name) => name.trim())
  if (names.length > MAX_ENCODINGS) return null
  let plain = body
  for (const name of names.reverse()) {
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
