import type { FastifyInstance } from 'fastify'
import { AppError } from '../../../errors/app-error.ts'

/**
 * Refuses requests without a Host and with more than one (RFC 9112, section 3.2), of which a proxy before the gateway may
 * believe another one. What is read from the socket itself has exactly one.
 */
export function requireOneHost(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const { headers, httpVersion, rawHeaders } = raw
    const isMissing = headers.host === undefined && httpVersion === '1.1'
    done(
      isMissing || hostsIn(rawHeaders as readonly string[] | undefined) > 1
        ? new AppError('bad_request', 'The request must have one Host header.', {
            fix: 'Send it with an HTTP library, to the address of the gateway.',
          })
        : undefined,
    )
  })
}

/** Names and values by turns. */
function hostsIn(rawHeaders: readonly string[] | undefined = []): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.toLowerCase() === 'host') count += 1
  return count
}
