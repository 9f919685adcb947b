import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createCdpHub, type CdpHub, type HubConnection } from './cdp-hub.ts'

type Bed = {
  readonly sent: string[]
  readonly received: string[]
  readonly failures: string[]
  readonly connection: HubConnection
  readonly fromBrowser: (text: string) => void
}

async function openBed(): Promise<Bed> {
  const [sent, received, failures]: [string[], string[], string[]] = [[], [], []]
  let fromBrowser: (text: string) => void = () => undefined
  const hub = createCdpHub({
    send(text) {
      sent.push(text)
      if (text.includes('attachToBrowserTarget'))
        queueMicrotask(() => fromBrowser('{"id":1,"result":{"sessionId":"A1"}}'))
      return true
    },
    onMessage: (listener) => (fromBrowser = listener),
  })
  const connection = await hub.connect({
    receive: (text) => received.push(text),
    fail: (reason) => failures.push(reason),
  })
  return { sent, received, failures, connection, fromBrowser: (text) => fromBrowser(text) }
}

type SentCommand = { readonly id: number; readonly sessionId: string }

/** A browser whose targets have the sessions A1, A2, … */
function openHub() {
  const sent: string[] = []
  const pipe = { isFull: false }
  let fromBrowser: (text: string) => void = () => undefined
  let roots = 0
  const hub = createCdpHub({
    send(text) {
      if (pipe.isFull) return false
      sent.push(text)
      if (text.includes('attachToBrowserTarget')) {
        const { id } = JSON.parse(text) as SentCommand
        roots += 1
        const answer = `{"id":${id},"result":{"sessionId":"A${roots}"}}`
        queueMicrotask(() => fromBrowser(answer))
      }
      return true
    },
    onMessage: (listener) => (fromBrowser = listener),
  })
  return { hub, sent, pipe, fromBrowser: (text: string) => fromBrowser(text) }
}

async function join(hub: CdpHub) {
  const [received, failures]: [string[], string[]] = [[], []]
  const connection = await hub.connect({
    receive: (text) => received.push(text),
    fail: (reason) => failures.push(reason),
  })
  return { connection, received, failures }
}

describe('the hub of a browser', () => {
  it('fails a client with a message nested too deeply, and nothing else', async () => {
    const { connection, failures, sent, received, fromBrowser } = await openBed()
    const depth = 200_000
    const nested = `${'['.repeat(depth)}${']'.repeat(depth)}`
    connection.send(`{"id":1,"method":"Page.enable","params":${nested}}`)
    assert.deepEqual(failures, ['A message is nested too deeply.'])
    connection.send('{"id":2,"method":"Browser.getVersion"}')
    assert.match(sent.at(-1) ?? '', /Browser\.getVersion/)
    fromBrowser('{"id":3,"result":{},"sessionId":"A1"}')
    assert.deepEqual(received, ['{"id":2,"result":{}}'])
  })

  it('ignores a message of the browser that is not JSON', async () => {
    const { fromBrowser, received } = await openBed()
    fromBrowser('{"method":"Target.attachedToTarget",x')
    assert.deepEqual(received, [])
  })

  it('shows a client its own ids and the sessions that it attached, and not those of others', async () => {
    const { hub, sent, fromBrowser } = openHub()
    const [one, other] = [await join(hub), await join(hub)]
    one.connection.send('{"id":7,"method":"Page.enable"}')
    other.connection.send('{"id":7,"method":"Page.enable"}')
    const [first, second] = sent.slice(-2).map((text) => JSON.parse(text) as SentCommand)
    assert.notEqual(first?.id, second?.id)
    fromBrowser(`{"id":${second?.id},"result":{"of":"other"},"sessionId":"${second?.sessionId}"}`)
    assert.deepEqual([one.received, other.received], [[], ['{"id":7,"result":{"of":"other"}}']])
    const attached = `{"method":"Target.attachedToTarget","params":{"sessionId":"C3"},"sessionId":"${first?.sessionId}"}`
    fromBrowser(attached)
    fromBrowser('{"method":"Page.frameNavigated","params":{},"sessionId":"C3"}')
    assert.deepEqual(
      one.received.at(-1),
      '{"method":"Page.frameNavigated","params":{},"sessionId":"C3"}',
    )
    assert.equal(other.received.length, 1)
    other.connection.send('{"id":8,"method":"Page.navigate","params":{},"sessionId":"C3"}')
    assert.match(other.received.at(-1) ?? '', /"id":8,"error":\{"code":-32001/)
  })

  it('forgets a client that leaves: its answers and sessions reach no other client', async () => {
    const { hub, sent, fromBrowser } = openHub()
    const [one, other] = [await join(hub), await join(hub)]
    one.connection.send('{"id":7,"method":"Page.enable"}')
    const { id, sessionId } = JSON.parse(sent.at(-1) ?? '') as SentCommand
    one.connection.close()
    assert.match(sent.at(-1) ?? '', new RegExp(`detachFromTarget.*${sessionId}`))
    fromBrowser(`{"id":${id},"result":{},"sessionId":"${sessionId}"}`)
    fromBrowser(`{"method":"Page.loadEventFired","params":{},"sessionId":"${sessionId}"}`)
    assert.deepEqual([one.received, other.received], [[], []])
  })

  it('fails a client with 10 000 unanswered commands, and one of a browser that reads nothing', async () => {
    const { hub, pipe } = openHub()
    const { connection, failures } = await join(hub)
    for (let id = 1; id <= 10_000; id += 1) connection.send(`{"id":${id},"method":"Page.enable"}`)
    assert.deepEqual(failures, [])
    connection.send('{"id":10001,"method":"Page.enable"}')
    assert.deepEqual(failures, ['The browser does not keep up with the commands.'])
    const other = await join(hub)
    pipe.isFull = true
    other.connection.send('{"id":1,"method":"Page.enable"}')
    assert.deepEqual(other.failures, ['The browser does not keep up with the commands.'])
  })
})
