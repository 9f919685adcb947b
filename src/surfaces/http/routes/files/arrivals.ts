import { AppError } from '../../../../errors/app-error.ts'

export type Arrivals = {
  begin(fileId: string, longestMs: number): { readonly signal: AbortSignal; end(): void }
}

/**
 * Uploads in progress in this process. A slot takes one at a time: a new one ends the one before, whose sender has most
 * likely given up on it. So what is arriving never takes more of the disk than the room that its slots hold.
 */
export function createArrivals(): Arrivals {
  const open = new Map<string, AbortController>()
  return {
    begin(fileId, longestMs) {
      const arrival = new AbortController()
      open.get(fileId)?.abort(
        new AppError('upload_mismatch', 'Another upload to this slot began and took over.', {
          fix: 'Upload to a slot once at a time.',
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
        end() {
          clearTimeout(timer)
          if (open.get(fileId) === arrival) open.delete(fileId)
        },
      }
    },
  }
}
