import type { FastifyRequest } from 'fastify'
import { AppError } from '../../../../errors/app-error.ts'

/**
 * Throws AppError bad_request for a form that another site sends: it must not sign a visitor in to an account of its own
 * choice.
 */
export function requireOwnForm(request: FastifyRequest, publicUrl: string): void {
  if (!isFromOwnPage(request, publicUrl))
    throw new AppError('bad_request', 'This form was sent from another site.', {
      fix: 'Open the page on this gateway and send the form from there.',
    })
}

/**
 * Whether no page of another site sends this. Browsers say where a request comes from; over plain http, unless it is this
 * machine, only in Origin, and that with what changes something.
 */
export function isFromOwnPage(
  { headers }: Pick<FastifyRequest, 'headers'>,
  publicUrl: string,
): boolean {
  const from = headers['sec-fetch-site']
  return from === undefined
    ? isOwnOrigin(headers.origin, [headers.host, new URL(publicUrl).host])
    : from === 'same-origin' || from === 'none'
}

/**
 * Only programs send no Origin with a form. Hosts are compared alone, since a proxy may take https in and pass http on. A
 * page without a host is nobody's, also where the request names none.
 */
function isOwnOrigin(origin: string | undefined, hosts: readonly (string | undefined)[]): boolean {
  if (origin === undefined) return true
  const from = URL.parse(origin)?.host ?? ''
  return from !== '' && hosts.includes(from)
}
