import type { ServerResponse } from 'node:http'

/**
 * Calls the listener once when the client disconnects before it has the whole response; immediately
 * if it already has.
 */
export function onGone(raw: ServerResponse, listener: () => void): void {
  if (raw.writableFinished) return
  if (raw.destroyed) listener()
  else
    raw.once('close', () => {
      if (!raw.writableFinished) listener()
    })
}

/** Aborts when the client disconnects before it has the whole response. */
export function goneSignal(raw: ServerResponse): AbortSignal {
  const gone = new AbortController()
  onGone(raw, () => gone.abort())
  return gone.signal
}
