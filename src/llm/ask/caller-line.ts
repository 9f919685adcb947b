import type { Micros } from '../../lib/money.ts'

/** The caller's end of the line, as far as an answer in events needs it. */
export type CallerLine = {
  /** The caller hung up before the answer was whole. */
  readonly isGone: boolean
  /** Calls `listener` once when the caller hangs up; at once when that has happened. */
  onGone(listener: () => void): void
  /** Begins the answer. */
  start(facts: { readonly model: string }): void
  /** False: no more until `onDrain` calls. */
  write(bytes: Buffer): boolean
  onDrain(listener: () => void): void
  /** The last bytes, and what the answer cost. */
  end(bytes: Buffer, charged: Micros): void
}

/** What an upstream request ends with when the caller hung up. */
export class CallerGone extends Error {
  override readonly name = 'CallerGone'
}
