import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { test } from 'node:test'
import Fastify from 'fastify'
import { cleanUp } from '../../../../../test/harness/clean-up.ts'
import { renderError } from '../../render-error.ts'
import { sendDocument, storeDocument, TEXT_TYPE } from './documents.ts'

const LARGE = 'a large document. '.repeat(50_000)
const GET = 'GET /large HTTP/1.1\r\nHost: gate\r\n\r\n'

async function openServer() {
  const document = storeDocument(LARGE, TEXT_TYPE)
  const app = Fastify()
  app.setErrorHandler(renderError)
  const sent = { documents: 0 }
  app.addHook('onSend', async () => void (sent.documents += 1))
  app.get('/large', (request, reply) => sendDocument(request, reply, document))
  await app.listen({ port: 0, host: '127.0.0.1' })
  const sockets: Socket[] = []
  cleanUp(async () => {
    for (const socket of sockets) socket.destroy()
    await app.close()
  })
  return {
    sent,
    /** Pipelines `count` requests over one connection; `ends` counts the responses. */
    async pipeline(count: number) {
      const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
      sockets.push(socket)
      await once(socket, 'connect')
      const got = { bytes: 0, statuses: [] as string[] }
      socket.on('data', (bytes: Buffer) => {
        got.bytes += bytes.length
        got.statuses.push(...(bytes.toString('latin1').match(/HTTP\/1\.1 \d{3}/g) ?? []))
      })
      socket.write(GET.repeat(count))
      return { socket, got }
    },
  }
}

test('sends one large document per turn of the event loop', async () => {
  const { sent, pipeline } = await openServer()
  await Promise.all(Array.from({ length: 20 }, () => pipeline(2)))
  let before = sent.documents
  while (sent.documents < 40) {
    await turn()
    assert.ok(sent.documents - before <= 2, `${sent.documents - before} within two turns`)
    before = sent.documents
  }
})

test('sends the next document to a client only after it has read the previous one', async () => {
  const { sent, pipeline } = await openServer()
  const { socket, got } = await pipeline(60)
  socket.pause()
  const other = await pipeline(1)
  while (other.got.bytes < LARGE.length) await turn()
  assert.ok(sent.documents < 30, `${sent.documents} sent to a client that does not read`)
  socket.resume()
  while (got.bytes < 60 * LARGE.length) await turn()
  assert.equal(got.statuses.filter((status) => status.endsWith('200')).length, 60)
})

test('rejects a client that already waits for 64 documents', async () => {
  const { pipeline } = await openServer()
  const { got } = await pipeline(100)
  while (got.statuses.length < 100) await turn()
  const refused = got.statuses.filter((status) => status.endsWith('429')).length
  assert.ok(got.bytes < (100 - refused) * (LARGE.length + 1_000) + refused * 2_000)
  assert.ok(refused > 0 && refused <= 36, `${refused} refused`)
})
