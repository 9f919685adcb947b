import { withCosts } from '../../catalog/prices/processor-time.ts'
import type { Failed } from '../../catalog/vocabulary/outcome.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Micros } from '../../lib/money.ts'

/** The error that callers receive for a failed outcome, and for what its call was charged. */
export function toAppError(outcome: Failed, charged: Micros = 0n): AppError {
  return new AppError(outcome.code, messageOf(outcome, charged), {
    param: outcome.param,
    fix: outcome.fix,
    details: outcome.details,
    retryAfterSeconds: outcome.retryAfterSeconds,
    chargedMicros: Number(charged),
  })
}

/** The message of a failure. Work that owes processor time states whether it was charged. */
export function messageOf({ message, owed }: Failed, charged: Micros): string {
  return owed === undefined ? message : withCosts(message, charged)
}

/** The failed outcome for an error. */
export function toFailure({
  code,
  message,
  param,
  fix,
  details,
  retryAfterSeconds,
  owed,
}: AppError): Failed {
  return {
    kind: 'failed',
    code,
    message,
    fix,
    ...(param === undefined ? {} : { param }),
    ...(details === undefined ? {} : { details }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    ...(owed === 0n ? {} : { owed }),
  }
}
