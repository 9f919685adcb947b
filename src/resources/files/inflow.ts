import { finished, type Readable } from 'node:stream'
import { AppError } from '../../errors/app-error.ts'

/** What may have come and wait to be written; beyond it the source is told to pause. */
const MOST_WAITING_BYTES = 1024 * 1024
// Of a sender of tiny pieces: each is an object of its own.
const MOST_WAITING_CHUNKS = 512

/** More bytes came than may come; nothing is kept. */
export class TooManyBytes extends Error {
  override readonly name = 'TooManyBytes'
}

export type Inflow = {
  /** Everything that came since the last time, once there is something; null after the last byte. Throws what ended the source early. */
  next(): Promise<readonly Buffer[] | null>
  /** Lets go of the source and leaves it as it is. */
  end(): void
}

/**
 * A source in large batches, with few turns for each: what comes while one is being written makes the next. Not a
 * pipeline, which would destroy the source: a request whose body is refused is still to be answered.
 */
export function createInflow(
  source: Readable,
  {
    maxBytes,
    signal,
    idleMs,
  }: { readonly maxBytes: number; readonly signal: AbortSignal; readonly idleMs: number },
): Inflow {
  let waiting: Buffer[] = []
  let waitingBytes = 0
  let sizeBytes = 0
  let end: { readonly error?: unknown } | null = null
  let wake: () => void = () => {}

  const timer = setTimeout(
    () =>
      finish({
        error: new AppError('request_timeout', `Nothing came for ${idleMs / 1000} seconds.`),
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
      // Whatever wakes it, there are chunks then or an end.
      if (end === null && waiting.length === 0)
        await new Promise<void>((resolve) => (wake = resolve))
      if (end !== null && 'error' in end) throw end.error
      if (waiting.length === 0) return null
      const batch = waiting
      waiting = []
      waitingBytes = 0
      // A sender that had to wait for the disk was not silent.
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
