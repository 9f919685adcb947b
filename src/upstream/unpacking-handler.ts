import type { IncomingHttpHeaders } from 'node:http'
import type { Transform } from 'node:stream'
import type { Dispatcher } from 'undici'
import { AppError } from '../errors/app-error.ts'
import { encodingsOf } from './content-encoding.ts'
import { KNOWN_ENCODING, lenientDecoder } from './lenient-decoder.ts'

/**
 * Decodes a compressed body chunk by chunk, for servers that compress unrequested. Memory: pauses
 * the connection while several chunks are undecoded, and stops decoding while the handler is
 * paused. The handler limits the size by aborting, which stops decoding.
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
    // First deliver the data received before the error.
    this.#end(() => this.#handler.onResponseError?.(this, error))
  }

  #open(encoding: string, start: Buffer): Transform {
    const decoder = lenientDecoder(encoding, start)
    decoder.on('data', (bytes: Buffer) => this.#forward(bytes))
    decoder.on('drain', () => {
      if (!this.paused) this.#controller?.resume()
    })
    decoder.on('error', () =>
      this.abort(
        new AppError(
          'upstream_error',
          'The upstream’s response could not be decompressed. Nothing was charged.',
        ),
      ),
    )
    if (this.paused) decoder.pause()
    return decoder
  }

  #forward(bytes: Buffer): void {
    if (this.#isOver) return
    try {
      this.#handler.onResponseData?.(this, bytes)
    } catch (error) {
      // An error thrown inside the decoder would end the process.
      this.abort(error as Error)
    }
  }

  #end(report: () => void): void {
    if (this.#isOver) return
    if (this.#decoder === null) {
      this.#isOver = true
      report()
      return
    }
    this.#decoder.once('end', () => {
      if (this.#isOver) return
      this.#isOver = true
      report()
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

/** Null for no encoding, an unknown one, or several: the body then stays as it is. */
function knownEncoding(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): string | null {
  const [encoding, ...further] = encodingsOf(headers['content-encoding'])
  return encoding !== undefined && further.length === 0 && KNOWN_ENCODING.test(encoding)
    ? encoding
    : null
}
