import type { Socket } from 'node:net'
import { DirectRequest } from './direct-request.ts'
import { DirectResponse, type ResponseOwner } from './direct-response.ts'
import { readRequestHead, type RequestHead } from './read-request.ts'
import { RETRY_AFTER_SECONDS } from './render-overload.ts'
import type { CallStarts } from './call-starts.ts'
import type { GroupOf } from './group-callers.ts'
import type { WaitingCall } from './waiting-calls.ts'

export type ConnectionOwner = {
  /** Prefixes of the paths that are served directly. */
  readonly addresses: readonly string[]
  /** How long a client may read nothing of a ready response. */
  readonly stalledMs: number
  date(): string
  readonly starts: CallStarts
  readonly groupOf: GroupOf
  /** The whole response to a rejected call to this address. */
  rejection(url: string): string
  request(request: DirectRequest, response: DirectResponse): void
  /** Passes the connection to Node's HTTP server, which reads these bytes first. */
  handOver(connection: DirectConnection, bytes: Buffer): void
  /** The client ended the connection within a request. */
  requestAborted(connection: DirectConnection): void
  closed(connection: DirectConnection): void
}

/** The event that a connection waits for: its first request, the rest of one, capacity for it, a response, or the next request. */
export type Waiting = 'first' | 'rest' | 'capacity' | 'answer' | 'next'

type Unfinished = { readonly head: RequestHead; readonly bytes: Buffer; size: number }

// Limit for head and body, which are in memory before the key is checked.
const MOST_BYTES = 16 * 1024
const MOST_UNREAD_BYTES = 16 * 1024
const RETRY_AFTER_MS = RETRY_AFTER_SECONDS * 1000

/** A client connection: serves one request after another until one needs Node's HTTP server. Memory: one request and one read. */
export class DirectConnection implements ResponseOwner, WaitingCall {
  readonly socket: Socket
  readonly #owner: ConnectionOwner
  waitsFor: Waiting = 'first'
  /** By `performance.now()`. */
  sinceMs = performance.now()
  /** When its call arrived. */
  arrivedMs = 0
  #rejectedMs = Number.NEGATIVE_INFINITY
  #call: { readonly head: RequestHead; readonly whole: Buffer } | null = null
  #unfinished: Unfinished | null = null
  /** Bytes that arrived before the last request was answered. */
  #early: Buffer | null = null
  #response: DirectResponse | null = null
  /** The client closed its sending side. */
  #hasEnded = false

  constructor(socket: Socket, owner: ConnectionOwner) {
    this.socket = socket
    this.#owner = owner
    socket
      .on('data', this.#onData)
      .on('end', this.#onEnd)
      .on('error', this.#onError)
      .on('close', this.#onClose)
      .on('drain', this.#onDrain)
      .on('timeout', this.#onTimeout)
  }

  date(): string {
    return this.#owner.date()
  }

  unread(): void {
    this.socket.setTimeout(this.#owner.stalledMs)
  }

  finished(canGoOn: boolean): void {
    this.#response = null
    if (!canGoOn) {
      this.socket.destroySoon()
      return
    }
    this.#wait('next')
    if (this.#early !== null && !this.#hasEnded) this.#handOver(this.#early)
  }

  readonly #onData = (bytes: Buffer): void => {
    if (this.waitsFor === 'answer' || this.waitsFor === 'capacity') this.#hold(bytes)
    else if (this.#unfinished === null) this.#begin(bytes)
    else this.#append(this.#unfinished, bytes)
  }

  #begin(bytes: Buffer): void {
    const head = readRequestHead(bytes, this.#owner.addresses)
    const length = head === null ? 0 : head.headBytes + head.bodyBytes
    if (head === null || length > MOST_BYTES || bytes.length > length) {
      this.#handOver(bytes)
      return
    }
    if (bytes.length === length) {
      this.#answer(head, bytes)
      return
    }
    this.#wait('rest')
    this.#unfinished = { head, bytes: Buffer.allocUnsafeSlow(length), size: 0 }
    this.#append(this.#unfinished, bytes)
  }

  // Copies, because many small buffers take a multiple of the memory of their content.
  #append(unfinished: Unfinished, bytes: Buffer): void {
    const { head, bytes: whole, size } = unfinished
    if (size + bytes.length > whole.length) {
      this.#handOver(Buffer.concat([whole.subarray(0, size), bytes]))
      return
    }
    bytes.copy(whole, size)
    unfinished.size += bytes.length
    if (unfinished.size < whole.length) return
    this.#unfinished = null
    this.#answer(head, whole)
  }

  #answer(head: RequestHead, whole: Buffer): void {
    this.arrivedMs = performance.now()
    this.#call = { head, whole }
    const { starts } = this.#owner
    if (starts.admits(this.arrivedMs)) {
      this.start()
      return
    }
    this.#wait('capacity')
    starts.wait(this)
  }

  get group(): string {
    if (this.#call === null) return ''
    const { url, headers } = this.#call.head
    return this.#owner.groupOf({ url, headers, socket: this.socket })
  }

  get isEarly(): boolean {
    return this.arrivedMs - this.#rejectedMs < RETRY_AFTER_MS
  }

  get isWaiting(): boolean {
    return this.waitsFor === 'capacity' && !this.#hasEnded && !this.socket.destroyed
  }

  start(): void {
    if (this.#call === null) return
    const { head, whole } = this.#call
    this.#call = null
    this.#wait('answer')
    const request = new DirectRequest(
      this.socket,
      head,
      whole.subarray(head.headBytes),
      this.arrivedMs,
    )
    this.#response = new DirectResponse(request, this)
    this.#owner.request(request, this.#response)
  }

  /** Rejects its call for overload. A client that reads no responses is disconnected: they would fill the memory. */
  reject(): void {
    const url = this.#call?.head.url ?? ''
    this.#call = null
    if (this.socket.writableLength > MOST_UNREAD_BYTES) {
      this.socket.destroy()
      return
    }
    this.socket.write(this.#owner.rejection(url), 'latin1')
    this.#rejectedMs = performance.now()
    this.finished(true)
  }

  // For a client that pipelines.
  #hold(bytes: Buffer): void {
    this.#early = this.#early === null ? bytes : Buffer.concat([this.#early, bytes])
    this.socket.pause()
  }

  #wait(what: Waiting): void {
    this.waitsFor = what
    this.sinceMs = performance.now()
  }

  #handOver(bytes: Buffer): void {
    this.socket
      .off('data', this.#onData)
      .off('end', this.#onEnd)
      .off('error', this.#onError)
      .off('close', this.#onClose)
      .off('drain', this.#onDrain)
      .off('timeout', this.#onTimeout)
    this.socket.setTimeout(0)
    this.#owner.handOver(this, bytes)
  }

  // As in Node's HTTP server, a client that closes its sending side gets no further response.
  readonly #onEnd = (): void => {
    this.#hasEnded = true
    if (this.waitsFor === 'rest') this.#owner.requestAborted(this)
    else this.socket.end()
  }

  readonly #onError = (): void => {
    this.socket.destroy()
  }

  readonly #onClose = (): void => {
    this.#owner.closed(this)
    this.#response?.connectionClosed()
  }

  readonly #onTimeout = (): void => {
    if (this.socket.writableLength > 0) this.socket.destroy()
  }

  readonly #onDrain = (): void => {
    this.#response?.emit('drain')
  }
}
