import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import { AppError } from '../../errors/app-error.ts'
import { GatheredBytes } from '../../lib/gathered-bytes.ts'
import { UnpackingHandler } from '../../upstream/unpacking-handler.ts'
import { CallerDisconnected } from './caller-line.ts'
import { chatWire } from '../stream/chat-wire.ts'
import type { Delivered } from '../stream/delivered.ts'
import type { EventReader } from '../stream/event-reader.ts'
import type { UpstreamWire } from '../wires/wire.ts'
import { EMPTY_LINE } from '../stream/read-event.ts'
import { headersFor, type ModelUpstream } from './upstream.ts'

/**
 * How an upstream started to respond: with a whole response, or with the first event of a stream.
 */
export type Opening =
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly headers: IncomingHttpHeaders
      readonly text: string
    }
  | { readonly kind: 'events' }

/**
 * Receives events once the caller is ready. `ended` is called once; its error is null if the
 * upstream completed the stream.
 */
export type EventSink = {
  readonly pass: (events: Buffer) => void
  readonly ended: (error: unknown) => void
}

export type CallTimes = { readonly firstByteMs: number; readonly idleMs: number }

const ACCEPTED = 200
const MAX_ANSWER_BYTES = 20 * 1024 * 1024
const MAX_STREAM_BYTES = 64 * 1024 * 1024
// The time from the end mark to the end of the response; usually both arrive together.
const LONGEST_LINGER_MS = 5_000

/**
 * One request to an upstream. Uses the dispatcher directly: a stream object would copy and delay
 * every event.
 */
export class UpstreamCall implements Dispatcher.DispatchHandler {
  readonly wire: UpstreamWire
  readonly filter: EventReader
  readonly delivered: Delivered
  readonly opened: Promise<Opening>
  readonly #opening = Promise.withResolvers<Opening>()
  readonly #wantsEvents: boolean
  readonly #firstByteTimer: NodeJS.Timeout
  #lingerTimer: NodeJS.Timeout | undefined
  #controller: Dispatcher.DispatchController | null = null
  #abortedBy: Error | null = null
  readonly #choices: number
  readonly #onComment: (() => void) | undefined
  #isLeft = false
  #status = 0
  #headers: IncomingHttpHeaders = {}
  /** Undefined until the first bytes show whether a requested stream is one. */
  #isEvents: boolean | undefined = false
  #size = 0
  readonly #whole = new GatheredBytes()
  /** Events that are not forwarded yet. */
  #waiting: Buffer[] = []
  #sink: EventSink | null = null
  #hasEnded = false
  #endError: unknown = null

  constructor(
    upstream: ModelUpstream,
    request: {
      readonly body: string
      readonly stream: boolean
      readonly choices: number
      readonly times: CallTimes
      /** Chat completions by default. */
      readonly wire?: UpstreamWire
      readonly headers?: Readonly<Record<string, string>>
      /** Called for comments of a stream before its first event. */
      readonly onComment?: (() => void) | undefined
    },
  ) {
    this.wire = request.wire ?? chatWire
    this.filter = this.wire.createReader()
    this.delivered = this.wire.createDelivered()
    this.opened = this.#opening.promise
    this.#wantsEvents = request.stream
    this.#choices = request.choices
    this.#onComment = request.onComment
    this.#firstByteTimer = setTimeout(
      () => this.abort(new AppError('upstream_timeout')),
      request.times.firstByteMs,
    )
    const headers = {
      accept: request.stream ? 'text/event-stream' : 'application/json',
      'content-type': 'application/json',
      ...headersFor(upstream, this.wire.name),
      ...request.headers,
    }
    const { origin, basePath } = upstream
    upstream.dispatcher.dispatch(
      {
        origin,
        path: `${basePath}${this.wire.path}`,
        method: 'POST',
        headers,
        body: request.body,
        headersTimeout: 0,
        bodyTimeout: request.times.idleMs,
      },
      new UnpackingHandler(this),
    )
  }

  /** Forwards the events from now on, starting with the buffered ones. */
  pipe(sink: EventSink): void {
    this.#sink = sink
    for (const events of this.#waiting.splice(0)) this.#pass(events)
    if (this.#hasEnded) sink.ended(this.#endError)
  }

  /** The upstream accepted the request, so the prompt may be charged from now on. */
  get isAccepted(): boolean {
    return this.#status === ACCEPTED
  }

  /** Every choice has its finish reason; only the usage is missing. */
  get isFinished(): boolean {
    return this.filter.finishedChoices >= this.#choices
  }

  /** The id under which an aggregator records the cost of the response. */
  get generationId(): unknown {
    const { id } = this.filter
    const recorded = this.#headers['x-generation-id']
    return this.wire.name === 'chat' ? (id ?? recorded) : (recorded ?? id)
  }

  pause(): void {
    this.#controller?.pause()
  }

  resume(): void {
    this.#controller?.resume()
  }

  /**
   * Cancels a stream whose caller disconnected, unless only its usage is missing. Waits for the
   * upstream's status, because only that shows whether the prompt is charged.
   */
  leave(): void {
    if (this.#status === 0) this.#isLeft = true
    else if (this.isAccepted && this.#isEvents !== false && !this.isFinished)
      this.abort(new CallerDisconnected())
  }

  /** Closes the connection immediately. */
  abort(reason: Error): void {
    if (this.#hasEnded) return
    this.#abortedBy ??= reason
    this.#controller?.abort(reason)
    this.#end(reason)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#abortedBy !== null) controller.abort(this.#abortedBy)
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    this.#status = status
    this.#headers = headers
    this.#isEvents = this.#wantsEvents && status === ACCEPTED ? undefined : false
    // Reads the bytes that arrived with the head first: they were generated, so they are charged.
    if (this.#isLeft) setImmediate(() => this.leave())
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#hasEnded) return
    this.#isEvents ??= areEvents(chunk)
    this.#size += chunk.length
    if (this.#size > (this.#isEvents ? MAX_STREAM_BYTES : MAX_ANSWER_BYTES))
      this.abort(
        new AppError(
          'upstream_error',
          'The upstream sent more than the largest possible response.',
        ),
      )
    else if (this.#isEvents) this.#takeEvents(chunk)
    else if (this.#isEvents === false) this.#whole.add(chunk)
  }

  onResponseEnd(): void {
    if (!this.#hasEnded && this.filter.isLastEventUnended) this.#takeEvents(EMPTY_LINE)
    clearTimeout(this.#lingerTimer)
    if (this.#isEvents === false && !this.#hasEnded)
      this.#opening.resolve({
        kind: 'answer',
        status: this.#status,
        headers: this.#headers,
        text: this.#whole.bytes.toString('utf8'),
      })
    this.#end(null)
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    clearTimeout(this.#lingerTimer)
    this.#end(error)
  }

  #takeEvents(chunk: Buffer): void {
    const { filter } = this
    const hadBegun = filter.first !== null
    const events = filter.push(chunk)
    if (events !== null) this.#pass(events)
    if (!hadBegun && (filter.first !== null || filter.isOver)) this.#open()
    else if (!hadBegun && isComment(chunk)) this.#onComment?.()
    // Ignores everything after the end mark and lets the connection end by itself, so that it can
    // be reused.
    if (filter.isOver) {
      this.#lingerTimer = setTimeout(
        () => this.#controller?.abort(new AppError('upstream_timeout')),
        LONGEST_LINGER_MS,
      ).unref()
      this.#end(null)
    }
    if (filter.error !== null) this.#controller?.abort(new AppError('upstream_error'))
  }

  #pass(events: Buffer): void {
    if (this.#sink === null) {
      this.#waiting.push(events)
      return
    }
    this.delivered.add(events)
    this.#sink.pass(events)
  }

  #open(): void {
    clearTimeout(this.#firstByteTimer)
    this.#opening.resolve({ kind: 'events' })
  }

  #end(error: unknown): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#endError = error
    clearTimeout(this.#firstByteTimer)
    if (this.#isEvents !== false && this.filter.first === null && error === null)
      this.#opening.resolve({ kind: 'events' })
    else this.#opening.reject(error)
    // Without this, a paused response would never end.
    this.#controller?.resume()
    this.#sink?.ended(error)
  }
}

/**
 * Detects a stream by its first bytes, because not every server sends a content type. Undefined for
 * white space only.
 */
function areEvents(start: Buffer): boolean | undefined {
  const text = start.toString('utf8').trimStart()
  return text === '' ? undefined : !text.startsWith('{')
}

/** Servers of other protocols also send status 200, such as with a page. */
function isComment(chunk: Buffer): boolean {
  return chunk.toString('latin1').trimStart().startsWith(':')
}
