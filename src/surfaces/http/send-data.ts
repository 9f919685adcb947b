import type { FastifyReply, FastifyRequest } from 'fastify'
import { publicId } from '../../lib/ids.ts'

/** The envelope of a free response as JSON text. Lists have `next_cursor`. */
export function dataBody(data: unknown, nextCursor?: string | null): string {
  return JSON.stringify(
    nextCursor === undefined ? { ok: true, data } : { ok: true, data, next_cursor: nextCursor },
  )
}

/** Sends an envelope that no proxy or browser may cache. */
export function sendBody(
  request: FastifyRequest,
  reply: FastifyReply,
  body: string,
  status = 200,
): FastifyReply {
  return reply
    .code(status)
    .header('x-request-id', publicId('request', request.id))
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(body)
}
