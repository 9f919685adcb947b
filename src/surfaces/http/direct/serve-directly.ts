import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Clock } from '../../../lib/clock.ts'
import type { ClientLimits } from '../app.ts'
import { DirectConnection, type ConnectionOwner } from './direct-connection.ts'
import { KEEP_ALIVE_SECONDS } from './direct-response.ts'

export type DirectService = {
  /** Closes the connections on which nothing is going on, after their first request. */
  closeIdle(): void
}

export type DirectSettings = {
  /** Beginnings of the paths that are served so. */
  readonly addresses: readonly string[]
  readonly now: Clock
  /** Here a client has `headersMs` to begin, and `requestMs` for the rest. */
  readonly limits: ClientLimits
}

// What is sent right before the time is over may still be on its way.
const KEEP_ALIVE_MS = KEEP_ALIVE_SECONDS * 1000 + 1000

/**
 * Takes plain POST requests to some addresses from the socket itself: parsing and answering them with node:http costs as
 * much as all else that the gateway does for a call, bar sending. docs/decisions/0074 says why and how far. A connection
 * on which anything else comes is Node's HTTP server's from then on. Either way requests are the server's "request" events.
 */
export function serveDirectly(server: Server, { addresses, now, limits }: DirectSettings): DirectService {
  const connections = new Set<DirectConnection>()
  const byNode = server.listeners('connection') as ((socket: Socket) => void)[]
  const dateOf = createDate(now)
  const owner: ConnectionOwner = {
    addresses,
    stalledMs: limits.stalledMs,
    date: dateOf,
    request: (request, response) => server.emit('request', request, response),
    handOver(connection, bytes) {
      const { socket } = connection
      connections.delete(connection)
      // Paused, so that nothing is read before the new listeners are there; they do not start a paused socket themselves.
      socket.pause()
      socket.unshift(bytes)
      for (const listener of byNode) listener.call(server, socket)
      socket.resume()
    },
    gaveUp: ({ socket }) => refuse(socket, 'HPE_INVALID_EOF_STATE'),
    closed: (connection) => connections.delete(connection),
  }

  function refuse(socket: Socket, code: string): void {
    server.emit('clientError', Object.assign(new Error('The request did not come whole.'), { code }), socket)
  }

  function dropLate(): void {
    const nowMs = performance.now()
    for (const { waitsFor, sinceMs, socket } of connections) {
      const waitedMs = nowMs - sinceMs
      if (waitsFor === 'next' && waitedMs > KEEP_ALIVE_MS) socket.destroy()
      else if ((waitsFor === 'first' && waitedMs > limits.headersMs) || (waitsFor === 'rest' && waitedMs > limits.requestMs)) refuse(socket, 'ERR_HTTP_REQUEST_TIMEOUT')
    }
  }

  server.removeAllListeners('connection')
  server.on('connection', (socket) => connections.add(new DirectConnection(socket, owner)))
  const timer = setInterval(dropLate, limits.checkEveryMs).unref()
  server.once('close', () => clearInterval(timer))

  return {
    closeIdle() {
      for (const { waitsFor, socket } of connections) if (waitsFor === 'next') socket.destroy()
    },
  }
}

/** The Date header's value, made once a second. */
function createDate(now: Clock): () => string {
  let second = Number.NaN
  let text = ''
  return () => {
    const present = Math.floor(now() / 1000)
    if (present !== second) {
      second = present
      text = new Date(present * 1000).toUTCString()
    }
    return text
  }
}
