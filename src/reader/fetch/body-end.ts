import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, inflateRaw, zstdDecompress } from 'node:zlib'

/** A compressed body ended before its end. */
export class BodyIncomplete extends Error {
  override readonly name = 'BodyIncomplete'
}

const END_BYTES = 2_048
/** The end tags of pages, feeds and site maps, perhaps with comments and scripts behind them. */
const END = /<\/(html|body|rss|feed|urlset|sitemapindex)\s*>/i

/** Reports whether a text contains the end of a page near its own end. */
export function hasEnd(body: Buffer): boolean {
  return END.test(body.subarray(Math.max(0, body.length - END_BYTES)).toString('latin1'))
}

/**
 * Reports whether a compressed body has its end. Servers that omit only the checksum behind it are
 * known by `hasEnd`. Memory: the unpacked body, at most `maxBytes`.
 */
export async function isComplete(
  packed: Buffer,
  encoding: string,
  maxBytes: number,
): Promise<boolean> {
  try {
    await unpackerFor(encoding, packed)(packed, { maxOutputLength: maxBytes })
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'Z_BUF_ERROR'
  }
}

function unpackerFor(encoding: string, { 0: first = 0 }: Buffer) {
  if (encoding === 'br') return promisify(brotliDecompress)
  if (encoding === 'zstd') return promisify(zstdDecompress)
  if (encoding !== 'deflate') return promisify(gunzip)
  return promisify((first & 0x0f) === 8 ? inflate : inflateRaw)
}
