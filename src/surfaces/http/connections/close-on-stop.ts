import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { DirectService } from '../direct/serve-directly.ts'

const CHECK_MS = 50
// A connection that was opened ahead of need, or a request that trickles in, may not hold up a stop for longer.
const UNBEGUN_MS = 2_000
// Beyond the time of any call and its settlement: what is left then is a reader that does not read.
export const LONGEST_STOP_MS = 180_000

export type OpenConnections = {
  /** Closes up to so many connections on which no whole request waits for its answer, those that were opened first before others; never the `newcomer`. Returns how many. */
  closeUnused(count: number, newcomer?: Socket): number
}

/**
 * While the server closes, ends each connection as soon as nothing on it is waiting for an answer. A request counts
 * once it has arrived whole, or while it arrives on an `slowUploads` connection.
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
    // One after the other, mostly; only a client that pipelines has several.
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
    if (stoppingMs < UNBEGUN_MS) return
    for (const socket of sockets) {
      if (stoppingMs > LONGEST_STOP_MS || !isBusy(socket)) socket.destroy()
    }
  }

  app.addHook('preClose', async () => {
    if (!server.listening) return
    const sinceMs = performance.now()
    const timer = setInterval(() => endIdle(performance.now() - sinceMs), CHECK_MS)
    server.once('close', () => clearInterval(timer))
  })
  return { closeUnused }
}

function isOver(response: ServerResponse): boolean {
  return response.writableFinished || response.destroyed
}

function isAwaited(response: ServerResponse): boolean {
  return !isOver(response) && response.req.complete
}
