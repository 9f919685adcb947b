import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:net'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import fastify from 'fastify'
import { cleanUp } from '../../../test/harness/clean-up.ts'
import { listenWhenFree } from './listen.ts'

async function takePort(): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer()
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  cleanUp(() => server.close())
  return { server, port: (server.address() as AddressInfo).port }
}

test('a start takes the port that a former gateway releases a moment later', async () => {
  const { server, port } = await takePort()
  const app = fastify()
  cleanUp(() => app.close())
  let attempts = 0
  await listenWhenFree(() => {
    attempts += 1
    if (attempts === 2) server.close()
    return app.listen({ host: '127.0.0.1', port })
  })
  assert.ok(attempts >= 2)
  assert.equal((await fetch(`http://127.0.0.1:${port}/`)).status, 404)
})

test('a start reports a port that stays taken', async () => {
  const { port } = await takePort()
  const app = fastify()
  cleanUp(() => app.close())
  await assert.rejects(
    listenWhenFree(() => app.listen({ host: '127.0.0.1', port }), 1),
    { code: 'EADDRINUSE' },
  )
})
