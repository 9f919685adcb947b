import { isIP } from 'node:net'
import { isInternalName } from '../../lib/internal-names.ts'
import type { Config } from './config.ts'

/**
 * The name with which the gateway introduces itself to email servers: MAIL_DOMAIN, else the host of
 * PUBLIC_URL. Null without a public name: servers reject others, and may list the address.
 */
export function mailNameOf({ mail, publicUrl }: Pick<Config, 'mail' | 'publicUrl'>): string | null {
  if (!mail.isLocal) return mail.domain
  const { hostname } = new URL(publicUrl)
  const isAddress = hostname.startsWith('[') || isIP(hostname) !== 0
  return isAddress || isInternalName(hostname) ? null : hostname
}
