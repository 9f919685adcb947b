import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import Fastify, { type FastifyReply } from 'fastify'
import { cleanUp } from '../../../../test/harness/clean-up.ts'
import { serveDirectly } from '../direct/serve-directly.ts'
import { createCallStarts } from '../direct/call-starts.ts'
import { CLIENT_LIMITS } from './client-limits.ts'
import { closeOnStop } from './close-on-stop.ts'
import { requireFreePort, SHARED_PORT, spreadConnections } from './spread-connections.ts'

const skip = process.platform === 'linux' ? false : 'only Linux spreads connections over sockets'
const HOST = '127.0.0.1'
const CALL = 'POST /run/a HTTP/1.1\r\nHost: gate\r\nContent-Length: 0\r\n\r\n'

/** A server whose responses wait for the test. */
async function openServer() {
  const waiting: FastifyReply[] = []
  const app = Fastify()
  app.post('/run/a', (_request, reply) => {
    waiting.push(reply)
    return reply
  })
  const load = { capacity: () => Number.POSITIVE_INFINITY, countRejection: () => {} }
  const direct = serveDirectly(app.server, {
    addresses: ['/run/'],
    now: Date.now,
    starts: createCallStarts({ load }),
    groupOf: () => '',
    limits: CLIENT_LIMITS,
  })
  closeOnStop(app, new WeakSet(), direct)
  spreadConnections(app)
  await app.listen({ host: HOST, port: 0, ...SHARED_PORT })
  const { port } = app.server.address() as AddressInfo
  const open = (): Socket => {
    const socket = connect({ host: HOST, port, noDelay: true })
    socket.on('error', () => socket.destroy())
    cleanUp(() => socket.destroy())
    return socket
  }
  return { app, port, waiting, open }
}

test(
  'many new connections are accepted within few iterations of the event loop',
  { skip },
  async () => {
    const { app, open } = await openServer()
    cleanUp(() => app.close())
    const accepted: Socket[] = []
    app.server.on('connection', (socket) => accepted.push(socket))
    for (let count = 0; count < 256; count += 1) open()
    let iterations = 0
    while (accepted.length < 256) {
      const before = accepted.length
      await turn()
      if (accepted.length > before) iterations += 1
    }
    assert.ok(iterations <= 64, `${iterations} iterations`)
  },
)

test('a stop waits for the calls of every connection, and closes all', { skip }, async () => {
  const { app, waiting, open } = await openServer()
  const sockets = Array.from({ length: 32 }, open)
  const received = sockets.map(async (socket) => {
    socket.write(CALL)
    const [bytes] = (await once(socket, 'data')) as [Buffer]
    return bytes.toString()
  })
  while (waiting.length < sockets.length) await turn()
  let isClosed = false
  const closed = app.close().then(() => (isClosed = true))
  while (app.server.listening) await turn()
  assert.equal(isClosed, false)
  for (const reply of waiting) void reply.send('done')
  for (const response of await Promise.all(received)) assert.match(response, /^HTTP\/1\.1 200 /)
  await closed
})

test('reports a port that a gateway with several sockets uses', { skip }, async () => {
  const { app, port } = await openServer()
  await assert.rejects(requireFreePort(HOST, port), { code: 'EADDRINUSE' })
  await app.close()
  await requireFreePort(HOST, port)
})
