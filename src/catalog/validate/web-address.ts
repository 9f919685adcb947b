/** URLs of web pages, as callers type them. */
import { AppError } from '../../errors/app-error.ts'

const MAX_LENGTH = 2_048

/** The URL, or null unless it is a plain http or https URL without credentials. */
export function parseWebAddress(text: string): URL | null {
  // URL parsing silently drops tabs and line breaks, so text that contains any is not a URL.
  if (text.length > MAX_LENGTH || /[\s\p{Cc}]/u.test(text) || !hasScheme(text)) return null
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null
  return url.username !== '' || url.password !== '' || url.hostname.replaceAll('.', '') === ''
    ? null
    : url
}

/** Like `parseWebAddress`, but reads a bare host ("example.com/page") as https. */
export function parseTypedAddress(text: string): URL | null {
  if (hasScheme(text)) return parseWebAddress(text)
  const url = parseWebAddress(text.startsWith('//') ? `https:${text}` : `https://${text}`)
  return url !== null && isPlausibleBareHost(text, url) ? url : null
}

/** The server that fetches the page. A service may use ports that this gateway does not. */
export type Fetcher = 'gateway' | 'service'

/** Throws AppError bad_url for a URL that must not be fetched, without any network request. */
export type AddressCheck = (address: string, param: string, fetcher: Fetcher) => void

/** Throws AppError bad_url with the parameter's name for anything but a URL that may be fetched. */
export function requireWebAddress(
  text: string,
  param: string,
  checkAddress: AddressCheck,
  fetcher: Fetcher = 'service',
): void {
  if (parseWebAddress(text) === null) throw webAddressError(text, param)
  checkAddress(text, param, fetcher)
}

/** The error for text that is not a URL, with the reason if it looks like one. */
export function webAddressError(text: string, param: string): AppError {
  const typed = text.trim()
  if (/^https?:/i.test(typed)) {
    if (/[\s\p{Cc}]/u.test(typed))
      return new AppError('bad_url', `"${param}" contains a space or a line break.`, {
        param,
        fix: 'Send one URL per page, and write spaces as %20.',
      })
    const url = URL.parse(typed)
    if (url !== null && `${url.username}${url.password}` !== '')
      return new AppError('bad_url', `"${param}" contains a user name or password.`, {
        param,
        fix: 'Remove everything before "@". Pages are read without signing in.',
      })
  }
  return new AppError('bad_url', `"${param}" is not the URL of a web page.`, { param })
}

/**
 * Accepts every URL: for URLs that were checked before, and for steps, whose reader checks them.
 */
export const anyAddress: AddressCheck = () => undefined

/** The error for a URL outside the public internet or with a port that is not for the web. */
export function blockedAddressError(
  param: string,
  message = `"${param}" does not lead to a host on the public internet.`,
): AppError {
  return new AppError('bad_url', message, {
    param,
    fix: 'Send a URL on the public internet. The operator of this gateway can allow private networks with ALLOW_PRIVATE_NETWORKS.',
  })
}

/** Names the parameter in a bad_url error. Returns any other error unchanged. */
export function withAddressParam(error: unknown, param: string): unknown {
  return error instanceof AppError && error.code === 'bad_url'
    ? blockedAddressError(param, error.message)
    : error
}

/** "example.com:8080" is a host with a port; "mailto:someone" has a scheme. */
export function hasScheme(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(text)
}

/** URL parsing accepts a bare word or number as a host; neither is a URL. */
function isPlausibleBareHost(text: string, url: URL): boolean {
  if (url.hostname.startsWith('[') || url.hostname === 'localhost') return true
  const typed = text.replace(/^\/\//, '').split(/[/?#:]/)[0] ?? ''
  return /^\d+(\.\d+){3}$/.test(url.hostname)
    ? typed === url.hostname
    : /[^.]\.[^.]/.test(url.hostname)
}
