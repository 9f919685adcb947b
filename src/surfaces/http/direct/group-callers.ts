import type { Authenticator } from '../../../keys/authenticate.ts'
import type { AddressedRequest } from '../guards/client-address.ts'
import { bearerSecret } from '../guards/require-caller.ts'

/** The group of a request: groups share the gateway equally during an overload. */
export type GroupOf = (request: AddressedRequest & { readonly url: string }) => string

/**
 * Groups requests by account. Those with a key that was not used lately count by client address,
 * because made-up keys must not form groups of their own.
 */
export function groupCallers(
  { cachedAccount }: Pick<Authenticator, 'cachedAccount'>,
  addressOf: (request: AddressedRequest) => string,
): GroupOf {
  return (request) => {
    const secret = bearerSecret(request)
    return (secret === null ? null : cachedAccount(secret)) ?? addressOf(request)
  }
}
