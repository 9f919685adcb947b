import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyContextConfig, FastifyInstance, RouteOptions } from 'fastify'
import { readJsonBody } from '../bodies/json-body.ts'
import {
  onFailure,
  type Failure,
  type Guard,
  type RouteReply,
  type RouteRequest,
} from '../route-objects.ts'
import { DirectRequest } from './direct-request.ts'
import type { DirectResponse } from './direct-response.ts'
import { HotReply, HotRequest } from './hot-objects.ts'

type HotRoute = {
  readonly params: Readonly<Record<string, string>>
  readonly config: FastifyContextConfig
  readonly handler: (request: RouteRequest, reply: RouteReply) => void
}
export type HotSettings = {
  readonly newId: () => string
  /** The address of the client, which may be behind trusted proxies. */
  readonly ipOf: (request: IncomingMessage) => string
}
type Pattern = {
  readonly expression: RegExp
  readonly names: readonly string[]
  readonly route: HotRoute
}

const BEARER = /^bearer /i
const JSON_TYPE = /^application\/json(?:; ?charset=utf-8)?$/i
const PLACEHOLDER = /:(\w+)/g
/** Addresses that are looked up without matching: some for each action. */
const MOST_URLS = 2_000

/**
 * Serves the requests that `serveDirectly` read with the guards and handlers of their Fastify routes,
 * but without Fastify's routing, request and reply, which cost a tenth of a call (docs/decisions/0207).
 * Fastify serves all others, such as those to an unknown address, without a key or without a JSON body.
 */
export class HotRoutes {
  readonly #settings: HotSettings
  readonly #app: FastifyInstance
  readonly #guards: Guard[] = []
  readonly #failures: Failure[] = []
  readonly #byUrl = new Map<string, HotRoute>()
  readonly #patterns: Pattern[] = []

  constructor(app: FastifyInstance, settings: HotSettings) {
    this.#app = app
    this.#settings = settings
    app.addHook('onRoute', (route) => this.#learn(route))
    const { server } = app
    const byFastify = server.listeners('request') as ((...parts: unknown[]) => void)[]
    server.removeAllListeners('request')
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const received: unknown = request
      if (received instanceof DirectRequest && this.#serves(received, response)) return
      for (const listener of byFastify) listener.call(server, request, response)
    })
  }

  /** Adds a hook to the routes of this instance, among which are the hot ones. */
  guard(app: FastifyInstance, guard: Guard): void {
    app.addHook('onRequest', guard)
    this.#guards.push(guard)
  }

  /** Calls the function for every failed request of this instance, before its error is rendered. */
  onError(app: FastifyInstance, failed: Failure): void {
    onFailure(app, failed)
    this.#failures.push(failed)
  }

  #learn({ url, method, handler, config }: RouteOptions): void {
    if (method !== 'POST' || config?.renderError === undefined) return
    const route = { config, params: {}, handler: handler as unknown as HotRoute['handler'] }
    const names = [...url.matchAll(PLACEHOLDER)].map(([, name = '']) => name)
    if (names.length === 0) this.#byUrl.set(url, route)
    else
      this.#patterns.push({
        expression: new RegExp(`^${url.replaceAll(PLACEHOLDER, '([\\w.-]{1,200})')}$`),
        names,
        route,
      })
  }

  #find(url: string): HotRoute | null {
    const known = this.#byUrl.get(url)
    if (known !== undefined) return known
    for (const { expression, names, route } of this.#patterns) {
      const match = expression.exec(url)
      if (match === null) continue
      const params: Record<string, string> = {}
      for (const [place, name] of names.entries()) params[name] = match[place + 1] ?? ''
      const found = { ...route, params: Object.freeze(params) }
      // Made-up names cannot evict the known ones; beyond the limit each request is matched again.
      if (this.#byUrl.size < MOST_URLS) this.#byUrl.set(url, found)
      return found
    }
    return null
  }

  /** Serves the request if it is one with a key and a JSON body to a hot route. */
  #serves(raw: DirectRequest, response: unknown): boolean {
    const { 'content-type': type = '', authorization = '' } = raw.headers
    if (!JSON_TYPE.test(type) || !BEARER.test(authorization)) return false
    const found = this.#find(raw.url)
    if (found === null) return false
    const { config, params, handler } = found
    const { log } = this.#app
    const { newId, ipOf } = this.#settings
    const request = new HotRequest({ id: newId(), raw, params, config, log, ipOf })
    const reply = new HotReply(request, response as DirectResponse, this.#fail)
    this.#pass(0, request, reply, () => {
      request.body = readJsonBody(raw.takeBody(), request)
      handler(request, reply)
    })
    return true
  }

  /** Runs the guards from this one on, then `next`. */
  #pass(from: number, request: HotRequest, reply: HotReply, next: () => void): void {
    const guard = this.#guards[from]
    try {
      if (guard === undefined) next()
      else
        guard(request, reply, (error) => {
          if (error === undefined) this.#pass(from + 1, request, reply, next)
          else this.#fail(error, reply)
        })
    } catch (error) {
      this.#fail(error as Error, reply)
    }
  }

  readonly #fail = (error: Error, reply: HotReply): void => {
    const { request } = reply
    if (reply.sent) {
      request.log.error({ err: error }, 'a response failed after it had begun')
      return
    }
    for (const failed of this.#failures) failed(request, error)
    request.routeOptions.config.renderError?.(error, request, reply)
  }
}
