import { AppError } from '../../errors/app-error.ts'
import type { Guard } from '../../upstream/guard.ts'
import { LONGEST_URL } from './webhook-input.ts'

/** The URL as it is stored. Throws AppError invalid_params or bad_url, which name `param`. */
export function checkWebhookUrl(
  guard: Pick<Guard, 'checkUrl'>,
  value: unknown,
  param: string,
): string {
  if (typeof value !== 'string' || value.length > LONGEST_URL)
    throw new AppError('invalid_params', `"${param}" must be a web address.`, {
      param,
      fix: `Send a public http or https address of at most ${LONGEST_URL} characters.`,
    })
  try {
    // Not as the first hop, which could be a page of this gateway.
    return guard.checkUrl(value, 'redirect').href
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw new AppError(error.code, error.message, { param, details: error.details })
  }
}
