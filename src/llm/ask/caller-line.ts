import type { Micros } from '../../lib/money.ts'

/** The connection to the caller, as far as a streamed response needs it. */
export type CallerLine = {
  /** The caller disconnected before the response was complete. */
  readonly isDisconnected: boolean
  /** Calls `listener` once when the caller disconnects; immediately if it already has. */
  onDisconnect(listener: () => void): void
  /** Starts the response. `model` is null if it is not decided yet. */
  start(facts: { readonly model: string | null }): void
  /** False: pause until `onDrain` calls its listener. */
  write(bytes: Buffer): boolean
  onDrain(listener: () => void): void
  /** Sends the last bytes. `charged` is the cost of the response. */
  end(bytes: Buffer, charged: Micros): void
}

/** The reason for ending an upstream request after the caller disconnected. */
export class CallerDisconnected extends Error {
  override readonly name = 'CallerDisconnected'
}
