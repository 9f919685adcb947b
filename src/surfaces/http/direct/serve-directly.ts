import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Clock } from '../../../lib/clock.ts'
import type { ClientLimits } from '../connections/client-limits.ts'
import { newId, publicId } from '../../../lib/ids.ts'
import { DirectConnection, type ConnectionOwner } from './direct-connection.ts'
import { KEEP_ALIVE_SECONDS } from './direct-response.ts'
import type { CallStarts } from './call-starts.ts'
import type { GroupOf } from './group-callers.ts'
import { renderOverload } from './render-overload.ts'

export type DirectService = {
  /** Closes idle connections that have served a request. */
  closeIdle(): void
}

export type DirectDeps = {
  /** Prefixes of the paths that are served directly. */
  readonly addresses: readonly string[]
  readonly now: Clock
  /** Decides when a complete call starts. Others wait, or are rejected before they cost anything. */
  readonly starts: CallStarts
  readonly groupOf: GroupOf
  /** A client has `headersMs` to start its first request, and `requestMs` for the rest of a request. */
  readonly limits: ClientLimits
}

// A request sent just before the timeout may still be in transit.
const KEEP_ALIVE_MS = KEEP_ALIVE_SECONDS * 1000 + 1000

/**
 * Serves plain POST requests to some addresses without node:http, whose parsing and rendering cost as
 * much as the rest of a call in the gateway (docs/decisions/0074). A connection with any other request
 * is passed to Node's HTTP server. Both emit the server's "request" event.
 */
export function serveDirectly(
  server: Server,
  { addresses, now, starts, groupOf, limits }: DirectDeps,
): DirectService {
  const connections = new Set<DirectConnection>()
  const byNode = server.listeners('connection') as ((socket: Socket) => void)[]
  const dateOf = createDate(now)
  const owner: ConnectionOwner = {
    addresses,
    stalledMs: limits.stalledMs,
    date: dateOf,
    starts,
    groupOf,
    rejection: (url) => renderOverload(url, publicId('request', newId(now())), dateOf()),
    request: (request, response) => server.emit('request', request, response),
    handOver(connection, bytes) {
      const { socket } = connection
      connections.delete(connection)
      // Paused until the new listeners are attached. They do not resume a paused socket themselves.
      socket.pause()
      socket.unshift(bytes)
      for (const listener of byNode) listener.call(server, socket)
      socket.resume()
    },
    requestAborted: ({ socket }) => reject(socket, 'HPE_INVALID_EOF_STATE'),
    closed(connection) {
      connections.delete(connection)
    },
  }

  function reject(socket: Socket, code: string): void {
    server.emit(
      'clientError',
      Object.assign(new Error('The request is incomplete.'), { code }),
      socket,
    )
  }

  function dropLate(): void {
    const nowMs = performance.now()
    for (const { waitsFor, sinceMs, socket } of connections) {
      const waitedMs = nowMs - sinceMs
      if (waitsFor === 'next' && waitedMs > KEEP_ALIVE_MS) socket.destroy()
      else if (
        (waitsFor === 'first' && waitedMs > limits.headersMs) ||
        (waitsFor === 'rest' && waitedMs > limits.requestMs)
      )
        reject(socket, 'ERR_HTTP_REQUEST_TIMEOUT')
    }
  }

  server.removeAllListeners('connection')
  server.on('connection', (socket) => connections.add(new DirectConnection(socket, owner)))
  const timer = setInterval(dropLate, limits.checkEveryMs).unref()
  server.once('close', () => {
    clearInterval(timer)
  })

  return {
    closeIdle() {
      // The application rejects these while it stops.
      starts.startAll()
      for (const { waitsFor, socket } of connections) if (waitsFor === 'next') socket.destroy()
    },
  }
}

/** Creates the value of the Date header once a second. */
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
