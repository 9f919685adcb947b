import { AppError } from '../../errors/app-error.ts'
import { publicId } from '../../lib/ids.ts'
import type { Bound } from './key-policy.ts'

/** Whether the policies allow a client with this address. */
export function isAddressAllowed({ policies }: Bound, ip: string): boolean {
  return policies.every(({ addresses }) => addresses === null || addresses.has(ip))
}

/**
 * Throws AppError ip_not_allowed for a client address outside the `allowed_ips` of the key or of a
 * key above it. `request.ip` respects the operator's trusted proxies.
 */
export function requireAddress({ policies }: Bound, request: { readonly ip: string }): void {
  for (const { addresses, keyId, isInherited } of policies) {
    if (addresses === null || addresses.has(request.ip)) continue
    const id = publicId('key', keyId)
    throw new AppError(
      'ip_not_allowed',
      `"allowed_ips" of ${isInherited ? 'the parent key' : 'the key'} ${id} does not contain this client's address, ${request.ip}.`,
      { details: { rule: 'allowed_ips', key_id: id, client_ip: request.ip } },
    )
  }
}
