import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../errors/app-error.ts'
import type { DirectService } from './direct/serve-directly.ts'

const RETRY_AFTER_SECONDS = 1
// Of those who come when there is no room: one in eight more is still told so, and beyond that they are cut off.
const TOLD_SHARE = 8
// A flood would otherwise fill the log too.
const LOG_EVERY_MS = 60_000

/**
 * Serves at most `most` connections at once; what is over would take the files by which the database and vendors are
 * reached. Whoever comes then is told to come again, and connections on which nothing goes on give way.
 */
export function boundConnections(app: FastifyInstance, { most, direct }: { readonly most: number; readonly direct: DirectService }): void {
  const { server } = app
  const beyond = new WeakSet<Socket>()
  let open = 0
  let loggedMs = Number.NEGATIVE_INFINITY

  function makeRoom(): void {
    server.closeIdleConnections()
    direct.closeIdle()
    const nowMs = performance.now()
    if (nowMs - loggedMs < LOG_EVERY_MS) return
    loggedMs = nowMs
    app.log.warn({ connections: most }, 'As many connections are open as there may be; who comes now is sent away. Half of the files that the process may open (ulimit -n) is the limit: bound them at the proxy, or raise it.')
  }

  server.maxConnections = most + Math.ceil(most / TOLD_SHARE)
  server.on('drop', makeRoom)
  server.on('connection', (socket: Socket) => {
    open += 1
    socket.once('close', () => (open -= 1))
    if (open <= most) return
    beyond.add(socket)
    makeRoom()
  })
  app.addHook('onRequest', (request, reply, done) => {
    if (!beyond.has(request.raw.socket)) return done()
    reply.header('connection', 'close')
    done(new AppError('overloaded', undefined, { retryAfterSeconds: RETRY_AFTER_SECONDS }))
  })
}
