import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import pino from 'pino'
import { publicId } from '../../lib/ids.ts'
import { sendWhenDone } from './send-when-done.ts'

const ID = '019bbc611e40703c9791849b5ea9e0e8'

function appThatLogsTo(lines: string[]) {
  return Fastify({
    loggerInstance: pino({ level: 'error' }, { write: (line: string) => void lines.push(line) }),
    genReqId: () => ID,
  })
}

test('reports a failed send to its own request only', async () => {
  let underWay = 1
  const app = appThatLogsTo([])
  app.get('/', (_request, reply) => {
    sendWhenDone(reply, {
      work: Promise.resolve('text'),
      send: (answer) => reply.header('x-name', `${answer}\n`).send(answer),
      over: () => (underWay -= 1),
    })
  })
  assert.equal((await app.inject('/')).statusCode, 500)
  assert.equal(underWay, 0)
})

test('logs an error after the response began, with its stack and request id', async () => {
  const lines: string[] = []
  let underWay = 1
  const app = appThatLogsTo(lines)
  app.get('/', (_request, reply) => {
    reply.hijack()
    reply.raw.end('begun')
    sendWhenDone(reply, {
      work: Promise.reject(new Error('the bill is invalid')),
      send: () => undefined,
      over: () => (underWay -= 1),
    })
  })
  assert.equal((await app.inject('/')).body, 'begun')
  assert.equal(underWay, 0)
  const [line, ...more] = lines.map(
    (text) => JSON.parse(text) as { err: { stack: string }; request_id: string },
  )
  assert.equal(more.length, 0)
  assert.equal(line?.request_id, publicId('request', ID))
  assert.match(line?.err.stack ?? '', /the bill is invalid[^]*send-when-done\.test/)
})
