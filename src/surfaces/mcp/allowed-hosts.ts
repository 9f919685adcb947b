import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../errors/app-error.ts'

/** A name or an address, with an optional port. */
const HOST = /^(?:[\w.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Whether the origin of a page is the gateway's own or loopback. */
export function isOwnPage(origin: string, own: string): boolean {
  return origin === own || LOOPBACK.has(URL.parse(origin)?.hostname ?? '')
}

/**
 * Creates a hook against DNS rebinding: a page of another site, whose name resolves to this gateway,
 * sends that name in Host and Origin. Only the gateway's public name and loopback pass. A request
 * without Origin does not come from a page.
 */
export function checkHosts(publicUrl: string) {
  const own = new URL(publicUrl)
  return function checkHostAndOrigin(
    request: FastifyRequest,
    _reply: FastifyReply,
    done: (error?: Error) => void,
  ): void {
    const { host = '', origin } = request.headers
    if (host !== own.host && !isAllowed(host)) {
      done(
        new AppError(
          'foreign_host',
          `"${host.slice(0, 100)}" is not the address of this gateway.`,
          {
            fix: `Call ${own.origin}. The operator sets this address in PUBLIC_URL.`,
          },
        ),
      )
      return
    }
    done(
      origin === undefined || isOwnPage(origin, own.origin)
        ? undefined
        : new AppError('foreign_host', 'Pages of other sites cannot use this address.', {
            fix: 'Call it from a program, without the Origin header.',
          }),
    )
  }

  function isAllowed(host: string): boolean {
    const named = HOST.test(host) ? URL.parse(`${own.protocol}//${host}`) : null
    return named !== null && (named.host === own.host || LOOPBACK.has(named.hostname))
  }
}
