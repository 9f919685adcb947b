import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import Fastify from 'fastify'
import { WebSocket } from 'ws'
import { createFakeBrowsers } from '../../../../../test/harness/fake-browsers.ts'
import { openBrowserHost } from '../../../../resources/browsers/in-house/host/browser-host.ts'
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

describe('a socket of a browser of another process', { timeout: 20_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-sockets-'))
  after(() => rmSync(folder, { recursive: true }))

  async function openProcess() {
    const server = Fastify()
    const { own, started } = createFakeBrowsers(4, await openBrowserHost(folder))
    serveBrowserSockets(server, { browsers: own, busySockets: new WeakSet() })
    await server.listen({ port: 0, host: '127.0.0.1' })
    after(async () => {
      await server.close()
      await own.close()
    })
    return { own, started, port: (server.server.address() as AddressInfo).port }
  }

  const connectTo = (url: URL, at: number): WebSocket => {
    url.protocol = 'ws:'
    url.host = `127.0.0.1:${at}`
    const client = new WebSocket(url.href, {
      headers: {},
      maxPayload: 1024,
      perMessageDeflate: false,
      followRedirects: false,
      autoPong: false,
      closeTimeout: 1_000,
    })
    client.on('error', () => undefined)
    return client
  }

  it('passes messages in both directions, and ends with the session', async () => {
    const [one, other] = [await openProcess(), await openProcess()]
    const { signal } = new AbortController()
    const order = { session: 'ses_1', accountId: 'one', keepAlive: true, signal }
    const url = new URL(await one.own.open(order))
    const client = connectTo(url, other.port)
    await new Promise<void>((done) => client.on('open', done))
    client.send('{"id":1,"method":"Browser.getVersion"}')
    const answer = await new Promise<Buffer>((done) => client.on('message', done))
    assert.equal(String(answer), '{"id":1,"result":{}}')
    const closed = new Promise<number>((done) => client.on('close', done))
    await one.own.end('ses_1')
    assert.equal(await closed, 1001)
    const statusOf = async (address: URL): Promise<number | undefined> => {
      const { pathname, search } = address
      const asked = get(`http://127.0.0.1:${other.port}${pathname}${search}`, {
        headers: { connection: 'upgrade', upgrade: 'websocket' },
      })
      const [response] = (await once(asked, 'response')) as [IncomingMessage]
      response.resume()
      return response.statusCode
    }
    assert.equal(await statusOf(url), 404)
    const token = url.searchParams.get('token') ?? ''
    url.searchParams.set('token', token.replace(/^\w{8}-\w{8}/, '00000000-00000001'))
    assert.equal(await statusOf(url), 503)
    url.searchParams.set('token', token.replace(/^(\w{8})-\w{8}/, '$1-00000001'))
    assert.equal(await statusOf(url), 404)
  })
})
