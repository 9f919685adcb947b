import { isThisMachine } from '../../../lib/machine/this-machine.ts'
import type { Config } from '../../../app/settings/config.ts'
import { missing, ok, type Check } from './check.ts'

/**
 * Checks that traffic is encrypted and that sign-in attempts are counted by client address. The
 * gateway serves plain http, so a proxy must provide https.
 */
export function checkProxies({
  trustedProxies,
  publicUrl,
}: Pick<Config, 'trustedProxies' | 'publicUrl'>): Check {
  const name = 'proxies'
  if (!publicUrl.startsWith('https:') && !isThisMachine(new URL(publicUrl).hostname))
    return missing(
      name,
      `PUBLIC_URL (${publicUrl}) is not https: keys, passwords and cookies are sent unencrypted`,
      'Put a TLS proxy in front of the gateway and set PUBLIC_URL to its https address (docs/operating.md).',
    )
  if (trustedProxies.length > 0)
    return ok(name, `client addresses come from ${trustedProxies.join(', ')}`)
  if (!publicUrl.startsWith('https:')) return ok(name, 'none, and PUBLIC_URL needs none')
  return missing(
    name,
    'none: sign-in attempts of all clients count together',
    'Set TRUSTED_PROXIES to the network of the proxy (docs/people.md).',
  )
}
