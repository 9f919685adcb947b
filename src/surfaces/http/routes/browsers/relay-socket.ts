import { STATUS_CODES, type IncomingMessage } from 'node:http'
import { pipeline, type Duplex } from 'node:stream'
import { isNotListening, openRequest, readText } from '../../../../resources/boxes/relay.ts'
import { reject } from './reject-socket.ts'

const ENDED = 'The session has ended with its process.'

/**
 * Connects a client with the process that runs its session: bytes pass unchanged, and a slow side pauses the
 * other one. Rejects with the error of the system.
 */
export async function relaySocket(
  path: string,
  { url, headers }: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): Promise<void> {
  const reply = await openRequest(path, { method: 'GET', path: url, headers }).catch(
    (error: unknown) => {
      if (isNotListening(error)) return null
      throw error
    },
  )
  if (reply === null) return reject(socket, '404 Not Found', ENDED)
  const { response, upgraded } = reply
  const { statusCode = 502, rawHeaders } = response
  if (upgraded === null)
    return reject(
      socket,
      `${statusCode} ${STATUS_CODES[statusCode] ?? ''}`,
      await readText(response),
    )
  const lines = rawHeaders.flatMap((name, at) =>
    at % 2 === 0 ? [`${name}: ${rawHeaders[at + 1] ?? ''}\r\n`] : [],
  )
  socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`)
  socket.write(upgraded.head)
  upgraded.socket.write(head)
  const end = (): void => {
    socket.destroy()
    upgraded.socket.destroy()
  }
  pipeline(socket, upgraded.socket, end)
  pipeline(upgraded.socket, socket, end)
  if (socket.destroyed) end()
}
