import type { Socket } from 'node:net'
import { AppError } from '../../errors/app-error.ts'
import { AnswerReader, type AnswerListener } from './answer-reader.ts'
import type { Carrier, ExchangeInProgress } from './exchange-in-progress.ts'
import { requestHead } from './request-text.ts'

/** Opens a socket that hands what it reads to `read`, in a buffer that is used again. */
export type OpenSocket = (read: (bytes: Buffer, length: number) => void) => Socket

export type ConnectionOwner = {
  /** The answer has ended and another request may follow. */
  free(connection: Connection): void
  closed(connection: Connection): void
}

export type ConnectionTimes = { readonly connectMs: number; readonly keptAliveMs: number }

// What the other side says of how long it waits is from its own view: a request takes a moment to arrive.
const ARRIVAL_MS = 1_000

/** A connection that carries one request at a time. */
export class Connection implements Carrier, AnswerListener {
  readonly #socket: Socket
  readonly #reader = new AnswerReader(this)
  readonly #owner: ConnectionOwner
  readonly #host: string
  readonly #keptAliveMs: number
  #exchange: ExchangeInProgress | null = null
  /** The head of the answer has come, and not its end. */
  #hasBegun = false
  /** Its silences are timed. */
  #isTimed = false
  #isClosed = false
  readonly #standing = Promise.withResolvers<void>()
  /** When it is too old to carry another request, by `performance.now()`. */
  staleAtMs = 0

  constructor(open: OpenSocket, host: string, times: ConnectionTimes, owner: ConnectionOwner) {
    this.#host = host
    this.#owner = owner
    this.#keptAliveMs = times.keptAliveMs
    this.#socket = open((bytes, length) => this.#read(bytes, length))
    this.#socket.setTimeout(times.connectMs)
    this.#socket.on('timeout', () => this.#fellSilent())
    this.#socket.on('error', (error) => this.#close(error))
    this.#socket.on('end', () => this.#ended())
    this.#socket.on('close', () =>
      this.#close(
        new AppError(
          'upstream_error',
          'The connection closed before the answer was complete. Nothing was charged.',
        ),
      ),
    )
  }

  /** To be called when the connection stands; for TLS, when it is secure. */
  connected(): void {
    this.#socket.setTimeout(0)
    this.#standing.resolve()
  }

  get isUsable(): boolean {
    return (
      !this.#isClosed &&
      this.#exchange === null &&
      this.#socket.writable &&
      this.staleAtMs > performance.now()
    )
  }

  /** Sends a request. Its answer, or what went wrong, is told to the exchange. */
  carry(exchange: ExchangeInProgress): void {
    const { request } = exchange
    const body = request.body ?? ''
    const bodyBytes = Buffer.byteLength(body)
    let head: string
    try {
      head = requestHead(request, this.#host, bodyBytes)
    } catch (error) {
      // Nothing was sent: the connection is as good as before.
      this.#release(this.#keptAliveMs)
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
      await this.#standing.promise
      await beforeBytes()
      if (this.#exchange === exchange) write()
    } catch (error) {
      if (this.#exchange === exchange) this.#close(error as Error)
    }
  }

  #write(head: string, body: string, bodyBytes: number): void {
    // In one piece, where each character is a byte.
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

  /** To be called while it carries nothing. */
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

  end(canGoOn: boolean, keptForMs: number | undefined): void {
    const exchange = this.#exchange
    if (exchange === null) return
    this.#exchange = null
    exchange.carrier = null
    this.#hasBegun = false
    // An answer may come before all of the request has gone out; what is left would be in the way of the next one.
    const wasSentWhole = this.#socket.writableLength === 0
    if (canGoOn && wasSentWhole && !this.#isClosed) {
      if (exchange.paused) this.#socket.resume()
      if (this.#isTimed) this.#socket.setTimeout(0)
      this.#isTimed = false
      this.#release(
        Math.min(
          this.#keptAliveMs,
          keptForMs === undefined ? Number.POSITIVE_INFINITY : keptForMs - ARRIVAL_MS,
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

  // While the caller asks for nothing more of an answer, silence is what it wants.
  #fellSilent(): void {
    if (!this.#hasBegun || this.#exchange?.paused !== true)
      this.#close(new AppError('upstream_timeout'))
  }

  #release(keptMs: number): void {
    if (keptMs <= 0) {
      this.#close(null)
      return
    }
    this.staleAtMs = performance.now() + keptMs
    this.#owner.free(this)
  }

  #read(bytes: Buffer, length: number): void {
    if (this.#isClosed) return
    try {
      this.#reader.push(bytes, 0, length)
      // Most answers come in one piece, and need no timer.
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

  /** `error`: what an exchange that is still open is told. */
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
