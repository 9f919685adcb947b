import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { before, test } from 'node:test'
import Fastify, { type FastifyInstance } from 'fastify'
import { cleanUp } from '../../../../test/harness/clean-up.ts'
import { usedBytes } from '../../../../test/harness/used-memory.ts'
import { acceptJsonBodies } from './json-body.ts'
import { renderError } from '../render-error.ts'

const LIMIT_BYTES = 2_000_000
let app: FastifyInstance

before(async () => {
  app = Fastify({ bodyLimit: LIMIT_BYTES })
  app.setErrorHandler(renderError)
  app.decorateRequest('caller')
  acceptJsonBodies(app)
  app.post('/echo', async ({ body }) => ({ length: JSON.stringify(body ?? null).length }))
  await app.listen({ port: 0, host: '127.0.0.1' })
  cleanUp(() => app.close())
})

const chunked = (chunks: readonly string[]): string =>
  chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('')

/** Starts a chunked request without ending its body. */
function open(first: string) {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  cleanUp(() => socket.destroy())
  const answer = once(socket, 'data').then(([bytes]) => String(bytes))
  socket.write(
    `POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${first}`,
  )
  return { socket, answer }
}

test('stores a body in one-byte chunks in little more memory than its length', async () => {
  const count = 300_000
  const before = usedBytes()
  const came = new Promise<void>((all) => {
    app.server.once('request', (request: IncomingMessage) => {
      let bytes = 0
      request.on('data', (chunk: Buffer) => (bytes += chunk.length) === count && all())
    })
  })
  const { socket, answer } = open('')
  socket.write(chunked([...`"${'x'.repeat(count - 1)}`]))
  await came
  const grown = usedBytes() - before
  assert.ok(grown < 15_000_000, `${grown} bytes for ${count}`)
  socket.write(`${chunked(['"'])}0\r\n\r\n`)
  assert.match(await answer, new RegExp(`"length":${count + 1}`))
})

test('rejects a chunked body as soon as it exceeds the limit', async () => {
  const { answer } = open(chunked(['x'.repeat(LIMIT_BYTES), 'x']))
  assert.match(await answer, /^HTTP\/1\.1 413 [^]*"payload_too_large"/)
})
