/** Errors of the Wikipedia and Wikidata action API, which have status 200. */
import type { ErrorCode } from '../../errors/catalog.ts'
import { failed, type Failed } from '../../catalog/vocabulary/outcome.ts'
import { asText, field } from '../../catalog/answers/vendor-failure.ts'

const OF_THE_API: readonly (readonly [code: RegExp, meaning: ErrorCode])[] = [
  [/^(maxlag|ratelimited|readonly)$/, 'upstream_busy'],
  [/^internal_api_error/, 'upstream_error'],
]

/**
 * The error in a body, or undefined. All errors except the listed server problems are mistakes in
 * the request.
 */
export function wikimediaError(body: unknown, service: string): Failed | undefined {
  const error = field(body, 'error')
  if (error === undefined) return undefined
  const vendorCode = asText(field(error, 'code'))
  const code = OF_THE_API.find(([pattern]) => pattern.test(vendorCode))?.[1] ?? 'upstream_rejected'
  return failed(code, 'The source rejected the request. Nothing was charged.', {
    upstream: {
      service,
      status: 200,
      code: vendorCode === '' ? null : vendorCode,
      message: asText(field(error, 'info')).slice(0, 500) || null,
    },
  })
}
