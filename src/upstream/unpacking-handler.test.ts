import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Dispatcher } from 'undici'
import { UnpackingHandler } from './unpacking-handler.ts'

const LARGE = gzipSync(Buffer.alloc(8 * 1024 * 1024, 'ledger '))

/** Both ends of a compressed response, controlled by the test. */
function play(packed: Buffer) {
  const calls: string[] = []
  const goesOn = Promise.withResolvers<void>()
  let taken = 0
  let wake = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<string>()
  const server = {
    pause: () => calls.push('pause'),
    resume: () => goesOn.resolve(),
    abort: () => calls.push('abort'),
  } as unknown as Dispatcher.DispatchController
  const handler: Dispatcher.DispatchHandler & {
    controller?: Dispatcher.DispatchController
    onTaken?: () => void
  } = {
    onRequestStart: (controller) => void (handler.controller = controller),
    onResponseStart: () => {},
    onResponseData(_controller, chunk) {
      taken += chunk.length
      handler.onTaken?.()
      wake.resolve()
      wake = Promise.withResolvers()
    },
    onResponseEnd: () => ended.resolve('whole'),
    onResponseError: (_controller, error) => ended.resolve(error.message),
  }
  const unpacking = new UnpackingHandler(handler)
  unpacking.onRequestStart(server, {})
  unpacking.onResponseStart(server, 200, { 'content-encoding': 'gzip' })
  unpacking.onResponseData(server, packed)
  return {
    calls,
    handler,
    unpacking,
    server,
    ended: ended.promise,
    taken: () => taken,
    more: () => wake.promise,
    goesOn: goesOn.promise,
  }
}

test('decodes nothing while the handler is paused, and everything afterwards', async () => {
  const { handler, unpacking, server, ended, taken, more } = play(LARGE)
  handler.onTaken = () => handler.controller?.pause()
  await more()
  const first = taken()
  assert.ok(first > 0 && first < 64 * 1024, String(first))
  unpacking.onResponseEnd(server, {})
  for (let round = 0; round < 100; round += 1) await new Promise((resume) => setImmediate(resume))
  assert.equal(taken(), first)
  delete handler.onTaken
  handler.controller?.resume()
  assert.deepEqual([await ended, taken()], ['whole', 8 * 1024 * 1024])
})

test('stops decoding after an abort, and aborts the request', async () => {
  const { handler, ended, taken, more, calls } = play(LARGE)
  handler.onTaken = () => handler.controller?.abort(new Error('enough'))
  await more()
  assert.equal(await ended, 'enough')
  const taking = taken()
  for (let round = 0; round < 100; round += 1) await new Promise((resume) => setImmediate(resume))
  assert.equal(taken(), taking)
  assert.equal(calls.at(-1), 'abort')
})

test('pauses a server that sends faster than the decoder', async () => {
  const { unpacking, server, ended, calls, goesOn } = play(
    gzipSync(Buffer.alloc(1024 * 1024, 'x'), { level: 0 }),
  )
  assert.deepEqual(calls, ['pause'])
  await goesOn
  unpacking.onResponseEnd(server, {})
  assert.equal(await ended, 'whole')
})

test('reports a lost connection after the data received before it', async () => {
  const { unpacking, server, ended, taken } = play(LARGE.subarray(0, LARGE.length / 2))
  unpacking.onResponseError(server, new Error('reset'))
  assert.equal(await ended, 'reset')
  assert.ok(taken() > 3 * 1024 * 1024, String(taken()))
})
