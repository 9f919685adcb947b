import type { AppError } from '../../../errors/app-error.ts'
import { wireError } from '../../ask/wire-error.ts'
import { withOverflowWords } from './overflow-words.ts'

/**
 * An error in the shape of the Messages API, with the gateway's own fields.
 */
export function messagesError(error: AppError) {
  const { status, code, param, isOverflow } = wireError(error)
  const message = messageWithFix(error)
  return {
    type: 'error',
    error: {
      type: typeOf(error, status),
      message: isOverflow ? withOverflowWords(message) : message,
      code,
      param,
      fix: error.fix,
      retryable: error.isRetryable,
      ...(error.details === undefined ? {} : { details: error.details }),
    },
  }
}

/** Most clients show only the message, so it contains the fix, or the upstream's reason. */
export function messageWithFix(error: AppError): string {
  const { message, isExplained } = wireError(error)
  return isExplained || message.includes('Did you mean') ? message : `${message} ${error.fix}`
}

/** The types that clients of this API expect. */
function typeOf({ code }: AppError, status: number): string {
  if (code === 'overloaded' || code === 'upstream_busy') return 'overloaded_error'
  switch (status) {
    case 401:
      return 'authentication_error'
    case 402:
      return 'billing_error'
    case 403:
      return 'permission_error'
    case 404:
      return 'not_found_error'
    case 413:
      return 'request_too_large'
    case 429:
      return 'rate_limit_error'
    case 504:
      return 'timeout_error'
    default:
      return status < 500 ? 'invalid_request_error' : 'api_error'
  }
}
