import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { AppError } from '../../../errors/app-error.ts'
import type { Clock } from '../../../lib/clock.ts'
import { newId, publicId } from '../../../lib/ids.ts'
import { NO_SNIFFING } from '../guards/forbid-sniffing.ts'
import { envelopeOf } from '../render-error.ts'

/**
 * Answers requests that Node.js rejects, because they are too slow, too large or not HTTP, with an error
 * envelope. The routes of `slowUploads` connections enforce their own timeout.
 */
export function answerClientErrors(
  now: Clock,
  slowUploads: WeakSet<Socket>,
): (error: Error, socket: Socket) => void {
  return (error, socket) => {
    if (
      (error as NodeJS.ErrnoException).code === 'ERR_HTTP_REQUEST_TIMEOUT' &&
      slowUploads.has(socket)
    )
      return
    // A client that reset its connection cannot receive a response.
    if (socket.writable && (error as NodeJS.ErrnoException).code !== 'ECONNRESET')
      socket.write(answerTo(error, publicId('request', newId(now()))))
    socket.destroy()
  }
}

function answerTo(error: Error, requestId: string): string {
  const known = asAppError((error as NodeJS.ErrnoException).code)
  const { status } = known.spec
  const body = JSON.stringify(envelopeOf(known, requestId))
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n${NO_SNIFFING.name}: ${NO_SNIFFING.value}\r\nX-Request-Id: ${requestId}\r\nConnection: close\r\n\r\n${body}`
}

function asAppError(code: string | undefined): AppError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new AppError('request_timeout')
  if (code === 'HPE_HEADER_OVERFLOW') return new AppError('headers_too_large')
  return new AppError('bad_request', 'The request is not well-formed HTTP/1.1.', {
    fix: 'Use an HTTP library, or check the request line, headers and Content-Length.',
  })
}
