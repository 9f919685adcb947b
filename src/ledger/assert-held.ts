import { AppError } from '../errors/app-error.ts'
import type { Settlement } from './ledger.ts'

/** Throws AppError for a settlement that charged nothing because its hold was not there any more. */
export function assertHeld({ expired, lost }: Settlement): void {
  if (lost === true)
    throw new AppError(
      'overloaded',
      'The database failed while the call was under way. Nothing was charged.',
      { retryAfterSeconds: 1 },
    )
  if (expired)
    throw new AppError(
      'upstream_timeout',
      'The answer came after the call had been given up. Nothing was charged.',
    )
}
