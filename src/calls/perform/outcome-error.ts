import type { Failed } from '../../catalog/vocabulary/outcome.ts'
import { AppError } from '../../errors/app-error.ts'

/** A failed outcome as the error that callers see. */
export function errorOf(outcome: Failed): AppError {
  return new AppError(outcome.code, outcome.message, {
    param: outcome.param,
    fix: outcome.fix,
    details: outcome.details,
    retryAfterSeconds: outcome.retryAfterSeconds,
  })
}

/** The failure that an error tells of. */
export function failureOf({
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
