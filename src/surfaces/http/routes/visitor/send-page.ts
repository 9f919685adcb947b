import type { FastifyReply } from 'fastify'
import type { AppError } from '../../../../errors/app-error.ts'
import { logFault } from '../../render-error.ts'

/** Without a referrer browsers would send the forms of these pages with an Origin of "null". */
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

/** A page that tells why something was refused, with the status of that. What is no fault of the visitor's is logged. */
export function sendRefusal(
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

/** A refusal as a page tells it. `advice`: in place of the one for programs. */
export function describeError({ message, fix }: AppError, advice = fix): string {
  return `${message} ${advice}`
}
