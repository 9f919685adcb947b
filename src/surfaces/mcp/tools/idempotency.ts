/** Idempotency keys of tools. */
import { AppError } from '../../../errors/app-error.ts'
import { LONGEST_IDEMPOTENCY_KEY } from '../../http/idempotency.ts'

// Control characters, which HTTP headers and the database reject, and unpaired surrogates, which
// would all become the same character.
const NOT_IN_A_KEY = /[\p{Cc}\p{Cs}]/u

/** The idempotency key of a tool's call. Throws AppError invalid_params. */
export function keyOf(key: string | null): string | null {
  if (
    key === null ||
    (key.length > 0 && key.length <= LONGEST_IDEMPOTENCY_KEY && !NOT_IN_A_KEY.test(key))
  )
    return key
  throw new AppError(
    'invalid_params',
    `The idempotency key must have 1 to ${LONGEST_IDEMPOTENCY_KEY} characters without control characters.`,
    {
      param: 'idempotency_key',
      fix: 'Send a new UUID for each call, and the same one when you repeat a call.',
    },
  )
}
