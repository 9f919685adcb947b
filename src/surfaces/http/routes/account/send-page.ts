import type { FastifyReply } from 'fastify'
import type { AppError } from '../../../../errors/app-error.ts'

/** Without a referrer browsers would send the forms of these pages with an Origin of "null". */
export function sendPage(reply: FastifyReply, status: number, markup: string, referrerPolicy = 'same-origin'): FastifyReply {
  return reply.code(status).header('cache-control', 'no-store').header('referrer-policy', referrerPolicy).type('text/html; charset=utf-8').send(markup)
}

/** A page that tells why something was refused, with the status of that. */
export function sendRefusal(reply: FastifyReply, { spec, retryAfterSeconds }: AppError, markup: string, referrerPolicy?: string): FastifyReply {
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
  return sendPage(reply, spec.status, markup, referrerPolicy)
}
