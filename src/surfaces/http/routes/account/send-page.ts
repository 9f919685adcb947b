import type { FastifyReply } from 'fastify'

/** Without a referrer browsers would send the forms of these pages with an Origin of "null". */
export function sendPage(reply: FastifyReply, status: number, markup: string): FastifyReply {
  return reply.code(status).header('cache-control', 'no-store').header('referrer-policy', 'same-origin').type('text/html; charset=utf-8').send(markup)
}
