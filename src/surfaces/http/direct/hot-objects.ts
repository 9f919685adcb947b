import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyBaseLogger, FastifyContextConfig } from 'fastify'
import { invariant } from '../../../errors/app-error.ts'
import type { Caller } from '../../../keys/caller.ts'
import type { RouteReply, RouteRequest } from '../route-objects.ts'
import type { DirectRequest } from './direct-request.ts'
import type { DirectResponse } from './direct-response.ts'

export type HotFacts = {
  readonly id: string
  readonly raw: DirectRequest
  readonly params: Readonly<Record<string, string>>
  readonly config: FastifyContextConfig
  readonly log: FastifyBaseLogger
  readonly ipOf: (request: IncomingMessage) => string
}

/** The request of a hot route. */
export class HotRequest implements RouteRequest {
  readonly id: string
  readonly raw: RouteRequest['raw']
  readonly method = 'POST'
  readonly url: string
  readonly headers: RouteRequest['headers']
  readonly params: unknown
  readonly log: FastifyBaseLogger
  readonly #ipOf: HotFacts['ipOf']
  readonly routeOptions: RouteRequest['routeOptions']
  body: unknown = undefined
  work: RouteRequest['work'] = null
  onBodyGrowth: RouteRequest['onBodyGrowth'] = null
  bodyFingerprint: string | null = null
  formerFingerprint = ''
  // A guard sets it before anything reads it, as in Fastify's request.
  caller = undefined as unknown as Caller

  constructor({ id, raw, params, config, log, ipOf }: HotFacts) {
    this.id = id
    this.raw = raw as unknown as RouteRequest['raw']
    this.url = raw.url
    this.headers = raw.headers
    this.params = params
    this.log = log
    this.#ipOf = ipOf
    this.routeOptions = { config }
  }

  get ip(): string {
    return this.#ipOf(this.raw)
  }
}

/** The reply of a hot route: headers are lower-case, and a payload is text, bytes or an error. */
export class HotReply implements RouteReply {
  readonly request: RouteRequest
  readonly raw: ServerResponse
  readonly #raw: DirectResponse
  readonly #failed: (error: Error, reply: HotReply) => void
  #isHijacked = false

  constructor(
    request: RouteRequest,
    raw: DirectResponse,
    failed: (error: Error, reply: HotReply) => void,
  ) {
    this.request = request
    this.raw = raw as unknown as ServerResponse
    this.#raw = raw
    this.#failed = failed
  }

  get log(): FastifyBaseLogger {
    return this.request.log
  }

  get sent(): boolean {
    return this.#isHijacked || this.#raw.writableEnded
  }

  getHeaders(): ReturnType<RouteReply['getHeaders']> {
    return { ...(this.#raw.getHeaders() as ReturnType<RouteReply['getHeaders']>) }
  }

  header(name: string, value: string): this {
    this.#raw.setHeader(name, value)
    return this
  }

  code(status: number): this {
    this.#raw.statusCode = status
    return this
  }

  type(contentType: string): this {
    return this.header('content-type', contentType)
  }

  hijack(): this {
    this.#isHijacked = true
    return this
  }

  send(payload: unknown): this {
    invariant(!this.sent, 'a reply is sent once')
    if (payload instanceof Error) this.#failed(payload, this)
    else this.#raw.end(payload as string | Buffer)
    return this
  }
}
