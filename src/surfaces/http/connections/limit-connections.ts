import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../../errors/app-error.ts'
import type { Guard } from '../route-objects.ts'
import type { OpenConnections } from './close-on-stop.ts'

const RETRY_AFTER_SECONDS = 1
// Above the limit, one eighth more connections get an error response; further ones are closed unanswered.
const ANSWERED_SHARE = 8
/** Unused connections closed for each new one, so that a flood of silent connections is closed faster than it grows. */
const CLOSED_PER_NEWCOMER = 16
// Keeps a flood from filling the log.
const LOG_EVERY_MS = 60_000

/**
 * Creates a guard that serves at most `most` connections, because more would exhaust the file
 * descriptors for the database and vendors. A new connection replaces those without a complete request, whether idle or partly sent.
 * Without one, it gets 503 with Retry-After.
 */
export function limitConnections(
  app: FastifyInstance,
  { most, connections }: { readonly most: number; readonly connections: OpenConnections },
): Guard {
  const { server } = app
  const excess = new WeakSet<Socket>()
  const mostAnswered = most + Math.ceil(most / ANSWERED_SHARE)
  let open = 0
  let loggedMs = Number.NEGATIVE_INFINITY

  function warn(): void {
    const nowMs = performance.now()
    if (nowMs - loggedMs < LOG_EVERY_MS) return
    loggedMs = nowMs
    app.log.warn(
      { connections: most },
      'connection limit reached: new connections get 503. The limit is half of ulimit -n. Limit connections at the proxy, or raise it.',
    )
  }

  server.on('connection', (socket: Socket) => {
    open += 1
    socket.once('close', () => (open -= 1))
    if (open <= most) return
    const closed = connections.closeUnused(CLOSED_PER_NEWCOMER, socket)
    if (open > mostAnswered) socket.destroy()
    else if (closed > 0) return
    else excess.add(socket)
    warn()
  })
  return (request, reply, done) => {
    if (!excess.has(request.raw.socket)) return done()
    reply.header('connection', 'close')
    done(new AppError('overloaded', undefined, { retryAfterSeconds: RETRY_AFTER_SECONDS }))
  }
}
