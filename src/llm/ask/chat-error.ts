import type { AppError } from '../../errors/app-error.ts'
import { wireError } from './wire-error.ts'

/** An error in the shape of chat-completions, with the gateway's own fields. */
export function chatError(error: AppError) {
  const { status, code, param, message } = wireError(error)
  return {
    error: {
      message,
      type: typeOf(status),
      code,
      param,
      fix: error.fix,
      retryable: error.isRetryable,
      ...(error.details === undefined ? {} : { details: error.details }),
    },
  }
}

/** The types that clients of this API expect. */
function typeOf(status: number): string {
  switch (status) {
    case 401:
      return 'authentication_error'
    case 402:
      return 'insufficient_quota'
    case 403:
      return 'permission_error'
    case 404:
      return 'not_found_error'
    case 429:
      return 'rate_limit_error'
    default:
      return status < 500 ? 'invalid_request_error' : 'server_error'
  }
}
