/** The types and limits that all files of this folder share. */
import type { Database } from '../db/database.ts'
import { DAY_MS, type Clock } from '../lib/clock.ts'
import type { Id } from '../lib/ids.ts'
import type { Micros } from '../lib/money.ts'
import { onlyMaker, type Owner } from '../lib/owner.ts'

export const CASSETTE_MODES = ['auto', 'record', 'replay'] as const
export type CassetteMode = (typeof CASSETTE_MODES)[number]

/** The name of a cassette. Starts with a letter or digit. */
export const CASSETTE_NAME = '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$'

/** The cassette that a request names. */
export type CassetteUse = {
  readonly name: string
  readonly mode: CassetteMode
  /** Receives the result for the cassette, before its answer is sent. */
  readonly report: (result: CassetteResult) => void
}

export type CassetteResult =
  | { readonly kind: 'replayed'; readonly charged: Micros }
  | { readonly kind: 'recorded' }
  /** The answer is a stream, so its recording is stored when it ends. */
  | { readonly kind: 'recording' }
  | { readonly kind: 'not_recorded'; readonly reason: NotRecorded }

export type NotRecorded =
  /** The answer and its input are too large. */
  | 'too_large'
  /** Other calls filled the cassettes of the account in the meantime. */
  | 'full'
  /** A test key does not replace a live recording. */
  | 'live_recording'
  /** The answer replays an earlier request, or is not the final one. */
  | 'not_final'
  /** The database did not store it. */
  | 'unavailable'

/** A call, by what decides its answer. */
export type Scene = {
  readonly use: CassetteUse
  readonly owner: Owner
  /** The action or API, such as "run/core/onescrape". */
  readonly route: string
  /** JSON without defaults and without what does not change the answer. */
  readonly input: unknown
}

/** A recorded answer: the body as it was sent, or an error as `toStoredFailure` writes it. */
export type Take = {
  readonly status: number
  readonly body: string
  readonly isEvents: boolean
  readonly model: string | null
  readonly charged: Micros
}

export type CassetteDeps = { readonly database: Database; readonly now: Clock }

/** A recording with its call. */
export type Recording = Take & {
  readonly route: string
  readonly input: unknown
  readonly isLive: boolean
  readonly recordedMs: number
}

export const MOST_CASSETTES = 100
/** In all cassettes of an account. */
export const MOST_RECORDINGS = 5_000
export const MOST_BYTES = 64 * 1024 * 1024
/** Of one input with its answer. */
export const MOST_RECORDING_BYTES = 2 * 1024 * 1024
/** A cassette is deleted this long after its last recording. */
export const CASSETTE_STORED_MS = 90 * DAY_MS

/** The key whose cassettes an owner names; null for those of the account. */
export function cassetteKeyOf(owner: Owner): Id | null {
  return onlyMaker(owner)
}
