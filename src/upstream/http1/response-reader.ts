import { FIELD_NAME, NOT_IN_A_VALUE } from '../../lib/http-fields.ts'
import { readResponseHead, unreadableResponse, type ResponseHead } from './response-head.ts'

/**
 * Called in this order. `data` receives its own copy. `end`: whether the connection can carry
 * another request.
 */
export type ResponseListener = {
  head(status: number, headers: ResponseHead['headers']): void
  data(chunk: Buffer): void
  end(isReusable: boolean, keepAliveMs: number | undefined): void
}

type State =
  | 'idle'
  | 'head'
  | 'counted'
  | 'until close'
  | 'chunk size'
  | 'chunk'
  | 'chunk end'
  | 'trailers'

/** Limit of interim responses, head and trailers together. */
const MAX_HEAD_BYTES = 64 * 1024
const MAX_CHUNK_LINE_BYTES = 4 * 1024
const CR = 0x0d
const LF = 0x0a
const SEMICOLON = 0x3b
const NOTHING = Buffer.alloc(0)

/**
 * Parses the responses of one connection, one after another, with their bytes split anywhere. All
 * methods except `begin` throw AppError `upstream_error` for an invalid response; the connection
 * cannot be used then. Memory: an incomplete head of at most 64 KiB; bodies are passed on
 * immediately.
 */
export class ResponseReader {
  readonly #listener: ResponseListener
  #state: State = 'idle'
  #isHeadRequest = false
  /** The beginning of an incomplete line or head. */
  #partial: Buffer = NOTHING
  /** Remaining bytes of the body or of the current chunk. */
  #left = 0
  /** Bytes of interim responses, head and trailers so far. */
  #headBytes = 0
  #keepsAlive = false
  #keepAliveMs: number | undefined

  constructor(listener: ResponseListener) {
    this.#listener = listener
  }

  /** A request was sent: its response comes next. */
  begin(isHeadRequest: boolean): void {
    this.#state = 'head'
    this.#isHeadRequest = isHeadRequest
    this.#headBytes = 0
  }

  /** Parses the bytes from `start` to `end`. The caller may reuse the buffer afterwards. */
  push(bytes: Buffer, start: number, end: number): void {
    if (this.#partial.length === 0) {
      this.#read(bytes, start, end)
      return
    }
    const whole = Buffer.concat([this.#partial, bytes.subarray(start, end)])
    this.#partial = NOTHING
    this.#read(whole, 0, whole.length)
  }

  /** The other side closed the connection. */
  close(): void {
    if (this.#state === 'idle') return
    if (this.#state !== 'until close')
      throw unreadableResponse('the connection closed before its end')
    this.#finish(true)
  }

  #read(bytes: Buffer, start: number, end: number): void {
    for (let at = start; at < end;) {
      const next = this.#step(bytes, at, end)
      if (next === -1) {
        this.#keepPartial(bytes, at, end)
        return
      }
      at = next
    }
  }

  /**
   * Parses one part of a response. Returns the start of the next, or -1 if the part is incomplete.
   */
  #step(bytes: Buffer, at: number, end: number): number {
    switch (this.#state) {
      case 'idle':
        throw unreadableResponse('there are bytes after its end')
      case 'head':
        return this.#readHead(bytes, at, end)
      case 'counted':
      case 'until close':
      case 'chunk':
        return this.#readBody(bytes, at, end)
      case 'chunk size':
        return this.#readChunkSize(bytes, at, end)
      case 'chunk end':
        return this.#readChunkEnd(bytes, at, end)
      case 'trailers':
        return this.#readTrailer(bytes, at, end)
    }
  }

  #keepPartial(bytes: Buffer, at: number, end: number): void {
    const limit =
      this.#state === 'head' || this.#state === 'trailers' ? MAX_HEAD_BYTES : MAX_CHUNK_LINE_BYTES
    if (end - at > limit) throw unreadableResponse('its head is too long')
    this.#partial = Buffer.from(bytes.subarray(at, end))
  }

  #readHead(bytes: Buffer, at: number, end: number): number {
    const last = bytes.indexOf('\r\n\r\n', at, 'latin1')
    if (last === -1 || last + 4 > end) return -1
    this.#countHead(last + 4 - at)
    const { status, headers, body, keepsAlive, keepAliveMs } = readResponseHead(
      bytes.toString('latin1', at, last),
      this.#isHeadRequest,
    )
    const next = last + 4
    if (status === 101) throw unreadableResponse('it changes the protocol')
    // After an interim response, the final one follows.
    if (status < 200) return next
    this.#keepsAlive = keepsAlive
    this.#keepAliveMs = keepAliveMs
    this.#left = typeof body === 'number' ? body : 0
    this.#state =
      body === 'chunked' ? 'chunk size' : body === 'until close' ? 'until close' : 'counted'
    this.#listener.head(status, headers)
    if (body === 0) this.#finish(next === end)
    return next
  }

  #readBody(bytes: Buffer, at: number, end: number): number {
    const stop = this.#state === 'until close' ? end : Math.min(end, at + this.#left)
    // A copy, because the socket's buffer is reused.
    const chunk = Buffer.allocUnsafe(stop - at)
    bytes.copy(chunk, 0, at, stop)
    this.#listener.data(chunk)
    if (this.#state === 'until close') return stop
    this.#left -= stop - at
    if (this.#left > 0) return stop
    if (this.#state === 'chunk') this.#state = 'chunk end'
    else this.#finish(stop === end)
    return stop
  }

  #readChunkSize(bytes: Buffer, at: number, end: number): number {
    const lineEnd = endOfLine(bytes, at, end)
    if (lineEnd === -1) return -1
    let size = 0
    let place = at
    for (; place < lineEnd && bytes[place] !== SEMICOLON; place += 1)
      size = size * 16 + digitOf(bytes[place] ?? 0)
    if (place === at || size > Number.MAX_SAFE_INTEGER)
      throw unreadableResponse('a chunk has no size')
    // Chunk extensions are ignored, but must not contain line ends.
    if (place < lineEnd && NOT_IN_A_VALUE.test(bytes.toString('latin1', place, lineEnd)))
      throw unreadableResponse('a chunk has control characters after its size')
    this.#left = size
    this.#state = size === 0 ? 'trailers' : 'chunk'
    return lineEnd + 2
  }

  #readChunkEnd(bytes: Buffer, at: number, end: number): number {
    if (end - at < 2) return -1
    if (bytes[at] !== CR || bytes[at + 1] !== LF)
      throw unreadableResponse('a chunk is longer than its size')
    this.#state = 'chunk size'
    return at + 2
  }

  // Trailers are skipped up to the empty line.
  #readTrailer(bytes: Buffer, at: number, end: number): number {
    const lineEnd = endOfLine(bytes, at, end)
    if (lineEnd === -1) return -1
    this.#countHead(lineEnd + 2 - at)
    if (lineEnd === at) this.#finish(lineEnd + 2 === end)
    else if (!isField(bytes.toString('latin1', at, lineEnd)))
      throw unreadableResponse('a line of its trailers is not a header')
    return lineEnd + 2
  }

  #countHead(bytes: number): void {
    this.#headBytes += bytes
    if (this.#headBytes > MAX_HEAD_BYTES) throw unreadableResponse('its head is too long')
  }

  /** `nothingFollows`: no bytes came after the response. */
  #finish(nothingFollows: boolean): void {
    this.#state = 'idle'
    this.#listener.end(this.#keepsAlive && nothingFollows, this.#keepAliveMs)
  }
}

/** The position of the line's CR; -1 if the line is incomplete. */
function endOfLine(bytes: Buffer, at: number, end: number): number {
  const feed = bytes.indexOf(LF, at)
  if (feed === -1 || feed >= end) return -1
  if (feed === at || bytes[feed - 1] !== CR)
    throw unreadableResponse('a line does not end with CR LF')
  return feed - 1
}

function isField(line: string): boolean {
  const colon = Math.max(0, line.indexOf(':'))
  return FIELD_NAME.test(line.slice(0, colon)) && !NOT_IN_A_VALUE.test(line.slice(colon + 1))
}

function digitOf(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  if (letter >= 0x61 && letter <= 0x66) return letter - 0x57
  throw unreadableResponse('a chunk has no size')
}
