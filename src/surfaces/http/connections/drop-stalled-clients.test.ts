import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { test } from 'node:test'
import { cleanUp } from '../../../../test/harness/clean-up.ts'
import { dropStalledClients } from './drop-stalled-clients.ts'

/** Sends a request to a server that drops clients that read nothing for a millisecond. */
async function ask(answer: (response: ServerResponse) => void): Promise<Socket> {
  const server = createServer((_request, response) => answer(response))
  dropStalledClients(server, 1)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.on('error', () => socket.destroy())
  socket.write('GET / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n')
  cleanUp(() => {
    socket.destroy()
    server.close()
  })
  return socket
}

test('closes the connection of a client that reads nothing of a ready response', async () => {
  const closed = Promise.withResolvers<boolean>()
  await ask((response) =>
    response
      .once('close', () => closed.resolve(response.writableFinished))
      .end('x'.repeat(64 * 1024 * 1024)),
  )
  assert.equal(await closed.promise, false)
})

test('keeps the connection while the response is not ready', async () => {
  const socket = await ask((response) => response.once('timeout', () => response.end('late')))
  let received = ''
  for await (const bytes of socket.setEncoding('utf8')) received += String(bytes)
  assert.match(received, /late$/)
})
