import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set on routes whose requests `HotRoutes` may serve: renders their errors. Their handlers return nothing. */
    readonly renderError?: RenderError
  }
}

/** The part of Fastify's request that hot routes, their guards and their errors use. */
export type RouteRequest = Pick<
  FastifyRequest,
  | 'id'
  | 'raw'
  | 'method'
  | 'url'
  | 'headers'
  | 'ip'
  | 'params'
  | 'body'
  | 'log'
  | 'caller'
  | 'work'
  | 'onBodyGrowth'
  | 'bodyFingerprint'
  | 'formerFingerprint'
> & {
  readonly routeOptions: { readonly config: FastifyContextConfig }
}

/** The part of Fastify's reply that hot routes, their guards and their errors use. */
export type RouteReply = Pick<FastifyReply, 'raw' | 'log' | 'sent'> & {
  readonly request: RouteRequest
  getHeaders(): Readonly<Record<string, number | string | string[] | undefined>>
  header(name: string, value: string): RouteReply
  code(status: number): RouteReply
  type(contentType: string): RouteReply
  send(payload: unknown): RouteReply
  hijack(): RouteReply
}

/** A hook that runs before the body is read. An error ends the request. */
export type Guard = (
  request: RouteRequest,
  reply: RouteReply,
  done: (error?: Error) => void,
) => void

export type RenderError = (error: unknown, request: RouteRequest, reply: RouteReply) => unknown

export type Failure = (request: RouteRequest, error: unknown) => void

/** Calls the function for every failed request of this instance, before its error is rendered. */
export function onFailure(app: FastifyInstance, failed: Failure): void {
  app.addHook('onError', (request, _reply, error, done) => {
    failed(request, error)
    done()
  })
}
