import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readEventStream } from '../src/event-stream.ts'

const TEXT =
  ': alive\r\n\r\ndata: {"a":"ä"}\r\n\r\nevent: end\r\ndata:one\rdata: two\n\n\ndata: [DONE]\n\n'
const EVENTS = [
  { event: 'message', data: '{"a":"ä"}' },
  { event: 'end', data: 'one\ntwo' },
  { event: 'message', data: '[DONE]' },
]

test('reads the same events from pieces of any size', async () => {
  const bytes = new TextEncoder().encode(TEXT)
  for (let size = 1; size <= bytes.length; size += 1) {
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.slice(index * size, (index + 1) * size),
    )
    const events = await Array.fromAsync(readEventStream(ReadableStream.from(pieces)))
    assert.deepEqual(events, EVENTS, `pieces of ${size} bytes`)
  }
})

test('closes the connection when the loop ends early', async () => {
  let isCancelled = false
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(TEXT)),
    cancel: () => void (isCancelled = true),
  })
  for await (const { data } of readEventStream(body)) {
    assert.equal(data, EVENTS[0]?.data)
    break
  }
  assert.equal(isCancelled, true)
})
