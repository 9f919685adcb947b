import type { Transform } from 'node:stream'
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib'

/** Content encodings that can be decoded as a stream. */
export const KNOWN_ENCODING = /^(x-)?gzip$|^deflate$|^br$|^zstd$/

// Many servers truncate compressed streams. Browsers show the received part, and so does the
// gateway.
const LENIENT = { finishFlush: constants.Z_SYNC_FLUSH }

/**
 * Decodes a stream that begins with `start`; of a truncated stream, the received part. "deflate"
 * means zlib by the standard and raw deflate for many servers; the first byte shows which.
 */
export function lenientDecoder(encoding: string, start: Buffer): Transform {
  if (encoding === 'br')
    return createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH })
  if (encoding === 'zstd') return createZstdDecompress({ finishFlush: constants.ZSTD_e_flush })
  if (encoding !== 'deflate') return createGunzip(LENIENT)
  return ((start[0] ?? 0) & 0x0f) === 8 ? createInflate(LENIENT) : createInflateRaw(LENIENT)
}
