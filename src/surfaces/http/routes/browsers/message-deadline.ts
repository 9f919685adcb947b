import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'

const TIMEOUT_MS = 30_000
/** The header of a ping or pong from a client. */
const CONTROL_HEADER_BYTES = 6

/** Disconnects a client whose message is unfinished for too long, because its frames occupy memory. */
export function limitMessageTime(
  socket: Pick<WebSocket, 'on' | 'terminate'>,
  raw: Pick<Duplex, 'prependListener'>,
): void {
  /** Bytes of an unfinished message. */
  let unfinished = 0
  let timer: NodeJS.Timeout | undefined
  const finished = (bytes: number): void => {
    unfinished = Math.max(0, unfinished - bytes)
    if (unfinished > 0) return
    clearTimeout(timer)
    timer = undefined
  }
  // Before the WebSocket's own listener, which emits the events below.
  raw.prependListener('data', (chunk: Buffer) => {
    unfinished += chunk.length
    timer ??= setTimeout(() => socket.terminate(), TIMEOUT_MS).unref()
  })
  socket.on('message', () => finished(unfinished))
  // Between the frames of a message, these do not extend its time.
  const control = (data: Buffer): void => finished(CONTROL_HEADER_BYTES + data.length)
  socket.on('ping', control)
  socket.on('pong', control)
  socket.on('close', () => finished(unfinished))
}
