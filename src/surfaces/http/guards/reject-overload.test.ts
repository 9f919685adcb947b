import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import { cleanUp } from '../../../../test/harness/clean-up.ts'
import type { WaitingCall } from '../direct/waiting-calls.ts'
import { renderError } from '../render-error.ts'
import { rejectOverload } from './reject-overload.ts'

/** A server on Node's HTTP server whose calls all wait for the test. */
async function openServer() {
  const waiting = Promise.withResolvers<WaitingCall>()
  const app = Fastify()
  app.setErrorHandler(renderError)
  app.addHook(
    'onRequest',
    rejectOverload({
      starts: { admits: () => false, wait: waiting.resolve, startAll: () => {} },
      groupOf: ({ headers }) => String(headers.authorization),
    }),
  )
  app.route({ method: ['GET', 'POST'], url: '/run', handler: async () => 'done' })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  cleanUp(() => app.close())
  const send = (method: string): Promise<Response> =>
    fetch(`${url}/run`, { method, headers: { authorization: 'Bearer one', connection: 'close' } })
  return { send, waiting: waiting.promise }
}

test('a call to the HTTP server of Node.js waits for its start', async () => {
  const { send, waiting } = await openServer()
  const response = send('POST')
  const call = await waiting
  assert.deepEqual([call.group, call.isWaiting], ['Bearer one', true])
  call.start()
  assert.equal(await (await response).text(), 'done')
})

test('a rejected call to the HTTP server of Node.js gets 503 and Retry-After', async () => {
  const { send, waiting } = await openServer()
  const response = send('POST')
  ;(await waiting).reject()
  const { status, headers } = await response
  assert.deepEqual([status, headers.get('retry-after')], [503, '1'])
})

test('health checks and pages do not wait', async () => {
  const { send } = await openServer()
  assert.equal((await send('GET')).status, 200)
})
