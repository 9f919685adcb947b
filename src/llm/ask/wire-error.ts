/** Errors as the official clients of the wires read them. */
import type { AppError } from '../../errors/app-error.ts'
import { fieldsOf } from '../../lib/json-fields.ts'
import { isOverflow } from './error-meaning.ts'

export type WireError = {
  readonly status: number
  readonly code: string
  readonly param: string | null
  readonly message: string
  /** The upstream rejected the request, and `message` contains its reason. */
  readonly isExplained: boolean
  /** The prompt is longer than the model's context. */
  readonly isOverflow: boolean
}

// Clients have classes of errors for these. They treat all others like 400.
const KEPT_STATUSES: readonly unknown[] = [400, 404, 413, 422]
const NUMERIC = /^\d*$/

/**
 * The status, code and words of an error on a wire. A rejection by the upstream keeps its own, because
 * clients shorten, change or drop a request by them. Errors about the operator's account do not.
 */
export function wireError(error: AppError): WireError {
  const upstream = fieldsOf(error.details?.['upstream'])
  const { status, code, param, message: words } = upstream
  const isRejected = error.code === 'upstream_rejected'
  const isUpstreams = isRejected || ['upstream_not_found', 'upstream_error'].includes(error.code)
  const overflows =
    isRejected && isOverflow(code, typeof words === 'string' ? words : error.message)
  const own = isUpstreams && typeof code === 'string' && !NUMERIC.test(code) ? code : null
  return {
    status: !isRejected ? error.spec.status : KEPT_STATUSES.includes(status) ? Number(status) : 400,
    code: overflows ? 'context_length_exceeded' : (own ?? error.code),
    param: error.param ?? (isUpstreams && typeof param === 'string' ? param : null),
    message:
      isRejected && typeof words === 'string' && !error.message.includes(words)
        ? `${error.message} ${words}`
        : error.message,
    isExplained: isRejected && typeof words === 'string',
    isOverflow: overflows,
  }
}
