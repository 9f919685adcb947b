import { blockedAddressError } from '../../catalog/validate/web-address.ts'
import { AppError } from '../../errors/app-error.ts'
import { isAtStart, type FailureReason, type PageFailure } from '../fetch/page-failure.ts'

/** The vendor's reply when the page or site itself failed. */
export type MissReply = { success: false; error: string }

const MESSAGES: Partial<Record<FailureReason, string>> = {
  bad_url: 'The page redirects to a URL that is not a web page.',
  blocked_address: 'The page redirects to an address that is not on the public internet.',
  dns: 'The host name of the page cannot be resolved.',
  refused: 'The server of the page refused the connection.',
  connection: 'The connection to the server of the page was lost.',
  tls: 'The certificate of the page is not valid.',
  incomplete: 'The server of the page ended its response too early.',
  too_large: 'The page is larger than 10 MiB.',
  too_many_redirects: 'The page redirects too often.',
  not_html: 'The URL leads to a file, not to a page.',
  robots: 'The robots.txt of the host forbids reading the page.',
  http_status: 'The server answered with an error status.',
  extraction: 'The page could not be parsed.',
}

/**
 * Returns a page's failure as a reply. Throws AppError for an address that is not allowed, a
 * timeout and a failure of the gateway.
 */
export function missReply(failure: PageFailure): MissReply {
  const { reason, status } = failure
  if ((reason === 'bad_url' || reason === 'blocked_address') && isAtStart(failure))
    throw blockedAddressError('url')
  if (reason === 'timeout' || reason === 'connect_timeout' || reason === 'aborted')
    throw new AppError('upstream_timeout', 'The page took too long. Nothing was charged.')
  if (reason === 'unavailable')
    throw new AppError(
      'upstream_error',
      'The browser stopped while reading the page. Nothing was charged.',
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
