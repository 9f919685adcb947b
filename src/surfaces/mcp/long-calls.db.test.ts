/** Slow calls over a real socket: progress notifications, and the outcome after a client disconnects. */
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { JobBed } from '../../../test/harness/beds/jobs.ts'
import type { Envelope, ToolResult } from '../../../test/harness/clients/mcp.ts'
import type { LocalHandler } from '../../catalog/vocabulary/handlers.ts'
import { done } from '../../catalog/vocabulary/outcome.ts'
import { openSocketBed } from './testing/socket-bed.ts'

const FOUND = { requestId: 'r', results: [{ id: 'https://a.example/', url: 'https://a.example/' }] }
const EVERY_MS = 5

type Notification = {
  readonly method: string
  readonly params: { progressToken: string; progress: number; total: number; message: string }
}
type Message = Notification & { readonly id: number; readonly result: ToolResult }

let bed: JobBed
let url: string
let waits: {
  readonly begun: Promise<void>
  readonly ended: Promise<void>
  readonly handler: LocalHandler
}

before(async () => {
  waits = waiting()
  // core/cancel stands in for a slow free call, so that core/result stays unchanged.
  ;({ bed, url } = await openSocketBed({
    progressEveryMs: EVERY_MS,
    replace: ({ local }) => ({ local: new Map([...local, ['core.cancel', waits.handler]]) }),
  }))
})

function waiting(): typeof waits {
  const begun = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  const handler: LocalHandler = async (_input, { signal }) => {
    signal.addEventListener('abort', () => ended.resolve(), { once: true })
    begun.resolve()
    await ended.promise
    return done({})
  }
  return { begun: begun.promise, ended: ended.promise, handler }
}

function callTool(
  name: string,
  input: Record<string, unknown>,
  {
    token = true,
    accept = 'application/json, text/event-stream',
    signal,
  }: { token?: boolean; accept?: string; signal?: AbortSignal } = {},
): Promise<Response> {
  const params = { name, arguments: input, ...(token ? { _meta: { progressToken: 'p' } } : {}) }
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    ...(signal === undefined ? {} : { signal }),
  })
}

/** Yields the messages of a stream as they arrive. */
async function* messagesOf(reply: Response): AsyncGenerator<Message> {
  let text = ''
  for await (const chunk of (reply.body ?? assert.fail('no body')).pipeThrough(
    new TextDecoderStream(),
  )) {
    text += chunk
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const [event, data = ''] = text.slice(0, end).split('\n')
      assert.equal(event, 'event: message')
      text = text.slice(end + 2)
      yield JSON.parse(data.replace(/^data: /, '')) as Message
    }
  }
}

async function envelopeOf(reply: Response): Promise<Envelope> {
  return ((await reply.json()) as Message).result.structuredContent
}

const search = (query: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  service: 'semantic',
  action: 'search',
  params: { query },
  ...more,
})

describe('a slow call', () => {
  it('sends progress of a job on request while its result is awaited, then the result', async () => {
    const heard = Promise.withResolvers<void>()
    bed.handleWith(async () => {
      await heard.promise
      return { kind: 'done', data: { answer: 42 }, actual: 0n }
    })
    const worker = bed.hire()
    const submitted = await envelopeOf(
      await callTool(
        'run',
        { service: 'work', action: 'deep', params: { budgetCents: 5 } },
        { token: false },
      ),
    )
    const jobId = String(submitted.data['job_id'])
    await worker.wake()
    const reply = await callTool('result', { job_id: jobId, wait_s: 60 })
    assert.match(reply.headers.get('content-type') ?? '', /^text\/event-stream/)
    const notifications: Notification[] = []
    for await (const message of messagesOf(reply)) {
      if (message.method === undefined) {
        assert.deepEqual(
          [
            message.id,
            message.result.structuredContent.data['status'],
            message.result.structuredContent.data['result'],
          ],
          [1, 'succeeded', { answer: 42 }],
        )
        continue
      }
      notifications.push(message)
      assert.deepEqual(
        [message.method, message.params.progressToken, message.params.total],
        ['notifications/progress', 'p', 60],
      )
      if (notifications.length <= 3) assert.match(message.params.message, /^running, 0¢ spent$/)
      if (notifications.length !== 3) continue
      heard.resolve()
      while ((await bed.result(jobId)).status === 'running')
        await new Promise((turn) => setImmediate(turn))
      bed.ends.announceAll()
    }
    assert.ok(notifications.length >= 3)
    assert.ok(
      notifications.every(
        ({ params }, place) =>
          place === 0 || params.progress > (notifications[place - 1]?.params.progress ?? 0),
      ),
      'progress only grows',
    )
  })

  it('sends JSON without progress if the client did not ask or accepts no events', async () => {
    for (const options of [{ token: false }, { accept: 'application/json' }]) {
      let turns = 0
      bed.vendor.answerWith(async () => {
        const until = performance.now() + 4 * EVERY_MS
        while (performance.now() < until) await new Promise((turn) => setImmediate(turn))
        turns += 1
        return { body: FOUND }
      })
      const reply = await callTool('run', search(`quiet ${JSON.stringify(options)}`), options)
      assert.match(reply.headers.get('content-type') ?? '', /^application\/json/)
      assert.deepEqual([(await envelopeOf(reply)).ok, turns], [true, 1])
    }
  })

  it('sends an event stream to a client that accepts nothing else', async () => {
    bed.vendor.answerWith(() => ({ body: FOUND }))
    const reply = await callTool('run', search('events only'), {
      token: false,
      accept: 'text/event-stream',
    })
    const messages = await Array.fromAsync(messagesOf(reply))
    assert.deepEqual(
      messages.map(({ result }) => result.structuredContent.ok),
      [true],
    )
  })
})

describe('a client that disconnects', () => {
  it('ends its waiting free call', async () => {
    const leave = new AbortController()
    const asked = callTool(
      'run',
      {
        service: 'core',
        action: 'cancel',
        params: { job_id: 'job_0192f0c4a1b27c3d8e4f5a6b7c8d9e0f' },
      },
      { token: false, signal: leave.signal },
    )
    await waits.begun
    leave.abort()
    await assert.rejects(asked, { name: 'AbortError' })
    await waits.ended
  })

  it('is charged once and gets the stored answer when it repeats the call', async () => {
    const reached = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    let asks = 0
    bed.vendor.answerWith(async () => {
      asks += 1
      reached.resolve()
      await held.promise
      return { body: FOUND }
    })
    const before = (await bed.balance()).balance
    const leave = new AbortController()
    const call = search('broken stream', { idempotency_key: 'k' })
    const broken = await callTool('run', call, { signal: leave.signal }).then(async (reply) => {
      await messagesOf(reply).next()
      await reached.promise
      leave.abort()
      return reply
    })
    assert.match(broken.headers.get('content-type') ?? '', /^text\/event-stream/)
    held.resolve()
    let again = (await (await callTool('run', call, { token: false })).json()) as Message
    while (
      again.result.isError === true &&
      again.result.structuredContent.error.code === 'idempotency_in_progress'
    )
      again = (await (await callTool('run', call, { token: false })).json()) as Message
    assert.deepEqual(
      [again.result.structuredContent.ok, again.result._meta?.['idempotencyReplayed'], asks],
      [true, true, 1],
    )
    assert.equal(before - (await bed.balance()).balance, 10_000n)
  })
})
