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

test('an answer that cannot be sent is an error of that request alone', async () => {
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

test('what goes wrong after the answer began is logged with its stack and its request', async () => {
  const lines: string[] = []
  let underWay = 1
  const app = appThatLogsTo(lines)
  app.get('/', (_request, reply) => {
    reply.hijack()
    reply.raw.end('begun')
    sendWhenDone(reply, {
      work: Promise.reject(new Error('the bill makes no sense')),
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
  assert.match(line?.err.stack ?? '', /the bill makes no sense[^]*answer-later\.test/)
})
