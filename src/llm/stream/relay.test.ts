import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Dispatcher } from 'undici'
import { AppError } from '../../errors/app-error.ts'
import type { CallerLine } from '../ask/caller-line.ts'
import { relay, type RelayEnd } from './relay.ts'
import { UpstreamCall } from '../ask/upstream-call.ts'

const say = (content: string): Buffer =>
  Buffer.from(
    `data: ${JSON.stringify({ id: 'g', choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`,
  )
const STOP = Buffer.from('data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n')
const DONE = Buffer.from('data: [DONE]\n\n')

/** Both ends of a call, controlled by the test. */
function play({ limitMs = 60_000, usageMs = 60_000 } = {}) {
  const said: string[] = []
  const controller = {
    pause: () => said.push('pause'),
    resume: () => said.push('resume'),
    abort: (reason: Error) => said.push(`abort ${reason.name}`),
  } as unknown as Dispatcher.DispatchController
  let handler: Dispatcher.DispatchHandler = {}
  const dispatcher = {
    dispatch: (_options: unknown, given: Dispatcher.DispatchHandler) => (handler = given),
  } as unknown as Dispatcher
  const call = new UpstreamCall(
    {
      name: 'llm',
      origin: 'http://x',
      basePath: '',
      key: null,
      dispatcher,
      defaultRates: null,
      isAggregator: false,
      remembersList: false,
    },
    { body: '{}', stream: true, choices: 1, times: { firstByteMs: 60_000, idleMs: 60_000 } },
  )
  const listeners = { gone: [] as (() => void)[], drain: [] as (() => void)[] }
  let isWritable = true
  let written = ''
  const line: CallerLine = {
    isDisconnected: false,
    onDisconnect: (listener) => void listeners.gone.push(listener),
    onDrain: (listener) => void listeners.drain.push(listener),
    start: () => {},
    end: () => {},
    write(bytes) {
      written += bytes.toString()
      return isWritable
    },
  }
  handler.onRequestStart?.(controller, {})
  handler.onResponseStart?.(controller, 200, { 'content-type': 'text/event-stream' })
  const start = (): Promise<RelayEnd> =>
    relay(call, line, { limitMs, usageMs, convert: (events) => events, isStored: false })
  return {
    said,
    call,
    start,
    listeners,
    written: () => written,
    arrive: (bytes: Buffer) => handler.onResponseData?.(controller, bytes),
    upstreamEnds: () => handler.onResponseEnd?.(controller, {}),
    upstreamBreaks: (error: Error) => handler.onResponseError?.(controller, error),
    callerIs: (writable: boolean) => (isWritable = writable),
  }
}

describe('a relayed stream', () => {
  test('buffers events in order until the caller is ready', async () => {
    const bed = play()
    bed.arrive(say('a'))
    bed.arrive(say('b'))
    assert.deepEqual(await bed.call.opened, { kind: 'events' })
    const end = bed.start()
    bed.arrive(say('c'))
    bed.arrive(DONE)
    assert.deepEqual(await end, { kind: 'whole' })
    assert.equal(bed.written(), [say('a'), say('b'), say('c')].join(''))
    assert.deepEqual(bed.call.delivered.texts, ['abc'])
  })

  test('pauses the upstream while the caller does not read', async () => {
    const bed = play()
    bed.arrive(say('a'))
    const end = bed.start()
    bed.callerIs(false)
    bed.arrive(say('b'))
    assert.deepEqual(bed.said, ['pause'])
    for (const drained of bed.listeners.drain) drained()
    assert.deepEqual(bed.said, ['pause', 'resume'])
    bed.arrive(DONE)
    await end
    assert.equal(bed.said.at(-1), 'resume', 'a connection left halted could not be used again')
  })

  test('is cancelled when the caller disconnects, unless it must complete', async () => {
    const bed = play()
    bed.arrive(say('a'))
    const end = bed.start()
    bed.call.leave()
    assert.deepEqual(bed.said.slice(0, 1), ['abort CallerDisconnected'])
    assert.deepEqual(await end, { kind: 'left' })
    bed.arrive(say('b'))
    assert.deepEqual(bed.call.delivered.texts, ['a'])
  })

  test('continues at the pace of the upstream after the caller disconnects', async () => {
    const bed = play()
    bed.arrive(say('a'))
    const end = bed.start()
    bed.callerIs(false)
    bed.arrive(say('b'))
    for (const gone of bed.listeners.gone) gone()
    assert.deepEqual(bed.said, ['pause', 'resume'])
    bed.callerIs(true)
    bed.arrive(say('c'))
    bed.arrive(DONE)
    assert.deepEqual(await end, { kind: 'whole' })
    assert.deepEqual(bed.call.delivered.texts, ['abc'])
  })

  test('reads the usage after a finish reason even if the caller does not read, within a limit', async () => {
    const bed = play({ usageMs: 1 })
    bed.arrive(say('a'))
    const end = bed.start()
    bed.callerIs(false)
    bed.arrive(say('b'))
    bed.arrive(STOP)
    assert.deepEqual(bed.said, ['pause', 'resume'])
    assert.deepEqual(await end, { kind: 'whole' })
    assert.ok(bed.said.includes('abort AppError'))
  })

  test('continues while words follow a finish reason in every event', async ({ mock }) => {
    mock.timers.enable({ apis: ['setTimeout'] })
    const stopped = (content: string): Buffer =>
      Buffer.from(
        `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: 'stop' }] })}\n\n`,
      )
    const bed = play({ usageMs: 1 })
    bed.arrive(stopped('a'))
    const end = bed.start()
    bed.callerIs(false)
    bed.arrive(stopped('b'))
    mock.timers.tick(1)
    assert.deepEqual(bed.said, ['resume', 'pause'])
    bed.arrive(DONE)
    assert.deepEqual(await end, { kind: 'whole' })
    assert.deepEqual(bed.call.delivered.texts, ['ab'])
  })

  test('does not blame the upstream for an early end after the caller stopped reading', async () => {
    for (const [reads, isUpstreams] of [
      [true, true],
      [false, false],
    ] as const) {
      const bed = play()
      bed.arrive(say('a'))
      const end = bed.start()
      bed.callerIs(reads)
      bed.arrive(say('b'))
      const reset = new Error('reset')
      bed.upstreamBreaks(reset)
      assert.deepEqual(await end, { kind: 'broken', error: reset, isUpstreams })
    }
  })

  test('ends at its time limit, and distinguishes an early end from a lost connection', async () => {
    const slow = play({ limitMs: 1 })
    slow.arrive(say('a'))
    const ended = await slow.start()
    assert.ok(ended.kind === 'broken' && !ended.isUpstreams && slow.said.includes('abort AppError'))

    const early = play()
    early.arrive(say('a'))
    const first = early.start()
    early.upstreamEnds()
    const cut = await first
    assert.ok(cut.kind === 'broken' && /early/.test((cut.error as Error).message))

    const silent = play()
    silent.arrive(say('a'))
    const third = silent.start()
    silent.upstreamBreaks(new AppError('upstream_timeout'))
    const fallenSilent = await third
    assert.ok(fallenSilent.kind === 'broken' && fallenSilent.isUpstreams)

    const broken = play()
    broken.arrive(say('a'))
    const second = broken.start()
    const reset = new Error('reset')
    broken.upstreamBreaks(reset)
    assert.deepEqual(await second, { kind: 'broken', error: reset, isUpstreams: true })
  })

  test('does not end at the first usage if every event has one', async () => {
    const word = (fields: object): Buffer =>
      Buffer.from(
        `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'a' }, finish_reason: null, ...fields }], usage: { prompt_tokens: 1, completion_tokens: 1 } })}\n\n`,
      )
    const cut = play()
    cut.arrive(word({}))
    const first = cut.start()
    cut.upstreamEnds()
    assert.equal((await first).kind, 'broken')

    const whole = play()
    whole.arrive(word({ finish_reason: 'stop' }))
    const second = whole.start()
    whole.upstreamEnds()
    assert.deepEqual(await second, { kind: 'whole' })
  })

  test('fails without any event', async () => {
    const bed = play()
    bed.upstreamEnds()
    assert.deepEqual([await bed.call.opened, bed.call.filter.first], [{ kind: 'events' }, null])
  })
})
