import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { AppError } from '../../../errors/app-error.ts'
import type { Clock } from '../../../lib/clock.ts'
import { newId, publicId } from '../../../lib/ids.ts'
import { NO_SNIFFING } from '../guards/forbid-sniffing.ts'
import { envelopeOf } from '../render-error.ts'

/**
 * Answers what never became a request, because it came too slowly, was too large or is not HTTP, in the form of every
 * other error. Requests on `slowUploads` connections may come slowly; their route watches them itself.
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
    // Whoever reset the connection hears nothing any more.
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
  return new AppError('bad_request', 'This is not a well-formed HTTP/1.1 request.', {
    fix: 'Send it with an HTTP library, or check its first line, headers and Content-Length.',
  })
}
