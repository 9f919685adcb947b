import type { FastifyReply } from 'fastify'

export type ClientRedirect = {
  /** A redirect URI of the client. */
  readonly redirectUri: string
  readonly state: string | null
  /** Such as `code` or `error`. */
  readonly fields: Readonly<Record<string, string>>
  /** Names this server, so that a client does not send the code to another one (RFC 9207). */
  readonly issuer: string
}

/** Redirects the browser to the client with the result. */
export function redirectToClient(
  reply: FastifyReply,
  { redirectUri, state, fields, issuer }: ClientRedirect,
): FastifyReply {
  const query = new URLSearchParams({
    ...fields,
    ...(state === null ? {} : { state }),
    iss: issuer,
  }).toString()
  return reply
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .redirect(`${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${query}`, 303)
}

const FORM_ACTION = "form-action 'self'"

/**
 * Lets the forms of a page redirect to the client as well: browsers apply `form-action` to the redirect
 * of a form.
 */
export function allowRedirect(reply: FastifyReply, redirectUri: string): void {
  const policy = String(reply.getHeader('content-security-policy') ?? '')
  reply.header(
    'content-security-policy',
    policy.replace(FORM_ACTION, () => `${FORM_ACTION} ${sourceOf(redirectUri)}`),
  )
}

/** A policy can name an origin, but no IPv6 address, and of an app only the scheme. */
function sourceOf(redirectUri: string): string {
  const { origin, protocol, hostname } = new URL(redirectUri)
  return origin === 'null' || hostname.startsWith('[') ? protocol : origin
}
