import { LEAST_MAX_CHARS, MOST_MAX_CHARS } from '../../catalog/vocabulary/max-chars.ts'
import { AppError } from '../../errors/app-error.ts'

/** The `max_chars` of a body; null if it has none. Throws AppError invalid_params. */
export function readMaxChars(value: unknown): number | null {
  if (value === undefined) return null
  if (
    typeof value === 'number' &&
    Number.isSafeInteger(value) &&
    value >= LEAST_MAX_CHARS &&
    value <= MOST_MAX_CHARS
  )
    return value
  throw new AppError(
    'invalid_params',
    `max_chars must be a whole number from ${LEAST_MAX_CHARS} to ${MOST_MAX_CHARS}.`,
    { param: 'max_chars', fix: 'Send max_chars as an integer, for example 60000.' },
  )
}
