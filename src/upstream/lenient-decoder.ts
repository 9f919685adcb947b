import type { Transform } from 'node:stream'
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib'

/** Content encodings that can be undone while they come. */
export const KNOWN_ENCODING = /^(x-)?gzip$|^deflate$|^br$|^zstd$/

// Many servers cut the end of a compressed stream; browsers show what arrived, and so do we.
const LENIENT = { finishFlush: constants.Z_SYNC_FLUSH }

/**
 * Undoes a known encoding of what begins with `start`, and of a stream that is cut as much as came. "deflate" means zlib
 * by the standard and raw deflate by many servers: the first byte tells which.
 */
export function lenientDecoder(encoding: string, start: Buffer): Transform {
  if (encoding === 'br')
    return createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH })
  if (encoding === 'zstd') return createZstdDecompress({ finishFlush: constants.ZSTD_e_flush })
  if (encoding !== 'deflate') return createGunzip(LENIENT)
  return ((start[0] ?? 0) & 0x0f) === 8 ? createInflate(LENIENT) : createInflateRaw(LENIENT)
}
