import { blockedAddressError } from '../../catalog/validate/web-address.ts'
import { AppError } from '../../errors/app-error.ts'
import { isAtStart, type FailureReason, type PageFailure } from '../fetch/page-failure.ts'

/** The reply of the vendor whose action is stood in for, when the page or site itself was at fault. */
export type MissReply = { success: false; error: string }

const MESSAGES: Partial<Record<FailureReason, string>> = {
  bad_url: 'The page leads to an address that is none of a web page.',
  blocked_address: 'The page leads to an address that is not on the public internet.',
  dns: 'The host of the page has no address.',
  refused: 'The server of the page refused the connection.',
  connection: 'The connection to the server of the page broke.',
  tls: 'The certificate of the page is not valid.',
  too_large: 'The page is larger than 10 MB.',
  too_many_redirects: 'The page redirects without end.',
  not_html: 'The address leads to a file, not to a page.',
  robots: 'The robots.txt of the host forbids reading the page.',
  http_status: 'The server answered with an error status.',
  extraction: 'The page could not be parsed.',
}

/** A miss as a reply; throws AppError for an address that is not read at all, for time that ran out, and for our own trouble. */
export function missReply(failure: PageFailure): MissReply {
  const { reason, status } = failure
  if ((reason === 'bad_url' || reason === 'blocked_address') && isAtStart(failure))
    throw blockedAddressError('url')
  if (reason === 'timeout' || reason === 'connect_timeout' || reason === 'aborted')
    throw new AppError('upstream_timeout', 'The page took too long. Nothing was charged.')
  if (reason === 'unavailable')
    throw new AppError(
      'upstream_error',
      'The browser stopped while it was reading the page. Nothing was charged.',
    )
  const message = MESSAGES[reason] ?? 'The page could not be read.'
  return {
    success: false,
    error:
      status === undefined || reason !== 'http_status'
        ? message
        : `The server answered with status ${status}.`,
  }
}
