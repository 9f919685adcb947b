import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../errors/app-error.ts'

/** A name or an address, and perhaps a port. */
const HOST = /^(?:[\w.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * A hook against DNS rebinding: a page on another site whose name was made to lead here arrives with that name in Host
 * and Origin. Only the gateway's own public name and loopback pass; a request without Origin comes from no page.
 */
export function checkHosts(publicUrl: string) {
  const own = new URL(publicUrl)
  return function checkHostAndOrigin(
    request: FastifyRequest,
    _reply: FastifyReply,
    done: (error?: Error) => void,
  ): void {
    const { host = '', origin } = request.headers
    if (host !== own.host && !leadsHere(host)) {
      done(
        new AppError('foreign_host', `This gateway is not named "${host.slice(0, 100)}".`, {
          fix: `Call it at ${own.origin}; its operator sets that name in PUBLIC_URL.`,
        }),
      )
      return
    }
    const isOwn =
      origin === undefined ||
      origin === own.origin ||
      LOOPBACK.has(URL.parse(origin)?.hostname ?? '')
    done(
      isOwn
        ? undefined
        : new AppError('foreign_host', 'Pages of other sites may not use this address.', {
            fix: 'Call it from a program, without an Origin header.',
          }),
    )
  }

  function leadsHere(host: string): boolean {
    const named = HOST.test(host) ? URL.parse(`${own.protocol}//${host}`) : null
    return named !== null && (named.host === own.host || LOOPBACK.has(named.hostname))
  }
}
