import { AppError, type ErrorFacts } from './app-error.ts'
import type { ErrorCode } from './catalog.ts'

/** The stored form of a failure that a later request returns again. */
export function toStoredFailure({
  code,
  message,
  spec,
  param,
  fix,
  details,
  retryAfterSeconds,
  chargedMicros,
}: AppError): { readonly status: number; readonly body: string } {
  return {
    status: spec.status,
    body: JSON.stringify({ code, message, param, fix, details, retryAfterSeconds, chargedMicros }),
  }
}

/** The error that `toStoredFailure` stored. */
export function readStoredFailure(body: string): AppError {
  const { code, message, ...facts } = JSON.parse(body) as {
    readonly code: ErrorCode
    readonly message: string
  } & ErrorFacts
  return new AppError(code, message, facts)
}
