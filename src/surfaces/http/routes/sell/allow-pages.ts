/**
 * CORS for calls without a key, so that wallets in web pages of any site can pay. It never covers
 * requests with a key or a cookie, and never allows credentials.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { answerPreflights } from '../../answer-preflights.ts'

const EXPOSED =
  'payment-required, payment-response, x-payment-response, www-authenticate, payment-receipt, x-request-id, retry-after'

/** Whether a page's browser checks if it may send a call. */
export function isPreflight(headers: IncomingHttpHeaders): boolean {
  return headers['access-control-request-method'] === 'POST' && mayRead(headers)
}

/** Answers preflights of `path`, and lets pages read every answer of the routes of `app`. */
export function allowPages(app: FastifyInstance, path: string): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (mayRead(request.headers))
      reply.headers({
        'access-control-allow-origin': '*',
        'access-control-expose-headers': EXPOSED,
      })
    done()
  })
  answerPreflights(app, path, { method: 'POST' })
}

/** A key in Authorization never reaches these routes. */
function mayRead(headers: IncomingHttpHeaders): boolean {
  return (
    headers.origin !== undefined &&
    headers.cookie === undefined &&
    headers['x-api-key'] === undefined
  )
}
