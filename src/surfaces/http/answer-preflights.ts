import type { FastifyInstance, onRequestHookHandler } from 'fastify'

// The wildcard covers further headers, such as those of tool parameters, but never Authorization.
const SENT =
  'authorization, content-type, idempotency-key, last-event-id, mcp-method, mcp-name, mcp-protocol-version, mcp-session-id, payment-signature, prefer, x-payment, *'
const PREFLIGHT_SECONDS = 600

export type Preflights = {
  readonly method: 'GET' | 'POST'
  /** Decides which pages may read responses. Without it a hook of the app does. */
  readonly allow?: onRequestHookHandler
}

/** Answers the preflights of a path, which browsers send before a request of a web page. Never allows credentials. */
export function answerPreflights(
  app: FastifyInstance,
  path: string,
  { method, allow }: Preflights,
): void {
  app.options(path, allow === undefined ? {} : { onRequest: allow }, (_request, reply) =>
    reply
      .code(204)
      .headers({
        'access-control-allow-methods': method,
        'access-control-allow-headers': SENT,
        'access-control-max-age': String(PREFLIGHT_SECONDS),
      })
      .send(),
  )
}
