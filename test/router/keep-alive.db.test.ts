/** Bytes before the first token and between events. The test moves the clock of the router. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openRouterBed, upstreamAt } from '../harness/beds/router.ts'
import { eventsOf, type Asked } from '../harness/vendors/model-upstream.ts'

const bed = await openRouterBed({
  upstreams: (url, dispatcher) => [upstreamAt('llm', url, dispatcher)],
})
const MESSAGES = [{ role: 'user', content: 'Hello.' }]
const BODIES: Readonly<Record<string, object>> = {
  '/chat/completions': { messages: MESSAGES },
  '/completions': { prompt: 'Hello.' },
  '/messages': { messages: MESSAGES, max_tokens: 100 },
  '/responses': { input: 'Hello.' },
}
const PATHS = Object.keys(BODIES)
const WORDS = eventsOf(['Good', '.'], { prompt_tokens: 5, completion_tokens: 2 })

function later(ms: number): void {
  bed.world.now.advance(ms)
  bed.router.keepAlive.tick()
}

/** Sends a streamed call and waits until the upstream has it. */
async function open(path: string, model = 'maker/small') {
  const arrived = Promise.withResolvers<Asked>()
  bed.upstream.answerWith((asked) => arrived.resolve(asked))
  const answering = bed.postTo(path, { model, stream: true, ...BODIES[path] })
  return { answering, asked: await arrived.promise }
}

function readerOf(answer: Response) {
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  const next = async (): Promise<string | undefined> => (await reader?.read())?.value
  return {
    next,
    async rest() {
      let text = ''
      for (let part = await next(); part !== undefined; part = await next()) text += part
      return text
    },
  }
}

for (const path of PATHS) {
  test(`starts ${path} at the first comment of the upstream`, async () => {
    const { answering, asked } = await open(path)
    asked.response.writeHead(200, { 'content-type': 'text/event-stream' })
    asked.response.write(': PROCESSING\n\n')
    const answer = await answering
    assert.deepEqual([answer.status, answer.headers.get('x-model')], [200, 'maker/small'])
    const reader = readerOf(answer)
    assert.match((await reader.next()) ?? '', /^:/)
    asked.response.end(WORDS.join(''))
    assert.match(await reader.rest(), /Good/)
    assert.deepEqual((await bed.posted()).at(-1)?.charged, 2n)
  })

  test(`starts ${path} before the upstream, and ends it with its own error`, async () => {
    const { answering, asked } = await open(path)
    later(5_000)
    const answer = await answering
    assert.equal(answer.status, 200)
    const reader = readerOf(answer)
    assert.match((await reader.next()) ?? '', /^:/)
    later(0)
    later(15_000)
    assert.match((await reader.next()) ?? '', /^:/)
    asked.response
      .writeHead(400, { 'content-type': 'application/json' })
      .end(JSON.stringify({ error: { message: 'too long', code: 'context_length_exceeded' } }))
    const end = await reader.rest()
    assert.match(end, /context_length_exceeded/)
    assert.match(end, /too long/)
    if (path === '/responses') assert.match(end, /response\.created[^]*response\.failed/)
    if (path === '/messages') assert.match(end, /event: error/)
    const row = (await bed.posted()).at(-1)
    assert.deepEqual([row?.status, row?.charged], ['released', 0n])
  })

  test(`writes to ${path} between two events`, async () => {
    const { answering, asked } = await open(path)
    asked.response.writeHead(200, { 'content-type': 'text/event-stream' })
    asked.response.write(WORDS.slice(0, 2).join(''))
    const reader = readerOf(await answering)
    for (let text = ''; !text.includes('Good');) text += (await reader.next()) ?? assert.fail(text)
    later(0)
    later(15_000)
    const beat = (await reader.next()) ?? ''
    assert.match(beat, path === '/messages' ? /event: ping/ : /^:/)
    asked.response.end(WORDS.slice(2).join(''))
    await reader.rest()
    assert.equal((await bed.posted()).at(-1)?.charged, 2n)
  })
}

test('starts with a whole response of an upstream that does not stream', async () => {
  const { answering, asked } = await open('/chat/completions')
  later(5_000)
  const reader = readerOf(await answering)
  const choices = [
    { index: 0, message: { role: 'assistant', content: 'Good.' }, finish_reason: 'stop' },
  ]
  asked.response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ choices, usage: { prompt_tokens: 5, completion_tokens: 2 } }))
  assert.match(await reader.rest(), /Good\.[^]*\[DONE\]/)
  assert.equal((await bed.posted()).at(-1)?.charged, 2n)
})

test('keeps the status of a failure while another model can follow', async () => {
  const { answering, asked } = await open('/chat/completions', 'core/cheap')
  later(5_000)
  bed.upstream.answerWith(({ response }) => response.writeHead(400).end())
  asked.response.writeHead(503).end()
  assert.equal((await answering).status, 502)
  assert.ok(await bed.isSound())
})
