import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { isLaunched } from '../../catalog/vocabulary/define.ts'
import type { Entry } from '../../catalog/index.ts'
import { requireWebAddress, type AddressCheck } from '../../catalog/validate/web-address.ts'
import { AppError } from '../../errors/app-error.ts'

/** Some actions run immediately for one input and as a job for another. */
export function isJob({ action }: Entry, input: Data): boolean {
  return isLaunched(action, input) || (action.kind === 'local' && action.running !== undefined)
}

/**
 * The `webhook_url` of a job, which receives the event of its end; null if it has none. Throws
 * AppError invalid_params for a call that runs immediately, and bad_url.
 */
export function readWebhookUrl(
  value: unknown,
  entry: Entry,
  input: Data,
  checkAddress: AddressCheck,
): string | null {
  if (value === undefined) return null
  if (!isJob(entry, input))
    throw new AppError('invalid_params', '"webhook_url" is for jobs. This call runs immediately.', {
      param: 'webhook_url',
      fix: 'Omit webhook_url and read the result in the response.',
    })
  if (typeof value !== 'string')
    throw new AppError('invalid_params', '"webhook_url" must be a web address.', {
      param: 'webhook_url',
      fix: 'Send a public http or https address that accepts POST.',
    })
  requireWebAddress(value, 'webhook_url', checkAddress, 'gateway')
  return value
}
