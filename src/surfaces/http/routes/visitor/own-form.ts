import type { FastifyRequest } from 'fastify'
import { AppError } from '../../../../errors/app-error.ts'

/** Throws AppError bad_request for a form from another site, which could sign a visitor in to the attacker's account. */
export function requireOwnForm(request: FastifyRequest, publicUrl: string): void {
  if (!isFromOwnPage(request, publicUrl))
    throw new AppError('bad_request', 'This form was sent from another site.', {
      fix: 'Open the page on this gateway and submit the form there.',
    })
}

/**
 * Whether the request does not come from a page of another site. Over plain http, except on localhost,
 * browsers send only Origin, and only with requests that can change something.
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
 * Only programs send a form without Origin. Compares hosts but not schemes, because a proxy may convert
 * https to http. An origin without a host never matches, even if the request has none.
 */
function isOwnOrigin(origin: string | undefined, hosts: readonly (string | undefined)[]): boolean {
  if (origin === undefined) return true
  const from = URL.parse(origin)?.host ?? ''
  return from !== '' && hosts.includes(from)
}
