import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { beforeEach, describe, it } from 'node:test'
import { buffer } from 'node:stream/consumers'
import Fastify from 'fastify'
import { cleanUp } from '../../../../../test/harness/clean-up.ts'
import type { Pieces } from '../../../../resources/files/store.ts'
import { sendPieces } from './send-pieces.ts'

const SIZE = 300_000
let pieces: Pieces
const app = Fastify()
app.get('/', (_request, reply) =>
  sendPieces(reply.code(206).header('content-length', SIZE).header('etag', '"e"'), (take) =>
    pieces(take),
  ),
)
const url = await app.listen({ port: 0, host: '127.0.0.1' })
cleanUp(() => app.close())

async function open(): Promise<IncomingMessage> {
  const [response] = (await once(get(url, { agent: false }), 'response')) as [IncomingMessage]
  return response
}

describe('a file sent in pieces', () => {
  beforeEach(() => {
    pieces = async (take) => {
      const memory = Buffer.alloc(100_000)
      for (let turn = 1; turn <= 3; turn += 1) await take(memory.fill(turn))
    }
  })

  it('arrives complete with status and headers, although the pieces share a buffer', async () => {
    const response = await open()
    const expected = Buffer.concat([1, 2, 3].map((turn) => Buffer.alloc(100_000, turn)))
    assert.deepEqual(
      [response.statusCode, response.headers.etag, (await buffer(response)).equals(expected)],
      [206, '"e"', true],
    )
  })

  it('stops when the client disconnects', async () => {
    const over = Promise.withResolvers<unknown>()
    pieces = async (take) => {
      const memory = Buffer.alloc(100_000)
      try {
        for (;;) await take(memory)
      } catch (error) {
        over.resolve(error)
        throw error
      }
    }
    const response = await open()
    response.destroy()
    assert.match(String(await over.promise), /client disconnected/)
  })

  it('breaks the connection if it cannot be read completely', async () => {
    pieces = async (take) => {
      await take(Buffer.alloc(100_000))
      throw new RangeError('the disk is gone')
    }
    await assert.rejects(buffer(await open()), /aborted/)
  })
})
