import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { cleanUp } from '../../../../test/harness/clean-up.ts'
import { goneSignal, onGone } from './client-gone.ts'

const server = createServer()
server.listen(0, '127.0.0.1')
await once(server, 'listening')
cleanUp(() => server.close())
const { port } = server.address() as AddressInfo

async function send(): Promise<{ raw: ServerResponse; hangUp(): void }> {
  const client = request({ port, host: '127.0.0.1', agent: false })
  client.on('error', () => {})
  client.on('response', (response) => response.resume())
  client.end()
  const [, raw] = (await once(server, 'request')) as [unknown, ServerResponse]
  return { raw, hangUp: () => client.destroy() }
}

test('reports a client that disconnects before its response, once', async () => {
  const { raw, hangUp } = await send()
  let calls = 0
  onGone(raw, () => (calls += 1))
  const signal = goneSignal(raw)
  assert.deepEqual([calls, signal.aborted], [0, false])
  hangUp()
  await once(signal, 'abort')
  assert.equal(calls, 1)
})

test('reports a client that has disconnected already', async () => {
  const { raw, hangUp } = await send()
  hangUp()
  await once(raw, 'close')
  assert.equal(goneSignal(raw).aborted, true)
})

test('reports nothing after the whole response', async () => {
  const { raw } = await send()
  const signal = goneSignal(raw)
  raw.end('done')
  await once(raw, 'close')
  assert.deepEqual([signal.aborted, goneSignal(raw).aborted], [false, false])
})
