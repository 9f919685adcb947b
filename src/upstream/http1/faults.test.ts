/**
 * Requests to servers that truncate, close, reset and send garbage: each ends once, with its own
 * complete response or an error.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { after, it } from 'node:test'
import type { Dispatcher } from 'undici'
import { fc } from '../../../test/harness/property.ts'
import { createPlainDispatcher } from './plain-dispatcher.ts'

type Fault =
  | 'none'
  | 'close'
  | 'reset'
  | 'cut'
  | 'extra'
  | 'interim'
  | 'pieces'
  | 'until close'
  | 'close after'
  | 'babble'
type Conduct = { readonly fault: Fault; readonly isChunked: boolean }
type Caller =
  | 'waits'
  | 'aborts at once'
  | 'aborts at the head'
  | 'aborts at the body'
  | 'aborts in between'
  | 'pauses'

/** How the server responds to the next request. */
const conducts: Conduct[] = []
const sockets = new Set<Socket>()

function answerOf(path: string, isChunked: boolean): string {
  return isChunked
    ? `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${path.length.toString(16)}\r\n${path}\r\n0\r\n\r\n`
    : `HTTP/1.1 200 OK\r\ncontent-length: ${path.length}\r\n\r\n${path}`
}

function answer(socket: Socket, path: string): void {
  const { fault, isChunked } = conducts.shift() ?? { fault: 'none', isChunked: false }
  const text = answerOf(path, isChunked)
  switch (fault) {
    case 'close':
      return void socket.end()
    case 'reset':
      return void socket.resetAndDestroy()
    case 'cut':
      return void socket.end(text.slice(0, -3))
    case 'extra':
      return void socket.write(`${text}HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nother`)
    case 'interim':
      return void socket.write(`HTTP/1.1 103 Early Hints\r\n\r\n${text}`)
    case 'until close':
      return void socket.end(`HTTP/1.1 200 OK\r\n\r\n${path}`)
    case 'close after':
      return void socket.end(text)
    case 'babble':
      return void socket.write('what?\r\n\r\n')
    case 'pieces':
      for (const byte of text) socket.write(byte)
      return
    default:
      socket.write(text)
  }
}

const server = createServer({ noDelay: true }, (socket) => {
  sockets.add(socket)
  socket.once('close', () => sockets.delete(socket))
  socket.on('error', () => socket.destroy())
  socket.on('data', (bytes: Buffer) => answer(socket, bytes.toString('latin1').split(' ')[1] ?? ''))
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
after(() => {
  for (const socket of sockets) socket.destroy()
  server.close()
})

type Outcome = { readonly ends: string[]; body: string; status: number | null }

function handlerFor(
  caller: Caller,
  outcome: Outcome,
  ended: () => void,
): Dispatcher.DispatchHandler {
  const abort = (controller: Dispatcher.DispatchController): void =>
    controller.abort(new Error('given up'))
  return {
    onRequestStart(controller) {
      if (caller === 'aborts at once') abort(controller)
      if (caller === 'aborts in between') setImmediate(() => abort(controller))
    },
    onResponseStart(controller, status) {
      assert.equal(outcome.ends.length, 0)
      outcome.status = status
      if (caller === 'aborts at the head') abort(controller)
    },
    onResponseData(controller, chunk) {
      assert.equal(outcome.ends.length, 0)
      outcome.body += chunk.toString()
      if (caller === 'aborts at the body') abort(controller)
      if (caller !== 'pauses') return
      controller.pause()
      setImmediate(() => controller.resume())
    },
    onResponseEnd() {
      outcome.ends.push('whole')
      ended()
    },
    onResponseError(_controller, error) {
      outcome.ends.push(error.message)
      ended()
    },
  }
}

it('ends every request once, with its own complete response or an error', async () => {
  const faults = fc.constantFrom<Fault>(
    'none',
    'none',
    'none',
    'close',
    'reset',
    'cut',
    'extra',
    'interim',
    'pieces',
    'until close',
    'close after',
    'babble',
  )
  const callers = fc.constantFrom<Caller>(
    'waits',
    'waits',
    'waits',
    'aborts at once',
    'aborts at the head',
    'aborts at the body',
    'aborts in between',
    'pauses',
  )
  const requests = fc.array(
    fc.record({ caller: callers, fault: faults, isChunked: fc.boolean() }),
    { minLength: 1, maxLength: 12 },
  )
  await fc.assert(
    fc.asyncProperty(requests, fc.integer({ min: 1, max: 4 }), async (all, most) => {
      const dispatcher = createPlainDispatcher({ idleMs: 60_000, connections: most })
      conducts.splice(0, conducts.length, ...all)
      const outcomes = all.map(async ({ caller }, place) => {
        const path = `/${place}/${'x'.repeat(place * 7)}`
        const outcome: Outcome = { ends: [], body: '', status: null }
        await new Promise<void>((ended) => {
          dispatcher.dispatch(
            { origin, path, method: 'GET', headers: {}, body: null },
            handlerFor(caller, outcome, ended),
          )
        })
        return { path, outcome, caller }
      })
      const ended = await Promise.all(outcomes)
      await dispatcher.close()
      for (const { path, outcome, caller } of ended) {
        assert.equal(outcome.ends.length, 1, `${path} ended ${outcome.ends.length} times`)
        if (outcome.ends[0] === 'whole')
          assert.deepEqual([outcome.status, outcome.body], [200, path])
        if (caller === 'aborts at once' || caller === 'aborts at the head')
          assert.notEqual(outcome.ends[0], 'whole')
      }
    }),
    { numRuns: 150 },
  )
})
