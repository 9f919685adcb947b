import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import type { SMTPServerDataStream } from 'smtp-server'
import { createMessageMemory, readMessage, type MessageMemory } from './read-message.ts'

type Opened = { readonly stream: SMTPServerDataStream; send(piece: string): void; end(): void }

function openStream(): Opened {
  const stream = Object.assign(new PassThrough(), { byteLength: 0, sizeExceeded: false })
  return {
    stream,
    send(piece) {
      stream.byteLength += piece.length
      stream.write(piece)
    },
    end: () => stream.end(),
  }
}

function countMemory(): MessageMemory & { used(): number; most(): number } {
  const memory = createMessageMemory(1_000_000)
  let [used, most] = [0, 0]
  return {
    take(bytes) {
      used += bytes
      most = Math.max(most, used)
      return memory.take(bytes)
    },
    release(bytes) {
      used -= bytes
      memory.release(bytes)
    },
    used: () => used,
    most: () => most,
  }
}

const LIMITS = { maxBytes: 100_000, withinMs: 60_000 }

test('copies pieces into one block, whose size it counts', async () => {
  const memory = countMemory()
  const { stream, send, end } = openStream()
  const reading = readMessage(stream, memory, LIMITS)
  const lines = Array.from({ length: 20_000 }, (_, number) => String(number % 10))
  for (const line of lines) send(line)
  end()
  const { raw, release } = await reading
  assert.equal(raw.toString(), lines.join(''))
  assert.equal(memory.used(), raw.buffer.byteLength)
  assert.ok(memory.used() <= 2 * raw.length)
  release()
  assert.equal(memory.used(), 0)
})

test('reserves no memory above the largest message, and counts nothing after a rejection', async () => {
  const memory = countMemory()
  const { stream, send } = openStream()
  const reading = readMessage(stream, memory, LIMITS)
  for (let count = 0; count < 99; count += 1) send('x'.repeat(1_000))
  const { promise: read, resolve } = Promise.withResolvers<void>()
  setImmediate(resolve)
  await read
  assert.equal(memory.most(), LIMITS.maxBytes)
  for (let count = 0; count < 60_000; count += 1) send('.')
  await assert.rejects(reading, { responseCode: 421 })
  for (let count = 0; count < 100; count += 1) send('x'.repeat(1_000))
  assert.equal(memory.used(), 0)
})
