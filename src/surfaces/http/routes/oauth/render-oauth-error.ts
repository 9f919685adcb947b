import type { FastifyReply, FastifyRequest } from 'fastify'
import { OAuthError, type OAuthErrorCode } from '../../../../auth/oauth/oauth-error.ts'
import { logFault, toAppError } from '../../render-error.ts'

/** Renders an error as RFC 6749, section 5.2, prescribes. */
export function renderOAuthError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (error instanceof OAuthError) return send(reply, 400, error.code, error.message)
  const known = toAppError(error)
  logFault(known, error, request)
  if (known.retryAfterSeconds !== undefined)
    reply.header('retry-after', String(known.retryAfterSeconds))
  return send(reply, known.spec.status, codeOf(known.spec.status), `${known.message} ${known.fix}`)
}

function codeOf(status: number): OAuthErrorCode {
  if (status === 429 || status === 503) return 'temporarily_unavailable'
  return status >= 500 ? 'server_error' : 'invalid_request'
}

function send(
  reply: FastifyReply,
  status: number,
  code: OAuthErrorCode,
  description: string,
): FastifyReply {
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ error: code, error_description: description }))
}
