import { AppError } from '../../../../errors/app-error.ts'

export type Arrivals = {
  begin(
    fileId: string,
    longestMs: number,
  ): { readonly signal: AbortSignal; abort(reason: AppError): void; end(): void }
}

/**
 * Uploads in progress in this process. A new upload to a slot ends the previous one, whose sender has
 * probably given up. So uploads never use more disk space than their slots reserve.
 */
export function createArrivals(): Arrivals {
  const open = new Map<string, AbortController>()
  return {
    begin(fileId, longestMs) {
      const arrival = new AbortController()
      open.get(fileId)?.abort(
        new AppError('upload_mismatch', 'Another upload to this slot replaced this one.', {
          fix: 'Send one upload to a slot at a time.',
        }),
      )
      open.set(fileId, arrival)
      const timer = setTimeout(
        () =>
          arrival.abort(
            new AppError(
              'request_timeout',
              `The upload took longer than ${longestMs / 60_000} minutes.`,
            ),
          ),
        longestMs,
      )
      return {
        signal: arrival.signal,
        abort: (reason) => arrival.abort(reason),
        end() {
          clearTimeout(timer)
          if (open.get(fileId) === arrival) open.delete(fileId)
        },
      }
    },
  }
}
