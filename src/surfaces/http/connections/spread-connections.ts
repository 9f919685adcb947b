import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Listening sockets in addition to the one of the server. */
const FURTHER_SOCKETS = 127

/** Listen options with which other sockets of this process can share the port. Linux only. */
export const SHARED_PORT =
  process.platform === 'linux' ? ({ reusePort: true } as const) : ({} as const)

/**
 * Opens further listening sockets on the port of an app that listens with `SHARED_PORT`. Call it
 * before the app is ready. Node.js accepts one connection per listening socket in an iteration of
 * the event loop (libuv 1.46 and later), so with one socket, new clients of a busy gateway would
 * wait for seconds. The kernel spreads connections over the sockets.
 */
export function spreadConnections(app: FastifyInstance, sockets = FURTHER_SOCKETS): void {
  const further: Server[] = []
  app.addHook('onListen', async () => {
    if (SHARED_PORT.reusePort === undefined) return
    const { address: host, port } = app.server.address() as AddressInfo
    const accept = (socket: Socket): void => void app.server.emit('connection', socket)
    for (let count = 0; count < sockets; count += 1) {
      // The options of Node's HTTP server.
      const server = createServer({ allowHalfOpen: true, noDelay: true }, accept)
      server.on('error', (err) => app.log.warn({ err }, 'a further listening socket failed'))
      further.push(server.listen({ host, port, ...SHARED_PORT }))
    }
  })
  let closed: Promise<unknown> = Promise.resolve()
  app.addHook('preClose', async () => {
    closed = Promise.all(further.map((server) => new Promise((done) => void server.close(done))))
  })
  // The app's own server does not count these connections.
  app.addHook('onClose', async () => void (await closed))
}

/** Rejects with EADDRINUSE if the port is taken, which a listener with `SHARED_PORT` would not notice. */
export async function requireFreePort(host: string, port: number): Promise<void> {
  if (port === 0 || SHARED_PORT.reusePort === undefined) return
  const probe = createServer().listen(port, host)
  await once(probe, 'listening')
  probe.close()
  await once(probe, 'close')
}
