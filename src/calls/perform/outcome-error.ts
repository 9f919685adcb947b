import type { Failed } from '../../catalog/vocabulary/outcome.ts'
import { AppError } from '../../errors/app-error.ts'

/** The error that callers receive for a failed outcome. */
export function toAppError(outcome: Failed): AppError {
  return new AppError(outcome.code, outcome.message, {
    param: outcome.param,
    fix: outcome.fix,
    details: outcome.details,
    retryAfterSeconds: outcome.retryAfterSeconds,
  })
}

/** The failed outcome for an error. */
export function toFailure({
  code,
  message,
  param,
  fix,
  details,
  retryAfterSeconds,
}: AppError): Failed {
  return {
    kind: 'failed',
    code,
    message,
    fix,
    ...(param === undefined ? {} : { param }),
    ...(details === undefined ? {} : { details }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  }
}
