import { errorCatalog, type ErrorCode } from '../../../../errors/catalog.ts'
import type { Reading } from '../../../../lib/reading.ts'
import type { Failure } from '../../route-objects.ts'
import { toAppError } from '../../render-error.ts'

/** Adds a function that is called with each failed request. */
export type OnError = (failed: Failure) => void

/**
 * Counts error responses by code. Every code starts at zero, so that Prometheus sees the first error as
 * an increase. Successful responses cost nothing here.
 */
export function countErrors(onError: OnError): Reading {
  const counts = new Map((Object.keys(errorCatalog) as ErrorCode[]).map((code) => [code, 0]))
  onError((_request, error) => {
    const { code } = toAppError(error)
    counts.set(code, (counts.get(code) ?? 0) + 1)
  })
  return {
    name: 'tollgate_http_errors_total',
    help: 'HTTP error responses by code, including requests rejected before a call, such as "rate_limited" and "invalid_token".',
    kind: 'counter',
    labels: ['code'],
    read: () => [...counts].map(([code, value]) => ({ labels: { code }, value })),
  }
}
