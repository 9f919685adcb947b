import { EventEmitter } from 'node:events'
import { STATUS_CODES, type OutgoingHttpHeader, type OutgoingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import { BrokenInvariant, invariant } from '../../../errors/app-error.ts'
import { NOT_IN_A_VALUE } from '../../../lib/http-fields.ts'
import type { DirectRequest } from './direct-request.ts'

export type ResponseOwner = {
  /** Returns the value of the Date header. */
  date(): string
  /** Part of the response waits for the client to read earlier bytes. */
  unread(): void
  /** The whole response was passed to the operating system. */
  finished(keepsAlive: boolean): void
}

const CRLF = Buffer.from('\r\n', 'latin1')
export const KEEP_ALIVE_SECONDS = 65
const KEEP_ALIVE = `Connection: keep-alive\r\nKeep-Alive: timeout=${KEEP_ALIVE_SECONDS}\r\n`
const CHUNKED = 'Transfer-Encoding: chunked\r\n'
const BODILESS = new Set([204, 304])

/**
 * A response with the part of `http.ServerResponse` that Fastify and the call routes use: no interim
 * responses, no piping. A response without chunks is a single write.
 */
export class DirectResponse extends EventEmitter {
  readonly req: DirectRequest
  statusCode = 200
  headersSent = false
  writableEnded = false
  writableFinished = false
  destroyed = false
  readonly #owner: ResponseOwner
  readonly #headers: OutgoingHttpHeaders = {}
  #trailers: OutgoingHttpHeaders = {}
  #keepsAlive = true
  /** Null once it is sent. */
  #head: string | null = null
  #isChunked = false

  constructor(req: DirectRequest, owner: ResponseOwner) {
    super()
    this.req = req
    this.#owner = owner
  }

  get socket(): Socket {
    return this.req.socket
  }

  getHeader(name: string): OutgoingHttpHeader | undefined {
    return this.#headers[name.toLowerCase()]
  }

  getHeaders(): OutgoingHttpHeaders {
    return this.#headers
  }

  hasHeader(name: string): boolean {
    return Object.hasOwn(this.#headers, name.toLowerCase())
  }

  setHeader(name: string, value: OutgoingHttpHeader): this {
    this.#headers[name.toLowerCase()] = value
    return this
  }

  removeHeader(name: string): void {
    delete this.#headers[name.toLowerCase()]
  }

  addTrailers(trailers: OutgoingHttpHeaders): void {
    this.#trailers = trailers
  }

  /** The head is sent with the first bytes of the body, or at the end. Only this class frames the body. */
  writeHead(status: number, headers?: OutgoingHttpHeaders): this {
    invariant(!this.headersSent, 'the head of a response is written once')
    const all = headers === undefined ? this.#headers : { ...this.#headers }
    for (const name in headers) all[name.toLowerCase()] = headers[name]
    invariant(all['transfer-encoding'] === undefined, 'a response is framed by its server')
    const isChunked = all['content-length'] === undefined && !BODILESS.has(status)
    const keepsAlive = all['connection'] !== 'close'
    const connection = keepsAlive ? KEEP_ALIVE : ''
    this.#head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${fieldLines(all)}Date: ${this.#owner.date()}\r\n${connection}${isChunked ? CHUNKED : ''}\r\n`
    this.#isChunked = isChunked
    this.#keepsAlive = keepsAlive
    this.statusCode = status
    this.headersSent = true
    return this
  }

  /** Returns false when the client reads slower than the gateway writes. "drain" follows once it has caught up. */
  write(bytes: Buffer): boolean {
    // An empty chunk would end the body.
    if (this.destroyed || this.writableEnded || bytes.length === 0) return true
    if (!this.headersSent) this.writeHead(this.statusCode)
    const isFlushed = this.#sendPart(this.#takeHead(), bytes)
    if (!isFlushed) this.#owner.unread()
    return isFlushed
  }

  end(body?: string | Buffer | null): this {
    if (this.writableEnded) return this
    if (!this.headersSent) {
      if (!BODILESS.has(this.statusCode))
        this.#headers['content-length'] = String(Buffer.byteLength(body ?? ''))
      this.writeHead(this.statusCode)
    }
    const last = this.#isChunked
      ? Buffer.from(`0\r\n${fieldLines(this.#trailers)}\r\n`, 'latin1')
      : null
    this.writableEnded = true
    if (this.destroyed) return this
    this.#send(this.#takeHead(), body ?? '', last)
    if (this.socket.writableLength === 0) this.#finish()
    else {
      this.#owner.unread()
      // The callback runs after all earlier bytes were passed on.
      this.socket.write('', (error) => !error && this.#finish())
    }
    return this
  }

  destroy(): this {
    this.socket.destroy()
    return this
  }

  /** The connection was closed, by either side. */
  connectionClosed(): void {
    if (this.destroyed || this.writableFinished) return
    this.destroyed = true
    this.emit('close')
  }

  #takeHead(): string {
    const head = this.#head ?? ''
    this.#head = null
    return head
  }

  #sendPart(head: string, bytes: Buffer): boolean {
    if (this.#isChunked) return this.socket.write(chunkOf(bytes, head))
    if (head !== '') this.socket.write(head, 'latin1')
    return this.socket.write(bytes)
  }

  #send(head: string, body: string | Buffer, last: Buffer | null): void {
    const { socket } = this
    if (last !== null) {
      socket.write(
        Buffer.concat(
          body.length === 0
            ? [Buffer.from(head, 'latin1'), last]
            : [chunkOf(Buffer.from(body as string), head), last],
        ),
      )
      return
    }
    if (typeof body === 'string' && Buffer.byteLength(body) === body.length) {
      socket.write(head + body, 'latin1')
      return
    }
    socket.cork()
    socket.write(head, 'latin1')
    socket.write(body)
    socket.uncork()
  }

  #finish(): void {
    if (this.destroyed || this.socket.destroyed) return
    this.writableFinished = true
    this.emit('finish')
    this.emit('close')
    this.#owner.finished(this.#keepsAlive)
  }
}

function fieldLines(headers: OutgoingHttpHeaders): string {
  let lines = ''
  let values = ''
  for (const name in headers) {
    const value = headers[name]
    if (typeof value === 'string') {
      values += value
      lines += `${name}: ${value}\r\n`
    } else if (value !== undefined)
      for (const one of [value].flat()) {
        values += String(one)
        lines += `${name}: ${one}\r\n`
      }
  }
  // One test of all values takes less time than one of each.
  if (NOT_IN_A_VALUE.test(values)) rejectValues(headers)
  return lines
}

/** Names the header with an invalid character. */
function rejectValues(headers: OutgoingHttpHeaders): never {
  const name = Object.keys(headers).find((one) => NOT_IN_A_VALUE.test(String(headers[one])))
  throw new BrokenInvariant(`the header "${name}" has no invalid character`)
}

function chunkOf(bytes: Buffer, head: string): Buffer {
  const start = `${head}${bytes.length.toString(16)}\r\n`
  const chunk = Buffer.allocUnsafe(start.length + bytes.length + 2)
  chunk.write(start, 'latin1')
  bytes.copy(chunk, start.length)
  CRLF.copy(chunk, start.length + bytes.length)
  return chunk
}
