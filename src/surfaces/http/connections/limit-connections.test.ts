import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { test } from 'node:test'
import Fastify from 'fastify'
import { pino } from 'pino'
import { cleanUp } from '../../../../test/harness/clean-up.ts'
import { limitConnections } from './limit-connections.ts'
import { createCallStarts } from '../direct/call-starts.ts'
import { serveDirectly } from '../direct/serve-directly.ts'
import { closeOnStop } from './close-on-stop.ts'
import { renderError } from '../render-error.ts'
import { serverOptions } from '../server-options.ts'

const NO_LOAD = { capacity: () => Number.POSITIVE_INFINITY, countRejection: () => {} }
const LIMITS = { headersMs: 60_000, requestMs: 60_000, checkEveryMs: 60_000, stalledMs: 60_000 }
const REQUESTS = [
  'POST /run/a HTTP/1.1\r\nHost: gate\r\nContent-Length: 0\r\n\r\n',
  'GET /pages HTTP/1.1\r\nHost: gate\r\n\r\n',
] as const

/** A server with a limit of two connections, one more that gets 503, and responses that wait for the test. */
async function openServer() {
  const logged: string[] = []
  const answers: (() => void)[] = []
  const app = Fastify(serverOptions(pino({}, { write: (line) => logged.push(line) }), Date.now))
  app.setErrorHandler(renderError)
  const direct = serveDirectly(app.server, {
    addresses: ['/run/'],
    now: Date.now,
    starts: createCallStarts({ load: NO_LOAD }),
    groupOf: () => '',
    limits: LIMITS,
  })
  const connections = closeOnStop(app, new WeakSet(), direct)
  app.addHook('onRequest', limitConnections(app, { most: 2, connections }))
  app.route({
    method: ['GET', 'POST'],
    url: '/*',
    handler: (_request, reply) => {
      answers.push(() => void reply.send('done'))
      app.server.emit('asked')
      return reply
    },
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  cleanUp(async () => {
    direct.closeIdle()
    await app.close()
  })
  const open = (): Socket => {
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
      .setEncoding('utf8')
      .on('error', () => socket.destroy())
    cleanUp(() => socket.destroy())
    return socket
  }
  return {
    logged,
    open,
    /** Opens a connection whose request waits for its response. */
    async ask(request: string) {
      const socket = open()
      const arrived = once(app.server, 'asked')
      socket.write(request)
      await arrived
      const answer = answers.at(-1) ?? assert.fail('not asked')
      return {
        socket,
        async answered() {
          const read = once(socket, 'data')
          answer()
          return ((await read) as [string])[0]
        },
      }
    },
  }
}

for (const request of REQUESTS) {
  test(`${request.slice(0, 11)}: gets 503 at the connection limit; open calls finish`, async () => {
    const { open, ask, logged } = await openServer()
    const openCalls = [await ask(REQUESTS[0]), await ask(REQUESTS[1])]
    for (let at = 0; at < 2; at += 1) {
      const late = open()
      late.write(request)
      const [refused] = (await once(late, 'data')) as [string]
      assert.match(refused, /^HTTP\/1\.1 503 [^]*retry-after: 1\r\n[^]*"code":"overloaded"/i)
      await once(late, 'close')
    }
    assert.equal(logged.filter((line) => line.includes('connection limit reached')).length, 1)
    for (const { answered } of openCalls) assert.match(await answered(), /^HTTP\/1.1 200 /)
  })
}

test('closes connections unanswered beyond the share that gets 503', async () => {
  const { open, ask } = await openServer()
  for (const request of REQUESTS) await ask(request)
  await once(open(), 'connect')
  const late = open()
  await once(late, 'close')
  assert.equal(late.bytesRead, 0)
})

test('closes idle connections for a new client', async () => {
  const { open, ask } = await openServer()
  const idle = [await ask(REQUESTS[0]), await ask(REQUESTS[1])]
  for (const { answered } of idle) await answered()
  const ended = idle.map(({ socket }) => once(socket, 'close'))
  open()
  await Promise.all(ended)
  assert.match(await (await ask(REQUESTS[0])).answered(), /^HTTP\/1.1 200 /)
})

for (const [state, sent] of [
  ['send nothing', ''],
  ['stop in their headers', 'POST /run/a HTTP/1.1\r\nHost:'],
  ['stop in their body', 'POST /run/a HTTP/1.1\r\nHost: gate\r\nContent-Length: 9\r\n\r\n{'],
  ['stop in the headers of a page', 'GET /pages HTTP/1.1\r\nHo'],
] as const) {
  test(`closes connections that ${state} for each new client, which is served`, async () => {
    const { open, ask } = await openServer()
    const opened = async (): Promise<void> => {
      const socket = open()
      if (sent !== '') socket.write(sent)
      await once(socket, 'connect')
    }
    await Promise.all([opened(), opened()])
    for (let at = 0; at < 4; at += 1) {
      await opened()
      const { answered, socket } = await ask(REQUESTS[at % 2] ?? REQUESTS[0])
      assert.match(await answered(), /^HTTP\/1.1 200 /)
      socket.destroy()
    }
  })
}
