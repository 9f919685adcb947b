/** Upstreams that answer in another form than they were asked for. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { brotliCompressSync, createBrotliCompress, createDeflate, createGzip, createZstdCompress, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { eventsOf, say, type Asked } from '../harness/model-upstream.ts'
import { openRouterBed } from '../harness/router.ts'

const bed = await openRouterBed()
const { upstream } = bed
const ASK = { model: 'maker/large', messages: [{ role: 'user', content: 'Hello.' }], max_tokens: 100 }
const WORDS = ['Good', ' day', '.']
const USAGE = { prompt_tokens: 5, completion_tokens: 3 }
const PRICE = 5n * 4n + 3n * 20n

async function charged(): Promise<bigint | undefined> {
  return (await bed.posted()).at(-1)?.charged
}

function wordsIn(text: string): string {
  const events = text.split('\n\n').filter((one) => one.startsWith('data: {')).map((one) => JSON.parse(one.slice(6)) as { choices?: { delta?: { content?: string } }[] })
  return events.map(({ choices }) => choices?.[0]?.delta?.content ?? '').join('')
}

/** Answers with these bytes, in one piece. */
function bytes(body: Buffer | string, headers: Readonly<Record<string, string>>, status = 200): (asked: Asked) => void {
  return ({ response }) => void response.writeHead(status, headers).end(body)
}

describe('an answer that is packed although it was asked not to be', () => {
  const PACKED = { gzip: gzipSync, 'x-gzip': gzipSync, br: brotliCompressSync, deflate: deflateSync, 'Deflate ': deflateRawSync, zstd: zstdCompressSync } as const

  test('is unpacked, whole and as a stream, and so is an error', async () => {
    const whole = JSON.stringify({ choices: [{ message: { content: 'Good day.' } }], usage: USAGE })
    for (const [encoding, pack] of Object.entries(PACKED)) {
      upstream.answerWith(bytes(pack(eventsOf(WORDS, USAGE).join('')), { 'content-type': 'text/event-stream', 'content-encoding': encoding }))
      const streamed = await bed.post({ ...ASK, stream: true })
      assert.deepEqual([wordsIn(await streamed.text()), streamed.headers.get('content-encoding'), await charged()], ['Good day.', null, PRICE], encoding)
      upstream.answerWith(bytes(pack(whole), { 'content-type': 'application/json', 'content-encoding': encoding }))
      const { choices } = (await (await bed.post(ASK)).json()) as { choices: { message: { content: string } }[] }
      assert.deepEqual([choices[0]?.message.content, await charged()], ['Good day.', PRICE], encoding)
      upstream.answerWith(bytes(pack('{"error":{"message":"too long"}}'), { 'content-type': 'application/json', 'content-encoding': encoding }, 400))
      const refused = await bed.post(ASK)
      assert.deepEqual([refused.status, ((await refused.json()) as { error: { message: string } }).error.message.endsWith('too long')], [422, true], encoding)
    }
  })

  test('passes each event as it comes, and is cancelled with its caller', async () => {
    for (const [encoding, packer] of Object.entries({ gzip: createGzip(), br: createBrotliCompress(), deflate: createDeflate(), zstd: createZstdCompress() })) {
      const asked = Promise.withResolvers<Asked>()
      upstream.answerWith((one) => {
        packer.pipe(one.response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': encoding }))
        asked.resolve(one)
      })
      const send = (text: string): void => {
        packer.write(text)
        packer.flush()
      }
      const before = (await bed.posted()).length
      const abort = new AbortController()
      send(say('Good'))
      const answer = await fetch(`${bed.url}/chat/completions`, { method: 'POST', signal: abort.signal, headers: { authorization: `Bearer ${bed.key}`, 'content-type': 'application/json' }, body: JSON.stringify({ ...ASK, stream: true }) })
      const reader = answer.body?.getReader()
      assert.ok(reader)
      assert.equal(wordsIn(Buffer.from((await reader.read()).value ?? []).toString()), 'Good')
      send(say(' day'))
      assert.equal(wordsIn(Buffer.from((await reader.read()).value ?? []).toString()), ' day', encoding)
      abort.abort()
      await (await asked.promise).closed
      assert.equal((await bed.postedCount(before + 1)).at(-1)?.charged, 9n * 4n + 40n)
      packer.destroy()
    }
  })

  test('that breaks off, or is not what it is called, is billed for what passed', async () => {
    const EVENTS = { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' }
    const packed = gzipSync(eventsOf(WORDS, USAGE).join(''), { level: 0 })
    upstream.answerWith(bytes(packed.subarray(0, packed.indexOf(' day')), EVENTS))
    const cut = await (await bed.post({ ...ASK, stream: true })).text()
    assert.deepEqual([wordsIn(cut), /upstream_error/.test(cut), await charged()], ['Good', true, 9n * 4n + 20n])
    upstream.answerWith(({ response }) => void response.writeHead(200, EVENTS).write(packed.subarray(0, packed.indexOf(' day')), () => response.destroy()))
    const broken = await (await bed.post({ ...ASK, stream: true })).text()
    assert.deepEqual([wordsIn(broken), /upstream_error/.test(broken), await charged()], ['Good', true, 9n * 4n + 20n])
    for (const isStream of [true, false]) {
      upstream.answerWith(bytes('{"choices":[{"message":{"content":"Good."}}]}', { 'content-encoding': 'gzip' }))
      assert.deepEqual([(await bed.post({ ...ASK, stream: isStream })).status, await charged()], [502, 0n])
    }
  })

  test('is unpacked only as far as an answer may be long', async () => {
    const blanks = gzipSync(Buffer.alloc(80 * 1024 * 1024, ' '))
    upstream.answerWith(bytes(blanks, { 'content-encoding': 'gzip' }))
    assert.deepEqual([(await bed.post(ASK)).status, await charged()], [502, 0n])
  })
})

test('the books balance after all of this', async () => {
  assert.equal((await bed.wallet()).held, 0n)
  assert.ok(await bed.isSound())
})
