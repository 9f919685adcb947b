import type { Readable } from 'node:stream'

/** First and last byte, both included, as in HTTP. */
export type ByteRange = { readonly first: number; readonly last: number }

/** Bytes that arrived whole and were measured: a file on this machine's disk. */
export type Parcel = { readonly path: string; readonly sizeBytes: number; readonly sha256: Buffer }

/** Hands bytes over piece by piece, in memory that is used again as soon as `take` has settled. To be called once; throws what `take` throws. */
export type Pieces = (take: (piece: Buffer) => Promise<void>) => Promise<void>

/**
 * Keeps objects by key: 48 lower-case hexadecimal digits. An object is there whole or not at all, and is never
 * changed. Every method throws AppError overloaded when the store cannot be reached.
 */
export type Store = {
  /** Keeps the parcel durably under a key that was never used before. The parcel's file may be gone afterwards. */
  keep(key: string, parcel: Parcel): Promise<void>
  /** The bytes of an object, or of a part of it that lies within it. Null when there is no such object. */
  open(key: string, range: ByteRange | null): Promise<Readable | null>
  /** The same, where the store can do better than a stream. Null when there is no such object; then or not, nothing is left open. */
  openPieces?(key: string, range: ByteRange | null): Promise<Pieces | null>
  /** Removes the object, if it is there. */
  remove(key: string): Promise<void>
}
