import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import type { Authenticator } from '../../../keys/authenticate.ts'
import { bearerSecret } from '../guards/require-caller.ts'

/** The group of a request: groups share the gateway equally during an overload. */
export type GroupOf = (
  request: { readonly url: string; readonly headers: IncomingHttpHeaders },
  socket: Pick<Socket, 'remoteAddress'>,
) => string

/**
 * Groups requests by account. Those with a key that was not used lately count by client address,
 * because made-up keys must not form groups of their own.
 */
export function groupCallers({ cachedAccount }: Pick<Authenticator, 'cachedAccount'>): GroupOf {
  return (request, { remoteAddress = '' }) => {
    const secret = bearerSecret(request)
    return (secret === null ? null : cachedAccount(secret)) ?? remoteAddress
  }
}
