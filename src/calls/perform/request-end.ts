import { AppError } from '../../errors/app-error.ts'

/** When the caller waits no longer, by `performance.now()`; undefined where it named no time. */
export type RequestEnd = number | undefined

/** Throws AppError overloaded when the caller's time is over. To be asked right before a vendor is. */
export function assertInTime(endsMs: RequestEnd): void {
  if (endsMs !== undefined && performance.now() >= endsMs)
    throw outOfTime('was over before the call began')
}

/** Of a free call, for which no vendor is paid, the time limit ends with the caller's time. */
export function limitWithin(timeoutMs: number, endsMs: RequestEnd): number {
  return endsMs === undefined
    ? timeoutMs
    : Math.max(1, Math.min(timeoutMs, endsMs - performance.now()))
}

export function outOfTime(what: string): AppError {
  return new AppError(
    'overloaded',
    `The time that X-Request-Timeout-Ms allows ${what}. Nothing was charged.`,
    { fix: 'Try again in a moment, or allow more time.', retryAfterSeconds: 1 },
  )
}
