import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { after, before, describe, it } from 'node:test'
import Fastify from 'fastify'
import { WebSocket } from 'ws'
import type {
  OwnBrowser,
  OwnBrowsers,
} from '../../../../resources/browsers/in-house/own-browsers.ts'
import { serveBrowserSockets } from './browser-sockets.ts'

const app = Fastify()
let port = 0
const session: Partial<OwnBrowser> = {
  join: () => () => undefined,
  browser: {
    hub: { connect: async () => ({ send: () => undefined, close: () => undefined }) },
    ended: new Promise(() => undefined),
    end: async () => undefined,
  },
}

before(async () => {
  const find = (_: string, token: string): OwnBrowser | undefined =>
    token === 'right' ? (session as OwnBrowser) : undefined
  const browsers: Partial<OwnBrowsers> = { find }
  serveBrowserSockets(app, { browsers: browsers as OwnBrowsers, busySockets: new WeakSet() })
  await app.listen({ port: 0, host: '127.0.0.1' })
  port = (app.server.address() as AddressInfo).port
})
after(() => app.close())

describe('a socket of a browser', { timeout: 20_000 }, () => {
  it('closes a rejected connection, also if the client does not', async () => {
    const accepted = once(app.server, 'connection') as Promise<[Socket]>
    const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    client.on('error', () => undefined)
    const [socket] = await accepted
    const closed = once(socket, 'close')
    client.write(
      'GET /browsers/ses_1/cdp?token=wrong HTTP/1.1\r\nhost: a.example\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
    )
    const [head] = (await once(client, 'data')) as [Buffer]
    assert.match(String(head), /^HTTP\/1\.1 404 /)
    await closed
    client.destroy()
  })

  it('rejects a message of more than 1 MiB', async () => {
    const client = new WebSocket(`ws://127.0.0.1:${port}/browsers/ses_1/cdp?token=right`, {
      headers: {},
      maxPayload: 1024,
      perMessageDeflate: false,
      followRedirects: false,
      autoPong: false,
      closeTimeout: 1_000,
    })
    client.on('open', () => client.send('x'.repeat(1024 * 1024 + 1)))
    const code = await new Promise<number>((resolve) => client.on('close', resolve))
    assert.equal(code, 1009)
  })
})
