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

/**
 * The body of a server that compresses although nobody asked for it, such as a store of compressed files; null when it is
 * not what its server calls it. Rejects with RangeError when it is larger than `maxBytes`.
 */
export async function unpack(body: Buffer, contentEncoding: string, maxBytes: number): Promise<Buffer | null> {
  const unpacker = UNPACKERS[contentEncoding.trim().toLowerCase()]
  if (unpacker === undefined) return null
  try {
    return await unpacker(body, { maxOutputLength: maxBytes })
  } catch (error) {
    if (error instanceof RangeError) throw error
    return null
  }
}
