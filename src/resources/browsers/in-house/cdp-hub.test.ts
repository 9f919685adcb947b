import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createCdpHub, type HubConnection } from './cdp-hub.ts'

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
})
