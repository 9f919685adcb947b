import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Dispatcher } from 'undici'
import { usedBytes } from '../../test/harness/used-memory.ts'
import { Deadline } from '../lib/deadline.ts'
import { exchange } from './exchange.ts'

test('reads a response in many small pieces with little more memory than its bytes', async () => {
  const deadline = new Deadline(60_000)
  const read = Buffer.alloc(65_536, 'x')
  const controller = {} as Dispatcher.DispatchController
  const before = usedBytes()
  let grown = 0
  const answer = await exchange(
    {
      dispatch(_request, handler) {
        handler.onRequestStart?.(controller, {})
        handler.onResponseStart?.(controller, 200, {})
        for (let piece = 0; piece < 500_000; piece += 1)
          handler.onResponseData?.(controller, read.subarray(piece % 65_536, (piece % 65_536) + 1))
        grown = usedBytes() - before
        handler.onResponseEnd?.(controller, {})
        return true
      },
    },
    { origin: 'http://vendor.example', path: '/', method: 'GET', headers: {}, body: null },
    { deadline, maxBytes: 1_000_000 },
  )
  deadline.end()
  assert.equal(answer.text.length, 500_000)
  assert.ok(grown < 5_000_000, `${grown} bytes for 500 000`)
})
