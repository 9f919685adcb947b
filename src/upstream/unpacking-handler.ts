import type { IncomingHttpHeaders } from 'node:http'
import type { Transform } from 'node:stream'
import type { Dispatcher } from 'undici'
import { AppError } from '../errors/app-error.ts'
import { encodingsOf } from './content-encoding.ts'
import { KNOWN_ENCODING, lenientDecoder } from './lenient-decoder.ts'

/**
 * Hands a body on unpacked, piece by piece as it comes, where a server packs it although it was asked not to. Memory: what
 * comes packed waits while more than a few pieces are still to be unpacked, and nothing is unpacked while the handler
 * pauses. How much is too much is for the handler to say; what it aborts is unpacked no further.
 */
export class UnpackingHandler implements Dispatcher.DispatchHandler, Dispatcher.DispatchController {
  readonly #handler: Dispatcher.DispatchHandler
  #controller: Dispatcher.DispatchController | null = null
  #encoding: string | null = null
  #decoder: Transform | null = null
  #isOver = false
  paused = false

  constructor(handler: Dispatcher.DispatchHandler) {
    this.#handler = handler
  }

  get aborted(): boolean {
    return this.#controller?.aborted === true
  }

  get reason(): Error | null {
    return this.#controller?.reason ?? null
  }

  pause(): void {
    this.paused = true
    this.#decoder?.pause()
    this.#controller?.pause()
  }

  resume(): void {
    this.paused = false
    this.#decoder?.resume()
    this.#controller?.resume()
  }

  abort(reason: Error): void {
    this.#controller?.abort(reason)
    this.#fail(reason)
  }

  onRequestStart(controller: Dispatcher.DispatchController, context: unknown): void {
    this.#controller = controller
    this.#handler.onRequestStart?.(this, context)
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    this.#encoding = knownEncoding(headers)
    this.#handler.onResponseStart?.(this, status, headers)
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#encoding === null) {
      this.#handler.onResponseData?.(this, chunk)
      return
    }
    if (this.#isOver) return
    this.#decoder ??= this.#open(this.#encoding, chunk)
    if (!this.#decoder.write(chunk)) this.#controller?.pause()
  }

  onResponseEnd(_controller: Dispatcher.DispatchController, trailers: IncomingHttpHeaders): void {
    this.#end(() => this.#handler.onResponseEnd?.(this, trailers))
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    // What came before it was sent all the same.
    this.#end(() => this.#handler.onResponseError?.(this, error))
  }

  #open(encoding: string, start: Buffer): Transform {
    const decoder = lenientDecoder(encoding, start)
    decoder.on('data', (bytes: Buffer) => this.#handOn(bytes))
    decoder.on('drain', () => {
      if (!this.paused) this.#controller?.resume()
    })
    decoder.on('error', () =>
      this.abort(
        new AppError(
          'upstream_error',
          'The upstream’s answer could not be unpacked. Nothing was charged.',
        ),
      ),
    )
    if (this.paused) decoder.pause()
    return decoder
  }

  #handOn(bytes: Buffer): void {
    if (this.#isOver) return
    try {
      this.#handler.onResponseData?.(this, bytes)
    } catch (error) {
      // Thrown out of the decoder it would end the process.
      this.abort(error as Error)
    }
  }

  #end(tell: () => void): void {
    if (this.#isOver) return
    if (this.#decoder === null) {
      this.#isOver = true
      tell()
      return
    }
    this.#decoder.once('end', () => {
      if (this.#isOver) return
      this.#isOver = true
      tell()
    })
    this.#decoder.end()
  }

  #fail(reason: Error): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#decoder?.destroy()
    this.#handler.onResponseError?.(this, reason)
  }
}

/** Null for none, for one that nobody knows, and for several on top of each other: the body stays as it is. */
function knownEncoding(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): string | null {
  const [encoding, ...further] = encodingsOf(headers['content-encoding'])
  return encoding !== undefined && further.length === 0 && KNOWN_ENCODING.test(encoding)
    ? encoding
    : null
}
