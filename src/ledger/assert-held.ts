import { AppError } from '../errors/app-error.ts'
import type { Settlement } from './ledger.ts'

/** Throws AppError for a settlement that charged nothing because its hold was gone. */
export function assertHeld({ expired, lost }: Settlement): void {
  if (lost === true)
    throw new AppError('overloaded', 'The database failed during the call. Nothing was charged.', {
      retryAfterSeconds: 1,
    })
  if (expired)
    throw new AppError(
      'upstream_timeout',
      'The response arrived after the call had expired. Nothing was charged.',
    )
}
