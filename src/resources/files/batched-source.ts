import { finished, type Readable } from 'node:stream'
import { AppError } from '../../errors/app-error.ts'

/** Received bytes that may wait to be written; beyond this limit the source is paused. */
const MOST_WAITING_BYTES = 1024 * 1024
// Limits tiny chunks, because each is an object.
const MOST_WAITING_CHUNKS = 512

/** More bytes arrived than allowed; nothing is stored. */
export class TooManyBytes extends Error {
  override readonly name = 'TooManyBytes'
}

export type BatchedSource = {
  /**
   * Everything received since the last call, as soon as there is something; null after the last
   * byte. Throws the error that ended the source early.
   */
  next(): Promise<readonly Buffer[] | null>
  /** Detaches from the source without destroying it. */
  end(): void
}

/**
 * Reads a source in large batches: bytes that arrive while one batch is written form the next. Not
 * a pipeline, because that would destroy the source: a request whose body is rejected still gets a
 * response.
 */
export function readInBatches(
  source: Readable,
  {
    maxBytes,
    signal,
    idleMs,
  }: { readonly maxBytes: number; readonly signal: AbortSignal; readonly idleMs: number },
): BatchedSource {
  let waiting: Buffer[] = []
  let waitingBytes = 0
  let sizeBytes = 0
  let end: { readonly error?: unknown } | null = null
  let wake: () => void = () => {}

  const timer = setTimeout(
    () =>
      finish({
        error: new AppError(
          'request_timeout',
          `No bytes were received for ${idleMs / 1000} seconds.`,
        ),
      }),
    idleMs,
  )
  const abort = (): void => finish({ error: signal.reason })
  signal.addEventListener('abort', abort, { once: true })
  const detach = finished(source, { writable: false }, (error) =>
    finish(error === null || error === undefined ? {} : { error }),
  )
  if (signal.aborted) abort()
  else source.on('data', take)

  function take(chunk: Buffer): void {
    timer.refresh()
    sizeBytes += chunk.length
    if (sizeBytes > maxBytes)
      return finish({ error: new TooManyBytes(`more than ${maxBytes} bytes`) })
    waiting.push(chunk)
    waitingBytes += chunk.length
    if (waitingBytes >= MOST_WAITING_BYTES || waiting.length >= MOST_WAITING_CHUNKS) source.pause()
    wake()
  }

  function finish(how: { readonly error?: unknown }): void {
    end ??= how
    source.off('data', take)
    if ('error' in how) source.pause()
    wake()
  }

  return {
    async next() {
      // Every wake-up means that there are chunks or an end.
      if (end === null && waiting.length === 0)
        await new Promise<void>((resolve) => (wake = resolve))
      if (end !== null && 'error' in end) throw end.error
      if (waiting.length === 0) return null
      const batch = waiting
      waiting = []
      waitingBytes = 0
      // Waiting for the disk does not count as silence of the sender.
      timer.refresh()
      if (source.isPaused()) source.resume()
      return batch
    },
    end() {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      detach()
      source.off('data', take)
      source.pause()
    },
  }
}
