/** WebSocket connections to vendors. */
import { WebSocket } from 'ws'
import { AppError } from '../errors/app-error.ts'
import { ResponseTooLarge, type Incoming } from './exchange.ts'
import type { Opening } from './http1/open-socket.ts'
import type { Deadline } from '../lib/deadline.ts'
import { withSingleValues } from '../lib/http-fields.ts'

export type Message = string | Buffer

/**
 * The messages in order, each once; ends when the vendor closes the connection. Throws AppError if
 * the connection is lost, exceeds the deadline or exceeds the size limit.
 */
export type VendorSocket = AsyncIterable<Message> & {
  /**
   * The vendor's close code (RFC 6455, section 7.4) after the last message; 1005 if it sent none.
   */
  readonly closeCode: number | null
}

export type VendorSocketDeps = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Sent as soon as the connection is open. */
  readonly first: readonly Message[]
  readonly opening: Opening
  readonly deadline: Deadline
  readonly maxBytes: number
  /** Maps the error of a failed connection. */
  readonly explain: (error: unknown) => AppError
}

/** The limit for the body of a rejection, which is a short message. */
const MAX_REFUSAL_BYTES = 64 * 1024
/** How long the vendor may take to close the connection after its close frame. */
const CLOSE_MS = 1_000
/** Overhead counted for each message: even a short one uses memory. */
const MESSAGE_OVERHEAD_BYTES = 64
const SWITCHED = 101
const LOST = 1006
const DONE = 1000

/**
 * Resolves with the open connection, or with the response of a vendor that rejects it. Rejects with
 * the network's error, or AppError `upstream_timeout`.
 */
export function openVendorSocket(deps: VendorSocketDeps): Promise<OpenVendorSocket | Incoming> {
  const {
    url,
    headers,
    first,
    opening: { guard, ca },
    deadline,
    maxBytes,
  } = deps
  return new Promise((resolve, reject) => {
    const { protocol, hostname, port } = new URL(url)
    const lookup = guard?.(
      hostname.startsWith('[') ? hostname.slice(1, -1) : hostname,
      port === '' ? (protocol === 'wss:' ? 443 : 80) : Number(port),
    )
    const socket = new WebSocket(url, {
      headers,
      maxPayload: maxBytes,
      perMessageDeflate: false,
      followRedirects: false,
      autoPong: false,
      closeTimeout: CLOSE_MS,
      ...(lookup === undefined ? {} : { lookup }),
      ...(ca === undefined ? {} : { ca }),
    })
    const conversation = new OpenVendorSocket(socket, deps)
    const late = (): void => {
      reject(new AppError('upstream_timeout'))
      conversation.fail(new AppError('upstream_timeout'))
    }
    socket.on('open', () => {
      for (const message of first) socket.send(message)
      resolve(conversation)
    })
    socket.on('unexpected-response', (request, response) => {
      const status = response.statusCode ?? 0
      textOf(response)
        .then(
          (text) => resolve({ status, headers: withSingleValues(response.headers), text }),
          reject,
        )
        .finally(() => request.destroy())
    })
    socket.on('error', reject)
    socket.on('close', () => deadline.removeListener(late))
    deadline.onExpire(late)
  })
}

async function textOf(response: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response) {
    chunks.push(chunk)
    size += chunk.length
    if (size > MAX_REFUSAL_BYTES) break
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Memory: unread messages and one pong. Messages and pings together are limited to `maxBytes`. */
export class OpenVendorSocket implements VendorSocket {
  closeCode: number | null = null
  /** The reason if the connection failed. */
  failure: Error | null = null
  readonly #socket: WebSocket
  readonly #deps: VendorSocketDeps
  #received: Message[] = []
  #bytes = 0
  #isClosing = false
  #changed = Promise.withResolvers<void>()

  constructor(socket: WebSocket, deps: VendorSocketDeps) {
    this.#socket = socket
    this.#deps = deps
    socket.on('message', (bytes, isBinary) => this.#receive(bytes, isBinary))
    socket.on('ping', (bytes) => this.#answerPing(bytes))
    socket.on('pong', (bytes) => void this.#counts(bytes))
    socket.on('error', (error) => this.fail(error))
    socket.on('close', (code) => this.#closed(code))
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Message, void, undefined> {
    for (;;) {
      const received = this.#received
      this.#received = []
      yield* received
      if (this.#received.length > 0) continue
      if (this.failure !== null) throw this.#deps.explain(this.failure)
      if (this.closeCode !== null) return
      await this.#changed.promise
      this.#changed = Promise.withResolvers()
    }
  }

  /** Stops reading and closes the connection. */
  leave(): void {
    this.#isClosing = true
    this.#received = []
    this.#socket.close(DONE)
  }

  fail(error: Error): void {
    if (this.closeCode !== null || this.#isClosing) return
    // The library limits only single messages.
    this.failure ??=
      (error as NodeJS.ErrnoException).code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH'
        ? this.#tooMuch()
        : error
    this.#socket.terminate()
    this.#changed.resolve()
  }

  #receive(bytes: Buffer, isBinary: boolean): void {
    if (!this.#counts(bytes)) return
    this.#received.push(isBinary ? bytes : bytes.toString('utf8'))
    this.#changed.resolve()
  }

  /**
   * Skips a pong while the previous one is unsent: pings from a vendor that reads nothing would
   * fill the memory.
   */
  #answerPing(bytes: Buffer): void {
    if (this.#counts(bytes) && this.#socket.bufferedAmount === 0) this.#socket.pong(bytes)
  }

  /** Counts bytes toward the limit. False if the message is too late or exceeds the limit. */
  #counts(bytes: Buffer): boolean {
    if (this.#isClosing || this.failure !== null) return false
    this.#bytes += bytes.length + MESSAGE_OVERHEAD_BYTES
    if (this.#bytes > this.#deps.maxBytes) this.fail(this.#tooMuch())
    return this.failure === null
  }

  #tooMuch(): ResponseTooLarge {
    return new ResponseTooLarge(SWITCHED, this.#deps.maxBytes)
  }

  #closed(code: number): void {
    if (code === LOST) this.fail(new AppError('upstream_error'))
    else if (this.failure === null) this.closeCode = code
    this.#changed.resolve()
  }
}
