import { EventEmitter } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import type { RequestHead } from './read-request.ts'

const NO_BYTES = Buffer.alloc(0)

/** A complete request with the part of `http.IncomingMessage` that Fastify and the call routes use. */
export class DirectRequest extends EventEmitter {
  readonly method = 'POST'
  readonly httpVersion = '1.1'
  readonly httpVersionMajor = 1
  readonly httpVersionMinor = 1
  readonly complete = true
  readonly aborted = false
  /** Fastify's routing may change it. */
  url: string
  readonly headers: IncomingHttpHeaders
  readonly socket: Socket
  /** By `performance.now()`; an overload can delay its start. */
  readonly arrivedMs: number
  #body: Buffer | null

  constructor(socket: Socket, { url, headers }: RequestHead, body: Buffer, arrivedMs: number) {
    super()
    this.socket = socket
    this.arrivedMs = arrivedMs
    this.url = url
    this.headers = headers
    this.#body = body
  }

  /** The body, once: empty when it was taken before. */
  takeBody(): Buffer {
    const body = this.#body
    this.#body = null
    return body ?? NO_BYTES
  }

  /** Emits the body once. */
  resume(): this {
    if (this.#body === null) return this
    const body = this.takeBody()
    if (body.length > 0) this.emit('data', body)
    this.emit('end')
    return this
  }
}
