import { AppError } from '../../errors/app-error.ts'

/** When the caller stops waiting, by `performance.now()`; undefined if it set no limit. */
export type RequestEnd = number | undefined

/** Throws AppError overloaded when the caller's time is over. Call it right before a vendor request. */
export function assertInTime(endsMs: RequestEnd): void {
  if (endsMs !== undefined && performance.now() >= endsMs)
    throw outOfTime('was over before the call began')
}

/** The time limit of a free call. It ends with the caller's time, because no vendor is paid. */
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
