import { isThisMachine } from '../../../lib/this-machine.ts'
import type { Config } from '../../../app/settings/config.ts'
import { missing, ok, type Check } from './check.ts'

/** Whether what people send is safe on its way, and attempts to sign in are counted by where they are. The gateway speaks http alone, so https is a proxy's. */
export function checkProxies({
  trustedProxies,
  publicUrl,
}: Pick<Config, 'trustedProxies' | 'publicUrl'>): Check {
  const name = 'proxies'
  if (!publicUrl.startsWith('https:') && !isThisMachine(new URL(publicUrl).hostname))
    return missing(
      name,
      `PUBLIC_URL (${publicUrl}) is not https: keys, passwords and cookies can be read on their way`,
      'Put a proxy with TLS before the gateway, and set PUBLIC_URL to its https address (docs/operating.md).',
    )
  if (trustedProxies.length > 0)
    return ok(name, `${trustedProxies.join(', ')} tell where people are`)
  if (!publicUrl.startsWith('https:')) return ok(name, 'none is named, and PUBLIC_URL needs none')
  return missing(
    name,
    'none is named: attempts to sign in are counted for all people together',
    'Set TRUSTED_PROXIES to the network of the proxy (docs/people.md).',
  )
}
