/**
 * CORS for clients in web pages, such as MCP Inspector. Pages of the gateway and of loopback may
 * read responses: the pages that `checkHosts` accepts. Cookies are never allowed, and no route here
 * reads them.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isOwnPage } from './allowed-hosts.ts'

const EXPOSED = 'www-authenticate, retry-after, x-request-id, mcp-session-id'

/** Creates a hook that lets the gateway's own pages and those of loopback read responses. */
export function allowPages(publicUrl: string) {
  const own = new URL(publicUrl).origin
  return function allowPage(
    { headers: { origin } }: FastifyRequest,
    reply: FastifyReply,
    done: () => void,
  ): void {
    if (origin !== undefined) reply.header('vary', 'origin')
    if (origin !== undefined && isOwnPage(origin, own))
      reply.headers({
        'access-control-allow-origin': origin,
        'access-control-expose-headers': EXPOSED,
      })
    done()
  }
}

/** Lets pages of any site read the responses of the route, which must be public. */
export function allowAnyPage(
  _request: FastifyRequest,
  reply: FastifyReply,
  done: () => void,
): void {
  reply.header('access-control-allow-origin', '*')
  done()
}
