/**
 * Answers that the gateway sends while they arrive. The bill of a stream is known at its end, so its
 * hold is resolved before the gateway sends the last bytes. A failure from then on becomes the end of the stream.
 */
import { AppError } from '../../errors/app-error.ts'
import type { Micros } from '../../lib/money.ts'
import type { HeldCall } from '../charge.ts'
import type { StoredAnswer } from '../idempotency/answers.ts'

export type StreamEnd = {
  readonly charge: Micros
  /** Why the answer is incomplete; null for a complete one. */
  readonly failure: AppError | null
  /** The answer for repeated requests. It is built only for a charged call. */
  readonly answer: () => StoredAnswer | null
  /** Runs after a complete answer was settled, before its end is sent. */
  readonly record?: (() => Promise<void>) | undefined
  /** Sends the last bytes. */
  readonly send: () => void
}

/** Resolves the hold, then sends the end. Releases the hold of a stream that broke off before anything was charged. */
export async function endStream(
  held: HeldCall,
  { charge, failure, answer, record, send }: StreamEnd,
): Promise<void> {
  if (failure !== null && charge === 0n) await held.release(failure.code)
  else await held.settle(charge, answer())
  if (failure === null) await record?.()
  send()
}

/**
 * Ends a stream that could not be billed with its error. Then releases its hold, unless the ledger may
 * have settled it. Throws an error that is not an AppError.
 */
export async function failStream(
  held: HeldCall,
  error: unknown,
  send: (failure: AppError) => void,
): Promise<void> {
  const failure =
    error instanceof AppError ? error : new AppError('internal', undefined, { cause: error })
  send(failure)
  if (!(error instanceof AppError)) throw error
  // The caller has the end of the stream. If this fails, the sweep releases the hold.
  if (!held.isResolved) await held.release(failure.code).catch(() => {})
}
