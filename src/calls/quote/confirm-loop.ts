import { AppError } from '../../errors/app-error.ts'

const LONGEST_TOKEN = 100

/** The `confirm_loop` of a body; null if it has none. Throws AppError invalid_params for any other value than a token. */
export function readConfirmLoop(value: unknown): string | null {
  if (value === undefined) return null
  if (typeof value === 'string' && value !== '' && value.length <= LONGEST_TOKEN) return value
  throw new AppError('invalid_params', 'confirm_loop must be the token of a stopped call.', {
    param: 'confirm_loop',
    fix: 'Send details.confirm of the error loop_suspected, or omit the field.',
  })
}
