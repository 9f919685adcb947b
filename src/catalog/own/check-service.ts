/** Rules for a whole file that its schema cannot express. */
import { isInternalName } from '../../lib/internal-names.ts'
import { isPublicAddress, parseAddress } from '../../lib/public-address.ts'
import { checkAction, type CredentialNames } from './check-action.ts'
import { reportAt, type Report } from './faults.ts'
import { isReservedHeader, isSecretHeader } from './header-names.ts'
import type { OwnFile } from './own-file.ts'
import { readCredential } from './to-record.ts'

/** `taken`: the names of the gateway's own services and of their settings. */
export function checkService(file: OwnFile, taken: ReadonlySet<string>, report: Report): void {
  if (taken.has(file.service))
    report(`is the name of a built-in service, which can be priced but not replaced`, 'service')
  checkBaseUrl(file, report)
  checkAuth(file, report)
  for (const name of Object.keys(file.headers ?? {})) {
    if (isReservedHeader(name)) report('is a header that the gateway sets', 'headers', name)
    else if (credentialNames(file.auth).headers.includes(name.toLowerCase()))
      report('carries the credential of "auth": remove it', 'headers', name)
    else if (isSecretHeader(name))
      report('may hold a secret: put credentials into "auth", as ${KEY}', 'headers', name)
  }
  if (file.limits?.per_second !== undefined && file.limits.per_minute !== undefined)
    report('excludes "per_second": keep one of them', 'limits', 'per_minute')
  const names = file.actions.map(({ action }) => action)
  for (const [index, action] of file.actions.entries()) {
    if (names.indexOf(action.action) !== index)
      report('is the name of another action of this file', 'actions', index, 'action')
    checkAction(action, credentialNames(file.auth), reportAt(report, 'actions', index))
  }
}

export function credentialNames(auth: OwnFile['auth']): CredentialNames {
  if (auth === 'none') return { headers: [], query: null }
  if ('query' in auth) return { headers: [], query: auth.query }
  const headers =
    'header' in auth
      ? [auth.header]
      : 'headers' in auth
        ? auth.headers.map(({ header }) => header)
        : ['authorization']
  return { headers: headers.map((name) => name.toLowerCase()), query: null }
}

function checkBaseUrl({ base_url: text, private: isPrivate, auth }: OwnFile, report: Report): void {
  const url = URL.parse(text)
  if (url === null) return report('is not a URL', 'base_url')
  if (url.username !== '' || url.password !== '')
    return report('contains a user name or a password: use "auth"', 'base_url')
  if (url.search !== '' || url.hash !== '') return report('must not contain "?" or "#"', 'base_url')
  if (isPrivate === true) return
  if (!isPublicHost(url.hostname))
    return report(
      'is an address of a private network: add "private": true if the gateway may call it',
      'base_url',
    )
  if (url.protocol === 'http:' && auth !== 'none')
    report('must begin with https://, because the credentials are secret', 'base_url')
}

function isPublicHost(hostname: string): boolean {
  const address = parseAddress(hostname.replace(/^\[|\]$/g, ''))
  return address === undefined ? !isInternalName(hostname) : isPublicAddress(address)
}

function checkAuth({ service, auth }: OwnFile, report: Report): void {
  const setting = `UPSTREAM_${service.toUpperCase()}_`
  const check = (value: string, canHavePrefix: boolean, ...path: readonly (string | number)[]) => {
    const read = readCredential(value)
    if (read === undefined)
      report(
        `must name a setting, such as "\${KEY}" for ${setting}KEY: a file holds no secrets. Names are in capitals, other than URL, and do not begin with A_, B_, C_ or D_`,
        'auth',
        ...path,
      )
    else if (!canHavePrefix && read.prefix !== '')
      report('must be the setting alone, such as "${KEY}"', 'auth', ...path)
  }
  const checkHeader = (header: string, ...path: readonly (string | number)[]): void => {
    if (isReservedHeader(header)) report('is a header that the gateway sets', 'auth', ...path)
  }
  if (auth === 'none') return
  if ('header' in auth) {
    checkHeader(auth.header, 'header')
    check(auth.value, true, 'value')
  } else if ('headers' in auth)
    for (const [index, { header, value }] of auth.headers.entries()) {
      checkHeader(header, 'headers', index, 'header')
      check(value, false, 'headers', index, 'value')
    }
  else if ('query' in auth) check(auth.value, false, 'value')
  else {
    check(auth.basic.user, false, 'basic', 'user')
    check(auth.basic.password, false, 'basic', 'password')
  }
}
