import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { DirectService } from '../direct/serve-directly.ts'

const CHECK_MS = 50
// Unused connections and slow requests delay a stop no longer than this.
const GRACE_MS = 2_000
// Longer than any call and its settlement. Connections left then belong to clients that read nothing.
export const LONGEST_STOP_MS = 180_000

export type OpenConnections = {
  /** Closes up to `count` connections without a complete request, the oldest first, except `newcomer`. Returns their number. */
  closeUnused(count: number, newcomer?: Socket): number
}

/**
 * While the server stops, closes each connection as soon as no request on it awaits a response. A
 * request counts when it is complete, or while it arrives on a `slowUploads` connection.
 */
export function closeOnStop(
  app: FastifyInstance,
  slowUploads: WeakSet<Socket>,
  direct: DirectService,
): OpenConnections {
  const { server } = app
  const sockets = new Set<Socket>()
  const answers = new WeakMap<Socket, ServerResponse[]>()

  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('request', ({ socket }, response) => {
    const open = answers.get(socket)
    if (open === undefined) answers.set(socket, [response])
    // Only a client that pipelines has several.
    else if (open.length === 1 && isOver(open[0] as ServerResponse)) open[0] = response
    else answers.set(socket, [...open.filter((one) => !isOver(one)), response])
  })

  const isBusy = (socket: Socket): boolean =>
    slowUploads.has(socket) || (answers.get(socket) ?? []).some(isAwaited)

  function closeUnused(count: number, newcomer?: Socket): number {
    let closed = 0
    for (const socket of sockets) {
      if (closed === count) break
      if (socket === newcomer || socket.destroyed || isBusy(socket)) continue
      socket.destroy()
      closed += 1
    }
    return closed
  }

  function endIdle(stoppingMs: number): void {
    server.closeIdleConnections()
    direct.closeIdle()
    if (stoppingMs < GRACE_MS) return
    for (const socket of sockets) {
      if (stoppingMs > LONGEST_STOP_MS || !isBusy(socket)) socket.destroy()
    }
  }

  app.addHook('preClose', async () => {
    if (!server.listening) return
    const sinceMs = performance.now()
    const timer = setInterval(() => {
      endIdle(performance.now() - sinceMs)
      if (sockets.size === 0 && !server.listening) clearInterval(timer)
    }, CHECK_MS)
  })
  return { closeUnused }
}

function isOver(response: ServerResponse): boolean {
  return response.writableFinished || response.destroyed
}

function isAwaited(response: ServerResponse): boolean {
  return !isOver(response) && response.req.complete
}
