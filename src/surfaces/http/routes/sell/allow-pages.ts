/**
 * CORS for calls without a key, so that wallets in web pages of any site can pay. It never covers
 * requests with a key or a cookie, and never allows credentials.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance } from 'fastify'

// MPP sends its payment in Authorization. A "*" would not cover that name.
const SENT = 'content-type, authorization, payment-signature, x-payment, idempotency-key, prefer'
const EXPOSED =
  'payment-required, payment-response, x-payment-response, www-authenticate, payment-receipt, x-request-id, retry-after'
const PREFLIGHT_SECONDS = 600

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
  app.options(path, (_request, reply) =>
    reply
      .code(204)
      .headers({
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers': SENT,
        'access-control-max-age': String(PREFLIGHT_SECONDS),
      })
      .send(),
  )
}

/** A key in Authorization never reaches these routes. */
function mayRead(headers: IncomingHttpHeaders): boolean {
  return (
    headers.origin !== undefined &&
    headers.cookie === undefined &&
    headers['x-api-key'] === undefined
  )
}
