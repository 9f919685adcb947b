import type { ServerResponse } from 'node:http'
import type { SimulatedReply } from './vendor.ts'

/** Writes an answer piece by piece with `paceMs` between them. Breaks the connection at `cutAtByte`. */
export function writePieces(
  response: ServerResponse,
  {
    status,
    contentType = 'text/event-stream',
    headers = {},
    paceMs,
    cutAtByte = Number.POSITIVE_INFINITY,
  }: SimulatedReply,
  pieces: readonly string[],
): void {
  response.writeHead(status, { 'content-type': contentType, ...headers })
  let sent = 0
  let next = 0
  let timer: NodeJS.Timeout | undefined

  const writeNext = (): void => {
    if (response.destroyed) return
    const piece = pieces[next]
    next += 1
    if (piece === undefined) {
      response.end()
      return
    }
    const bytes = Buffer.from(piece)
    if (sent + bytes.length >= cutAtByte) {
      response.write(bytes.subarray(0, cutAtByte - sent), () => response.destroy())
      return
    }
    sent += bytes.length
    response.write(bytes)
    if (paceMs === undefined) writeNext()
    else timer = setTimeout(writeNext, paceMs)
  }

  response.once('close', () => clearTimeout(timer))
  if (cutAtByte <= 0) response.flushHeaders()
  writeNext()
}
