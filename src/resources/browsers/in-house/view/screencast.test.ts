import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it, mock } from 'node:test'
import type { CdpHub, HubClient } from '../cdp-hub.ts'
import { createFrameStream, FRAME_STREAM_TYPE } from './frame-stream.ts'
import { createScreencast, type Screencast } from './screencast.ts'

type Sent = {
  readonly id: number
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
  readonly sessionId?: string
}

const boundary = FRAME_STREAM_TYPE.replace(/.*boundary=/, '')

/** A browser that performs every command. Page `T1` is attached as session `S-T1`. */
let sent: Sent[]
let titled: object | null
let client: HubClient | null
let screencast: Screencast

const hub: CdpHub = {
  async connect(connected) {
    client = connected
    return {
      send(text) {
        const command = JSON.parse(text) as Sent
        sent.push(command)
        const { targetId } = command.params
        const results: Record<string, object> = {
          'Target.attachToTarget': { sessionId: `S-${String(targetId)}` },
          ...(titled === null ? {} : { 'Target.getTargetInfo': { targetInfo: titled } }),
        }
        const result = results[command.method] ?? {}
        client?.receive(JSON.stringify({ id: command.id, result }))
      },
      close: () => undefined,
    }
  },
}

const event = (method: string, params: object, sessionId?: string): void =>
  client?.receive(JSON.stringify({ method, params, sessionId }))
const page = (targetId: string, url: string, kind = 'Created'): void =>
  event(`Target.target${kind}`, { targetInfo: { targetId, type: 'page', url, title: `T ${url}` } })
const frame = (text: string, session = 'S-A'): void =>
  event(
    'Page.screencastFrame',
    { data: Buffer.from(text).toString('base64'), sessionId: 1 },
    session,
  )
const count = (method: string): number => sent.filter((one) => one.method === method).length
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((done) => setImmediate(done))
}

async function showPage(): Promise<void> {
  await screencast.page()
  page('A', 'https://a.example/')
  await settle()
}

beforeEach(() => {
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  sent = []
  titled = null
  client = null
  screencast = createScreencast(hub)
})
afterEach(() => mock.timers.reset())

describe('the image of a session', () => {
  it('costs the browser nothing before the first viewer and after the last one', async () => {
    await showPage()
    assert.equal(count('Page.startScreencast'), 0)
    const leave = [screencast.follow(() => undefined), screencast.follow(() => undefined)]
    await settle()
    assert.equal(count('Page.startScreencast'), 1)
    leave[0]?.()
    await settle()
    assert.equal(count('Target.detachFromTarget'), 0)
    leave[1]?.()
    await settle()
    assert.equal(count('Target.detachFromTarget'), 1)
    assert.equal(screencast.latest(), null)
  })

  it('acknowledges at most five frames a second, and at most a megabyte', async () => {
    await showPage()
    screencast.follow(() => undefined)
    await settle()
    const acked = async (ms: number): Promise<number> => {
      mock.timers.tick(ms)
      await settle()
      return count('Page.screencastFrameAck')
    }
    frame('one')
    frame('two')
    assert.equal(await acked(199), 0)
    assert.equal(await acked(1), 1)
    assert.equal(await acked(199), 1)
    assert.equal(await acked(1), 2)
    frame('x'.repeat(600_000))
    assert.equal(await acked(599), 2)
    assert.equal(await acked(1), 3)
  })

  it('follows the page that was opened or navigated last, and returns when it closes', async () => {
    const seen: string[] = []
    await showPage()
    screencast.follow((jpeg) => seen.push(String(jpeg)))
    await settle()
    page('B', 'https://b.example/')
    await settle()
    assert.deepEqual(await screencast.page(), {
      url: 'https://b.example/',
      title: 'T https://b.example/',
    })
    frame('of the former page', 'S-A')
    frame('of the new page', 'S-B')
    event('Target.targetDestroyed', { targetId: 'B' })
    await settle()
    frame('of the first page')
    assert.deepEqual(seen, ['of the new page', 'of the first page'])
  })

  it('has the present title of its page, which changes without an event', async () => {
    await showPage()
    const url = 'https://a.example/'
    titled = { targetId: 'A', type: 'page', url, title: 'Later' }
    assert.deepEqual(await screencast.page(), { url, title: 'Later' })
  })

  it('does not show a frame of more than two megabytes', async () => {
    const sizes: number[] = []
    await showPage()
    screencast.follow(({ length }) => sizes.push(length))
    await settle()
    frame('x'.repeat(2 * 1024 * 1024 + 1))
    frame('small')
    assert.deepEqual(sizes, [5])
  })

  it('closes its connection when the browser does not answer, or the hub ends it', async () => {
    let closed = 0
    const connected: HubClient[] = []
    const silent = createScreencast({
      async connect(one) {
        connected.push(one)
        return { send: () => undefined, close: () => void (closed += 1) }
      },
    })
    const shown = silent.page()
    await settle()
    mock.timers.tick(10_000)
    assert.equal(await shown, null)
    assert.equal(closed, 1)
    const ended = silent.page()
    await settle()
    connected[1]?.fail('The browser does not keep up with the commands.')
    assert.equal(closed, 2)
    mock.timers.tick(10_000)
    await ended
  })

  it('is known by no page while the browser does not answer', async () => {
    const silent = createScreencast({ connect: () => Promise.reject(new Error('silent')) })
    assert.equal(await silent.page(), null)
  })
})

describe('the stream of a viewer', () => {
  it('skips frames that its viewer does not read, and stores at most one', async () => {
    await showPage()
    const stream = createFrameStream(screencast, new Promise(() => undefined))
    await settle()
    for (let at = 0; at < 100; at += 1) frame(`${at}-${'x'.repeat(10_000)}`)
    assert.ok(stream.readableLength < 11_000, String(stream.readableLength))
    const chunks: string[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(String(chunk)))
    await settle()
    frame('last')
    await settle()
    const text = chunks.join('')
    const head = `--${boundary}\r\ncontent-type: image/jpeg\r\n\r\n`
    assert.ok(text.startsWith(`${head}99-xxx`))
    assert.ok(text.endsWith(`\r\n${head}last\r\n${head}`))
    assert.equal(text.split(head).length, 4)
  })

  it('repeats the last frame, so that a viewer that has vanished is noticed', async () => {
    await showPage()
    const stream = createFrameStream(screencast, new Promise(() => undefined))
    await settle()
    const chunks: string[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(String(chunk)))
    frame('still')
    await settle()
    mock.timers.tick(10_000)
    await settle()
    assert.equal(chunks.join('').split('still').length, 3)
  })

  it('ends with the session, and releases the screencast when its viewer leaves', async () => {
    await showPage()
    let end: () => void = () => undefined
    const ended = new Promise<void>((resolve) => (end = resolve))
    const [left, watching] = [
      createFrameStream(screencast, ended),
      createFrameStream(screencast, ended),
    ]
    await settle()
    left.destroy()
    const closed = new Promise((resolve) => watching.once('end', resolve))
    watching.resume()
    end()
    await closed
    await settle()
    assert.equal(count('Target.detachFromTarget'), 1)
  })
})
