import { StartError } from '../../errors/start-error.ts'
import type { EgressProxy } from '../../upstream/proxies/egress-proxy.ts'
import { isDecodable } from './is-decodable.ts'
import { isWebUrl } from './settings-reader.ts'

const ENTRY = /^([a-z]{2})(-residential)?=(.+)$/i

/** EGRESS_PROXIES, such as "us=http://user:password@proxy.example:8080,de-residential=http://…". Throws StartError, which repeats no entry: they have passwords. */
export function readEgressProxies(text: string): readonly EgressProxy[] {
  const entries = text.split(',').map((part) => part.trim())
  return entries
    .filter((entry) => entry !== '')
    .map((entry, at) => {
      const [, country = '', residential, url = ''] = ENTRY.exec(entry) ?? []
      if (!isProxyUrl(url))
        throw new StartError(
          `EGRESS_PROXIES is invalid at entry ${at + 1}: it must be a country and the URL of an HTTP proxy, such as us=http://user:password@proxy.example:8080 or de-residential=http://proxy.example:8080. Write "%" in a password as %25.`,
        )
      return { country: country.toLowerCase(), isResidential: residential !== undefined, url }
    })
}

function isProxyUrl(text: string): boolean {
  if (!isWebUrl(text)) return false
  const { pathname, username, password } = new URL(text)
  return pathname === '/' && isDecodable(username) && isDecodable(password)
}
