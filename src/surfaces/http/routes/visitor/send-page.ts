import type { FastifyReply } from 'fastify'
import type { AppError } from '../../../../errors/app-error.ts'
import { logFault } from '../../render-error.ts'

/** Sends a page. With a `no-referrer` policy, browsers would submit its forms with the Origin "null". */
export function sendPage(
  reply: FastifyReply,
  status: number,
  markup: string,
  referrerPolicy = 'same-origin',
): FastifyReply {
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .header('referrer-policy', referrerPolicy)
    .type('text/html; charset=utf-8')
    .send(markup)
}

/** Sends a page with the status of the error, and logs faults of the gateway. */
export function sendErrorPage(
  reply: FastifyReply,
  error: AppError,
  markup: string,
  referrerPolicy?: string,
): FastifyReply {
  const { spec, retryAfterSeconds } = error
  logFault(error, error, reply.request)
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
  return sendPage(reply, spec.status, markup, referrerPolicy)
}

/** The text of an error for a page. `advice` replaces the default advice, which is for programs. */
export function describeError({ message, fix }: AppError, advice = fix): string {
  return `${message} ${advice}`
}
