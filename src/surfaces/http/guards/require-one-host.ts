import type { FastifyInstance } from 'fastify'
import { AppError } from '../../../errors/app-error.ts'

/**
 * Rejects requests with no Host header or several (RFC 9112, section 3.2), because a proxy in front of
 * the gateway could use another one. `serveDirectly` only accepts requests with exactly one.
 */
export function requireOneHost(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const { headers, httpVersion, rawHeaders } = raw
    const isMissing = headers.host === undefined && httpVersion === '1.1'
    done(
      isMissing || countHosts(rawHeaders as readonly string[] | undefined) > 1
        ? new AppError('bad_request', 'The request must have one Host header.', {
            fix: 'Send the request with an HTTP library, to the address of the gateway.',
          })
        : undefined,
    )
  })
}

/** `rawHeaders` alternates names and values. */
function countHosts(rawHeaders: readonly string[] | undefined = []): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.toLowerCase() === 'host') count += 1
  return count
}
