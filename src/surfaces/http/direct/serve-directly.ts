import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Calls } from '../../../calls/call.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { ClientLimits } from '../connections/client-limits.ts'
import { newId, publicId } from '../../../lib/ids.ts'
import { DirectConnection, type ConnectionOwner } from './direct-connection.ts'
import { KEEP_ALIVE_SECONDS } from './direct-response.ts'
import { overloadAnswer } from './overload-answer.ts'

export type DirectService = {
  /** Closes the connections on which nothing is going on, after their first request. */
  closeIdle(): void
}

export type DirectDeps = {
  /** Beginnings of the paths that are served so. */
  readonly addresses: readonly string[]
  readonly now: Clock
  /** Whether a call that has come whole may begin; otherwise it is rejected here, before it costs anything. */
  readonly load: Pick<Calls['ledger']['load'], 'admits' | 'isShedding'>
  /** Here a client has `headersMs` to begin, and `requestMs` for the rest. */
  readonly limits: ClientLimits
}

// How long the next call of a client waits after one was rejected for overload.
const PAUSE_MS = 500
const RESUME_EVERY_MS = 50

// What is sent right before the time is over may still be on its way.
const KEEP_ALIVE_MS = KEEP_ALIVE_SECONDS * 1000 + 1000

/**
 * Takes plain POST requests to some addresses from the socket itself: parsing and answering them with node:http costs as
 * much as all else that the gateway does for a call, bar sending. docs/decisions/0074 says why and how far. A connection
 * on which anything else comes is Node's HTTP server's from then on. Either way requests are the server's "request" events.
 */
export function serveDirectly(
  server: Server,
  { addresses, now, load, limits }: DirectDeps,
): DirectService {
  const connections = new Set<DirectConnection>()
  const paused = new Set<DirectConnection>()
  let resumer: NodeJS.Timeout | undefined
  const byNode = server.listeners('connection') as ((socket: Socket) => void)[]
  const dateOf = createDate(now)
  const owner: ConnectionOwner = {
    addresses,
    stalledMs: limits.stalledMs,
    date: dateOf,
    admits: () => load.admits(),
    rejection: (url) => overloadAnswer(url, publicId('request', newId(now())), dateOf()),
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
    paused(connection) {
      paused.add(connection)
      resumer ??= setInterval(resumeSome, RESUME_EVERY_MS).unref()
    },
    gaveUp: ({ socket }) => refuse(socket, 'HPE_INVALID_EOF_STATE'),
    closed(connection) {
      connections.delete(connection)
      paused.delete(connection)
    },
  }

  /** In the order in which they were rejected. When the overload is over, all of them. */
  function resumeSome(): void {
    const nowMs = performance.now()
    for (const connection of paused) {
      if (load.isShedding() && nowMs - connection.sinceMs < PAUSE_MS) break
      paused.delete(connection)
      connection.resume()
    }
    if (paused.size > 0) return
    clearInterval(resumer)
    resumer = undefined
  }

  function refuse(socket: Socket, code: string): void {
    server.emit(
      'clientError',
      Object.assign(new Error('The request did not come whole.'), { code }),
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
        refuse(socket, 'ERR_HTTP_REQUEST_TIMEOUT')
    }
  }

  server.removeAllListeners('connection')
  server.on('connection', (socket) => connections.add(new DirectConnection(socket, owner)))
  const timer = setInterval(dropLate, limits.checkEveryMs).unref()
  server.once('close', () => {
    clearInterval(timer)
    clearInterval(resumer)
  })

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
