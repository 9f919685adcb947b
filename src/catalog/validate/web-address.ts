/** Addresses of web pages as callers type them. */
import { AppError } from '../../errors/app-error.ts'

const MAX_LENGTH = 2_048

/** The address, or null when the text is none: only http and https, no credentials, nothing that URL parsing would drop. */
export function parseWebAddress(text: string): URL | null {
  // URL parsing silently drops tabs and line breaks; an address that holds any was not meant as one.
  if (text.length > MAX_LENGTH || /[\s\p{Cc}]/u.test(text) || !hasScheme(text)) return null
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null
  return url.username !== '' || url.password !== '' || url.hostname.replaceAll('.', '') === ''
    ? null
    : url
}

/** As `parseWebAddress`, and takes a bare host ("example.com/page") for https. */
export function parseTypedAddress(text: string): URL | null {
  if (hasScheme(text)) return parseWebAddress(text)
  const url = parseWebAddress(text.startsWith('//') ? `https:${text}` : `https://${text}`)
  return url !== null && isPlausibleBareHost(text, url) ? url : null
}

/** Who is to fetch: a service may do so at ports that this gateway does not read. */
export type Fetcher = 'gateway' | 'service'

/** Throws AppError bad_url for an address that is not to be fetched, as far as that can be told without asking anybody. */
export type AddressCheck = (address: string, param: string, fetcher: Fetcher) => void

/** Throws AppError bad_url that names the parameter. What somebody is to fetch passes `checkAddress` too. */
export function requireWebAddress(
  text: string,
  param: string,
  checkAddress: AddressCheck,
  fetcher: Fetcher = 'service',
): void {
  if (parseWebAddress(text) === null) throw webAddressError(text, param)
  checkAddress(text, param, fetcher)
}

/** Of a text that is no address of a web page: says what is wrong with one that looks like it. */
export function webAddressError(text: string, param: string): AppError {
  const typed = text.trim()
  if (/^https?:/i.test(typed)) {
    if (/[\s\p{Cc}]/u.test(typed))
      return new AppError('bad_url', `"${param}" holds a space or a line break.`, {
        param,
        fix: 'Send one address for each page, and write a space within it as %20.',
      })
    const url = URL.parse(typed)
    if (url !== null && `${url.username}${url.password}` !== '')
      return new AppError('bad_url', `"${param}" holds a user name or a password.`, {
        param,
        fix: 'Leave out what stands before "@": nobody is signed in to read a page.',
      })
  }
  return new AppError('bad_url', `"${param}" is not the address of a web page.`, { param })
}

/** Refuses none: for what was looked at before, and for steps, whose addresses are judged where they are read. */
export const anyAddress: AddressCheck = () => undefined

/** An address that leads to no public network, or to a port that is none of the web. */
export function blockedAddressError(
  param: string,
  message = `"${param}" is not, or does not lead to, an address on the public internet.`,
): AppError {
  return new AppError('bad_url', message, {
    param,
    fix: 'Send an address on the public internet. The operator of this gateway can open private networks with ALLOW_PRIVATE_NETWORKS.',
  })
}

/** A bad address is at fault by the parameter that held it; every other failure stays as it is. */
export function withAddressParam(error: unknown, param: string): unknown {
  return error instanceof AppError && error.code === 'bad_url'
    ? blockedAddressError(param, error.message)
    : error
}

/** "example.com:8080" is a host with a port; "mailto:someone" has a scheme. */
export function hasScheme(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(text)
}

/** A bare word is not an address, nor is a bare number, although URL parsing takes both for hosts. */
function isPlausibleBareHost(text: string, url: URL): boolean {
  if (url.hostname.startsWith('[') || url.hostname === 'localhost') return true
  const typed = text.replace(/^\/\//, '').split(/[/?#:]/)[0] ?? ''
  return /^\d+(\.\d+){3}$/.test(url.hostname)
    ? typed === url.hostname
    : /[^.]\.[^.]/.test(url.hostname)
}
