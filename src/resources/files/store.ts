import type { Readable } from 'node:stream'

/** First and last byte, both inclusive, as in HTTP. */
export type ByteRange = { readonly first: number; readonly last: number }

/** Completely received and measured bytes in a local file. */
export type ReceivedFile = {
  readonly path: string
  readonly sizeBytes: number
  readonly sha256: Buffer
}

/**
 * Passes the bytes to `take` piece by piece, in memory that is reused as soon as `take` settles.
 * Call once. Throws the errors of `take`.
 */
export type Pieces = (take: (piece: Buffer) => Promise<void>) => Promise<void>

/**
 * Stores objects by key: 48 lower-case hexadecimal digits. An object is stored completely or not at
 * all, and never changes. Every method throws AppError `overloaded` if the store is unavailable.
 */
export type Store = {
  /** Stores a received file durably under an unused key. May move the local file. */
  put(key: string, received: ReceivedFile): Promise<void>
  /** The bytes of an object, or of a range within it. Null if there is no such object. */
  open(key: string, range: ByteRange | null): Promise<Readable | null>
  /**
   * Like `open`, for stores that can be faster than a stream. Null if there is no such object.
   * Leaves nothing open.
   */
  openPieces?(key: string, range: ByteRange | null): Promise<Pieces | null>
  /** Removes the object if it exists. */
  remove(key: string): Promise<void>
}
