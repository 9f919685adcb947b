/** A WebSocket to a vendor, with what came over it. */
import { WebSocket } from 'ws'
import { AppError } from '../errors/app-error.ts'
import { AnswerTooLarge, type Incoming } from './exchange.ts'
import type { Opening } from './http1/open-socket.ts'
import type { Deadline } from '../lib/deadline.ts'
import { withSingleValues } from '../lib/http-fields.ts'

export type Message = string | Buffer

/** Messages as they come, each once; they end when the vendor closes the connection. Throws AppError when that is lost, too late or says too much. */
export type Conversation = AsyncIterable<Message> & {
  /** What the vendor closed it with (RFC 6455, section 7.4), once the messages have ended; 1005 when it gave no code. */
  readonly closeCode: number | null
}

export type ConversationParts = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Said as soon as the connection stands. */
  readonly first: readonly Message[]
  readonly opening: Opening
  readonly deadline: Deadline
  readonly maxBytes: number
  /** What is thrown of a connection that failed. */
  readonly explain: (error: unknown) => AppError
}

/** Of a refusal, which says in a few words why. */
const MAX_REFUSAL_BYTES = 64 * 1024
/** A vendor that has said that it closes, and does not, is hung up on. */
const CLOSE_MS = 1_000
/** A message costs memory however short it is. */
const BYTES_BESIDE = 64
const SWITCHED = 101
const LOST = 1006
const DONE = 1000

/** Resolves with the open connection, or with the answer of a vendor that opens none. Rejects with the network's error, or AppError upstream_timeout. */
export function openConversation(parts: ConversationParts): Promise<OpenConversation | Incoming> {
  const {
    url,
    headers,
    first,
    opening: { guard, ca },
    deadline,
    maxBytes,
  } = parts
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
    const conversation = new OpenConversation(socket, parts)
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

/** Memory: what came and was not taken yet, and one answer to a ping; of messages and pings together no more than `maxBytes` ever come. */
export class OpenConversation implements Conversation {
  closeCode: number | null = null
  /** Why it was given up. */
  failure: Error | null = null
  readonly #socket: WebSocket
  readonly #parts: ConversationParts
  #heard: Message[] = []
  #bytes = 0
  #isLeft = false
  #news = Promise.withResolvers<void>()

  constructor(socket: WebSocket, parts: ConversationParts) {
    this.#socket = socket
    this.#parts = parts
    socket.on('message', (bytes, isBinary) => this.#hear(bytes, isBinary))
    socket.on('ping', (bytes) => this.#pinged(bytes))
    socket.on('pong', (bytes) => void this.#counts(bytes))
    socket.on('error', (error) => this.fail(error))
    socket.on('close', (code) => this.#closed(code))
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Message, void, undefined> {
    for (;;) {
      const heard = this.#heard
      this.#heard = []
      yield* heard
      if (this.#heard.length > 0) continue
      if (this.failure !== null) throw this.#parts.explain(this.failure)
      if (this.closeCode !== null) return
      await this.#news.promise
      this.#news = Promise.withResolvers()
    }
  }

  /** Nobody listens any more. */
  leave(): void {
    this.#isLeft = true
    this.#heard = []
    this.#socket.close(DONE)
  }

  fail(error: Error): void {
    if (this.closeCode !== null || this.#isLeft) return
    // The library's own limit is of a single message.
    this.failure ??=
      (error as NodeJS.ErrnoException).code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH'
        ? this.#tooMuch()
        : error
    this.#socket.terminate()
    this.#news.resolve()
  }

  #hear(bytes: Buffer, isBinary: boolean): void {
    if (!this.#counts(bytes)) return
    this.#heard.push(isBinary ? bytes : bytes.toString('utf8'))
    this.#news.resolve()
  }

  /** Who asks without end and reads no answer, which a machine can, gets no further one before it has read the last: they would fill the memory. */
  #pinged(bytes: Buffer): void {
    if (this.#counts(bytes) && this.#socket.bufferedAmount === 0) this.#socket.pong(bytes)
  }

  /** False for what comes too late to be heard, or is too much. */
  #counts(bytes: Buffer): boolean {
    if (this.#isLeft || this.failure !== null) return false
    this.#bytes += bytes.length + BYTES_BESIDE
    if (this.#bytes > this.#parts.maxBytes) this.fail(this.#tooMuch())
    return this.failure === null
  }

  #tooMuch(): AnswerTooLarge {
    return new AnswerTooLarge(SWITCHED, this.#parts.maxBytes)
  }

  #closed(code: number): void {
    if (code === LOST) this.fail(new AppError('upstream_error'))
    else if (this.failure === null) this.closeCode = code
    this.#news.resolve()
  }
}
