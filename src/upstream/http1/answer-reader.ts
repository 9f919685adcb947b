import { FIELD_NAME, NOT_IN_A_VALUE } from '../../lib/http-fields.ts'
import { readAnswerHead, unreadableAnswer, type AnswerHead } from './answer-head.ts'

/** What a reader tells, in this order. `data` gets bytes of its own. `end`: whether the connection can carry another request. */
export type AnswerListener = {
  head(status: number, headers: AnswerHead['headers']): void
  data(chunk: Buffer): void
  end(canGoOn: boolean, keptForMs: number | undefined): void
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

/** Of an answer without its body: interim answers, head and trailers together. */
const MAX_HEAD_BYTES = 64 * 1024
const MAX_CHUNK_LINE_BYTES = 4 * 1024
const CR = 0x0d
const LF = 0x0a
const SEMICOLON = 0x3b
const NOTHING = Buffer.alloc(0)

/**
 * Reads the answers that come over one connection, one after the other, however their bytes are cut. Every method but
 * `begin` throws AppError upstream_error when what comes is not an answer; the connection is of no use then.
 * Memory: a head of at most 64 KiB that has not come whole; bodies are handed on as they come.
 */
export class AnswerReader {
  readonly #listener: AnswerListener
  #state: State = 'idle'
  #isHeadRequest = false
  /** The beginning of a line or head whose end has not come. */
  #kept: Buffer = NOTHING
  /** Bytes of the body, or of the present chunk, that are still to come. */
  #left = 0
  /** What came of interim answers, head and trailers so far. */
  #headBytes = 0
  #keepsAlive = false
  #keptForMs: number | undefined

  constructor(listener: AnswerListener) {
    this.#listener = listener
  }

  /** A request was sent: its answer comes next. */
  begin(isHeadRequest: boolean): void {
    this.#state = 'head'
    this.#isHeadRequest = isHeadRequest
    this.#headBytes = 0
  }

  /** Takes the bytes from `start` to `end`, which are the caller's again when this returns. */
  push(bytes: Buffer, start: number, end: number): void {
    if (this.#kept.length === 0) {
      this.#read(bytes, start, end)
      return
    }
    const whole = Buffer.concat([this.#kept, bytes.subarray(start, end)])
    this.#kept = NOTHING
    this.#read(whole, 0, whole.length)
  }

  /** The connection was closed by the other side. */
  close(): void {
    if (this.#state === 'idle') return
    if (this.#state !== 'until close')
      throw unreadableAnswer('the connection closed before its end')
    this.#finish(true)
  }

  #read(bytes: Buffer, start: number, end: number): void {
    for (let at = start; at < end;) {
      const next = this.#step(bytes, at, end)
      if (next === -1) {
        this.#keep(bytes, at, end)
        return
      }
      at = next
    }
  }

  /** Reads one part of an answer and tells where the next begins; -1 when it is not there whole. */
  #step(bytes: Buffer, at: number, end: number): number {
    switch (this.#state) {
      case 'idle':
        throw unreadableAnswer('more came than was asked for')
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

  #keep(bytes: Buffer, at: number, end: number): void {
    const limit =
      this.#state === 'head' || this.#state === 'trailers' ? MAX_HEAD_BYTES : MAX_CHUNK_LINE_BYTES
    if (end - at > limit) throw unreadableAnswer('its head is too long')
    this.#kept = Buffer.from(bytes.subarray(at, end))
  }

  #readHead(bytes: Buffer, at: number, end: number): number {
    const last = bytes.indexOf('\r\n\r\n', at, 'latin1')
    if (last === -1 || last + 4 > end) return -1
    this.#countHead(last + 4 - at)
    const { status, headers, body, keepsAlive, keptForMs } = readAnswerHead(
      bytes.toString('latin1', at, last),
      this.#isHeadRequest,
    )
    const next = last + 4
    if (status === 101) throw unreadableAnswer('it changes the protocol')
    // An interim answer: the real one follows.
    if (status < 200) return next
    this.#keepsAlive = keepsAlive
    this.#keptForMs = keptForMs
    this.#left = typeof body === 'number' ? body : 0
    this.#state =
      body === 'chunked' ? 'chunk size' : body === 'until close' ? 'until close' : 'counted'
    this.#listener.head(status, headers)
    if (body === 0) this.#finish(next === end)
    return next
  }

  #readBody(bytes: Buffer, at: number, end: number): number {
    const stop = this.#state === 'until close' ? end : Math.min(end, at + this.#left)
    // A copy: what it came in is read into again.
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
      throw unreadableAnswer('a chunk has no size')
    // What is said about the chunk is nobody's, but must be one line for every reader.
    if (place < lineEnd && NOT_IN_A_VALUE.test(bytes.toString('latin1', place, lineEnd)))
      throw unreadableAnswer('a chunk has control characters beside its size')
    this.#left = size
    this.#state = size === 0 ? 'trailers' : 'chunk'
    return lineEnd + 2
  }

  #readChunkEnd(bytes: Buffer, at: number, end: number): number {
    if (end - at < 2) return -1
    if (bytes[at] !== CR || bytes[at + 1] !== LF)
      throw unreadableAnswer('a chunk is longer than its size')
    this.#state = 'chunk size'
    return at + 2
  }

  // Nobody asks for trailers; they are passed over up to the empty line.
  #readTrailer(bytes: Buffer, at: number, end: number): number {
    const lineEnd = endOfLine(bytes, at, end)
    if (lineEnd === -1) return -1
    this.#countHead(lineEnd + 2 - at)
    if (lineEnd === at) this.#finish(lineEnd + 2 === end)
    else if (!isField(bytes.toString('latin1', at, lineEnd)))
      throw unreadableAnswer('a line of its trailers is not a header')
    return lineEnd + 2
  }

  #countHead(bytes: number): void {
    this.#headBytes += bytes
    if (this.#headBytes > MAX_HEAD_BYTES) throw unreadableAnswer('its head is too long')
  }

  /** `nothingFollows`: no byte came after the answer. */
  #finish(nothingFollows: boolean): void {
    this.#state = 'idle'
    this.#listener.end(this.#keepsAlive && nothingFollows, this.#keptForMs)
  }
}

/** Where a line's CR stands; -1 when its end has not come. */
function endOfLine(bytes: Buffer, at: number, end: number): number {
  const feed = bytes.indexOf(LF, at)
  if (feed === -1 || feed >= end) return -1
  if (feed === at || bytes[feed - 1] !== CR)
    throw unreadableAnswer('a line does not end with CR LF')
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
  throw unreadableAnswer('a chunk has no size')
}
