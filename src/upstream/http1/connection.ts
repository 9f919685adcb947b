import type { Socket } from 'node:net'
import { AppError } from '../../errors/app-error.ts'
import { ResponseReader, type ResponseListener } from './response-reader.ts'
import type { Carrier, ExchangeInProgress } from './exchange-in-progress.ts'
import { requestHead } from './request-text.ts'

/** Opens a socket that passes received bytes to `read` in a reused buffer. */
export type OpenSocket = (read: (bytes: Buffer, length: number) => void) => Socket

export type ConnectionOwner = {
  /** The response has ended, and another request may follow. */
  free(connection: Connection): void
  closed(connection: Connection): void
}

export type ConnectionTimes = { readonly connectMs: number; readonly idleMs: number }

// The server counts idle time from its side, and a request takes a moment to arrive.
const ARRIVAL_MS = 1_000

/** A connection that carries one request at a time. */
export class Connection implements Carrier, ResponseListener {
  readonly #socket: Socket
  readonly #reader = new ResponseReader(this)
  readonly #owner: ConnectionOwner
  readonly #host: string
  readonly #idleMs: number
  #exchange: ExchangeInProgress | null = null
  /** The head of the response was received, but not its end. */
  #hasBegun = false
  /** Whether a timer limits silence. */
  #isTimed = false
  #isClosed = false
  readonly #connected = Promise.withResolvers<void>()
  /** When the connection is too old for another request, by `performance.now()`. */
  staleAtMs = 0

  constructor(open: OpenSocket, host: string, times: ConnectionTimes, owner: ConnectionOwner) {
    this.#host = host
    this.#owner = owner
    this.#idleMs = times.idleMs
    this.#socket = open((bytes, length) => this.#read(bytes, length))
    this.#socket.setTimeout(times.connectMs)
    this.#socket.on('timeout', () => this.#onSilence())
    this.#socket.on('error', (error) => this.#close(error))
    this.#socket.on('end', () => this.#ended())
    this.#socket.on('close', () =>
      this.#close(
        new AppError(
          'upstream_error',
          'The connection closed before the response was complete. Nothing was charged.',
        ),
      ),
    )
  }

  /** Call when the connection is open; for TLS, when it is secure. */
  connected(): void {
    this.#socket.setTimeout(0)
    this.#connected.resolve()
  }

  get isUsable(): boolean {
    return (
      !this.#isClosed &&
      this.#exchange === null &&
      this.#socket.writable &&
      this.staleAtMs > performance.now()
    )
  }

  /** Sends a request. The exchange receives its response or error. */
  carry(exchange: ExchangeInProgress): void {
    const { request } = exchange
    const body = request.body ?? ''
    const bodyBytes = Buffer.byteLength(body)
    let head: string
    try {
      head = requestHead(request, this.#host, bodyBytes)
    } catch (error) {
      // Nothing was sent, so the connection can be reused.
      this.#release(this.#idleMs)
      exchange.fail(error as Error)
      return
    }
    this.#exchange = exchange
    exchange.carrier = this
    this.#reader.begin(request.method === 'HEAD')
    if (exchange.paused) this.#socket.pause()
    if (request.beforeBytes === undefined) this.#write(head, body, bodyBytes)
    else
      void this.#writeAfter(request.beforeBytes, exchange, () => this.#write(head, body, bodyBytes))
  }

  async #writeAfter(
    beforeBytes: () => Promise<unknown>,
    exchange: ExchangeInProgress,
    write: () => void,
  ): Promise<void> {
    try {
      await this.#connected.promise
      await beforeBytes()
      if (this.#exchange === exchange) write()
    } catch (error) {
      if (this.#exchange === exchange) this.#close(error as Error)
    }
  }

  #write(head: string, body: string, bodyBytes: number): void {
    // One write is enough if each character is one byte.
    if (bodyBytes === body.length) {
      this.#socket.write(head + body, 'latin1')
      return
    }
    this.#socket.cork()
    this.#socket.write(head, 'latin1')
    this.#socket.write(body, 'utf8')
    this.#socket.uncork()
  }

  pause(): void {
    this.#socket.pause()
  }

  resume(): void {
    if (this.#hasBegun) this.#limitSilence()
    this.#socket.resume()
  }

  drop(reason: Error): void {
    this.#close(reason)
  }

  /** Call only while it carries no request. */
  close(): void {
    this.#close(null)
  }

  head(status: number, headers: Record<string, string | string[]>): void {
    const exchange = this.#exchange
    this.#hasBegun = true
    exchange?.handler.onResponseStart?.(exchange, status, headers)
  }

  data(chunk: Buffer): void {
    const exchange = this.#exchange
    exchange?.handler.onResponseData?.(exchange, chunk)
  }

  end(isReusable: boolean, keepAliveMs: number | undefined): void {
    const exchange = this.#exchange
    if (exchange === null) return
    this.#exchange = null
    exchange.carrier = null
    this.#hasBegun = false
    // A response may arrive before the whole request was sent. Its rest would corrupt the next
    // request.
    const wasSentWhole = this.#socket.writableLength === 0
    if (isReusable && wasSentWhole && !this.#isClosed) {
      if (exchange.paused) this.#socket.resume()
      if (this.#isTimed) this.#socket.setTimeout(0)
      this.#isTimed = false
      this.#release(
        Math.min(
          this.#idleMs,
          keepAliveMs === undefined ? Number.POSITIVE_INFINITY : keepAliveMs - ARRIVAL_MS,
        ),
      )
    } else this.#close(null)
    exchange.complete()
  }

  #limitSilence(): void {
    const limitMs = this.#exchange?.request.bodyTimeout ?? 0
    if (limitMs === 0) return
    this.#isTimed = true
    this.#socket.setTimeout(limitMs)
  }

  // While the caller pauses the response, silence is expected.
  #onSilence(): void {
    if (!this.#hasBegun || this.#exchange?.paused !== true)
      this.#close(new AppError('upstream_timeout'))
  }

  #release(idleMs: number): void {
    if (idleMs <= 0) {
      this.#close(null)
      return
    }
    this.staleAtMs = performance.now() + idleMs
    this.#owner.free(this)
  }

  #read(bytes: Buffer, length: number): void {
    if (this.#isClosed) return
    try {
      this.#reader.push(bytes, 0, length)
      // Most responses arrive in one piece and need no timer.
      if (this.#hasBegun && !this.#isTimed) this.#limitSilence()
    } catch (error) {
      this.#close(error as Error)
    }
  }

  #ended(): void {
    try {
      this.#reader.close()
    } catch (error) {
      this.#close(error as Error)
    }
    this.#close(null)
  }

  /** `error` is passed to the exchange in progress. */
  #close(error: Error | null): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#socket.destroy()
    const exchange = this.#exchange
    this.#exchange = null
    this.#owner.closed(this)
    if (error !== null) exchange?.fail(error)
  }
}
