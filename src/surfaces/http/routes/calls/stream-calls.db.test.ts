import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import { openAppBed } from '../../../../../test/harness/beds/app.ts'
import { cleanUp } from '../../../../../test/harness/clean-up.ts'
import { cookieOf, sendForm } from '../../../../../test/harness/clients/forms.ts'
import type { CallRecord } from '../../../../history/calls/call-record.ts'

const bed = await openAppBed()
const SEARCH = '/api/run/semantic/search'
await bed.app.listen({ port: 0, host: '127.0.0.1' })
const { port } = bed.app.server.address() as AddressInfo

type Event = { readonly id: string; readonly call: CallRecord }

/** A stream of calls, whose events are read one by one. */
class Stream {
  #text = ''
  readonly response: IncomingMessage

  constructor(response: IncomingMessage) {
    this.response = response.setEncoding('utf8')
    response.on('data', (text: string) => (this.#text += text))
    response.on('error', () => {})
    cleanUp(() => response.destroy())
  }

  get events(): readonly Event[] {
    return [...this.#text.matchAll(/id: (\w+)\nevent: call\ndata: (.*)\n\n/g)].map(
      ([, id = '', data = '']) => ({ id, call: JSON.parse(data) as CallRecord }),
    )
  }

  async until(isIt: (events: readonly Event[]) => boolean): Promise<readonly Event[]> {
    while (!isIt(this.events)) await once(this.response, 'data')
    return this.events
  }
}

async function open(headers: Record<string, string>, path = '/api/v1/calls/stream') {
  const [response] = (await once(
    get({ port, host: '127.0.0.1', path, headers: { host: 'gate.example', ...headers } }),
    'response',
  )) as [IncomingMessage]
  return new Stream(response)
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
const reject = async (key = bed.liveKey): Promise<string> =>
  String((await bed.post(SEARCH, {}, bearer(key))).headers['x-request-id'])
const has = (id: string) => (events: readonly Event[]) => events.some(({ call }) => call.id === id)

describe('the stream of calls', () => {
  test('reports a rejected and a charged call within seconds, with a key and with a session', async () => {
    const cookie = cookieOf(
      await sendForm(bed.app, { url: '/balance/sign-in', fields: { key: bed.liveKey } }),
    )
    const streams = [
      await open(bearer(bed.liveKey)),
      await open({ cookie }),
      await open({ cookie }, '/calls/stream'),
    ]
    const rejected = await reject()
    bed.vendor.answerWith(() => ({ body: { requestId: 'r', results: [{ id: 'a', url: 'a' }] } }))
    const paid = String((await bed.post(SEARCH, { query: 'a' })).headers['x-request-id'])
    for (const stream of streams) {
      await stream.until((events) => has(rejected)(events) && has(paid)(events))
      const last = stream.events.findLast(({ call }) => call.id === paid)
      assert.equal(last?.call.charge, 'charged')
    }
  })

  test('continues after the last event', async () => {
    const first = await reject()
    const stream = await open(bearer(bed.liveKey))
    const second = await reject()
    const events = await stream.until(has(second))
    stream.response.destroy()
    const [third, fourth] = [await reject(), await reject()]
    const resumed = await open({
      ...bearer(bed.liveKey),
      'last-event-id': events.at(-1)?.id ?? '',
    })
    await resumed.until((seen) => has(third)(seen) && has(fourth)(seen))
    assert.equal(has(first)(resumed.events), false)
  })

  test('shows a key of scope "own" its own calls only', async () => {
    const make = async () =>
      (await bed.post('/api/v1/agents', { label: 'own', scope: 'own' })).json().data.key as string
    const [one, other] = [await make(), await make()]
    const [own, all] = [await open(bearer(one)), await open(bearer(bed.liveKey))]
    const hidden = await reject(other)
    const shown = await reject(one)
    await own.until(has(shown))
    await all.until((events) => has(shown)(events) && has(hidden)(events))
    assert.equal(has(hidden)(own.events), false)
  })

  test('rejects an invalid last event and a stranger', async () => {
    const invalid = await bed.get('/api/v1/calls/stream', { 'last-event-id': 'x' })
    assert.deepEqual([invalid.statusCode, invalid.json().error.param], [400, 'Last-Event-ID'])
    const stranger = await open({}, '/calls/stream')
    assert.equal(stranger.response.statusCode, 401)
  })

  test('ends when the process stops', async () => {
    const stream = await open(bearer(bed.liveKey))
    const ended = once(stream.response, 'end')
    await bed.app.close()
    await ended
    assert.ok(stream.response.complete)
  })
})
