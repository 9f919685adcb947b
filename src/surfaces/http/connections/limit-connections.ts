import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../../errors/app-error.ts'
import type { OpenConnections } from './close-on-stop.ts'

const RETRY_AFTER_SECONDS = 1
// Of those who come when there is no room: one in eight more is still told so, and beyond that they are cut off.
const TOLD_SHARE = 8
/** So many give way to a newcomer: a flood of connections that say nothing is closed faster than it comes. */
const GIVING_WAY = 16
// A flood would otherwise fill the log too.
const LOG_EVERY_MS = 60_000

/**
 * Serves at most `most` connections at once; what is over would take the files by which the database and vendors are
 * reached. Connections on which no whole request waits for its answer give way to a newcomer, idle and half-sent ones alike;
 * where there is none, it is told to come again.
 */
export function limitConnections(
  app: FastifyInstance,
  { most, connections }: { readonly most: number; readonly connections: OpenConnections },
): void {
  const { server } = app
  const beyond = new WeakSet<Socket>()
  let open = 0
  let loggedMs = Number.NEGATIVE_INFINITY

  function warn(): void {
    const nowMs = performance.now()
    if (nowMs - loggedMs < LOG_EVERY_MS) return
    loggedMs = nowMs
    app.log.warn(
      { connections: most },
      'As many connections are open as there may be; who comes now is sent away. Half of the files that the process may open (ulimit -n) is the limit: bound them at the proxy, or raise it.',
    )
  }

  server.maxConnections = most + Math.ceil(most / TOLD_SHARE)
  server.on('drop', () => {
    connections.closeUnused(GIVING_WAY)
    warn()
  })
  server.on('connection', (socket: Socket) => {
    open += 1
    socket.once('close', () => (open -= 1))
    if (open <= most) return
    if (connections.closeUnused(GIVING_WAY, socket) > 0) return
    beyond.add(socket)
    warn()
  })
  app.addHook('onRequest', (request, reply, done) => {
    if (!beyond.has(request.raw.socket)) return done()
    reply.header('connection', 'close')
    done(new AppError('overloaded', undefined, { retryAfterSeconds: RETRY_AFTER_SECONDS }))
  })
}
