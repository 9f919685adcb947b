import type { Config } from '../../../start/config.ts'
import { missing, ok, type Check } from './check.ts'

/** Whether attempts to sign in are counted by where people are. The gateway speaks http alone, so https is a proxy's. */
export function checkProxies({ trustedProxies, publicUrl }: Pick<Config, 'trustedProxies' | 'publicUrl'>): Check {
  const name = 'proxies'
  if (trustedProxies.length > 0) return ok(name, `${trustedProxies.join(', ')} tell where people are`)
  if (!publicUrl.startsWith('https:')) return ok(name, 'none is named, and PUBLIC_URL needs none')
  return missing(name, 'none is named: attempts to sign in are counted for all people together', 'Set TRUSTED_PROXIES to the network of the proxy (docs/people.md).')
}
