import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { AppError } from '../../../../errors/app-error.ts'

/** Answers a request for a socket without one. */
export function reject(socket: Duplex, status: string, message: string): void {
  socket.end(
    `HTTP/1.1 ${status}\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(message)}\r\nconnection: close\r\n\r\n${message}`,
    // Otherwise the socket stays half open until the client closes it.
    () => socket.destroy(),
  )
}

/** Answers with the status, message and fix of an error. */
export function rejectError(socket: Duplex, error: unknown): void {
  const { spec, message, fix } = error instanceof AppError ? error : new AppError('internal')
  reject(socket, `${spec.status} ${STATUS_CODES[spec.status] ?? 'Error'}`, `${message} ${fix}`)
}
