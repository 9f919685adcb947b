import assert from 'node:assert/strict'
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { createGuard, type Guard } from './guard.ts'
import { startGuardProxy, type GuardProxy, type ProxySettings } from './guard-proxy.ts'

describe('guard proxy', () => {
  let port = 0
  let requests: { url: string; host: string; body: string }[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    requests.push({ url: request.url ?? '', host: request.headers.host ?? '', body })
    response.writeHead(200, { 'set-cookie': ['a=1', 'b=2'] })
    response.end('private')
  })
  const open: { guard: Guard; proxy: GuardProxy }[] = []
  const proxyWith = async (
    settings: Partial<Parameters<typeof createGuard>[0]>,
    limits: ProxySettings = {},
  ): Promise<GuardProxy> => {
    const guard = createGuard({ allowPrivateNetworks: [], ...settings })
    const proxy = await startGuardProxy(guard, limits)
    open.push({ guard, proxy })
    requests = []
    return proxy
  }

  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    port = (server.address() as AddressInfo).port
  })
  after(async () => {
    await Promise.all(open.map(async ({ guard, proxy }) => (await proxy.close(), guard.close())))
    server.closeAllConnections()
    server.close()
  })

  it('rejects a private server in absolute form and by CONNECT without contacting it', async () => {
    const proxy = await proxyWith({})
    assert.equal((await ask(proxy, `http://127.0.0.1:${port}/secret`)).status, 403)
    assert.equal((await ask(proxy, `http://localhost:${port}/secret`)).status, 403)
    assert.equal((await ask(proxy, '/secret')).status, 403)
    assert.match(await tunnelTo(proxy, `127.0.0.1:${port}`), /^HTTP\/1\.1 403/)
    assert.match(await tunnelTo(proxy, `[::1]:${port}`), /^HTTP\/1\.1 403/)
    assert.match(await tunnelTo(proxy, '2130706433:443'), /^HTTP\/1\.1 403/)
    assert.match(await tunnelTo(proxy, 'nonsense'), /^HTTP\/1\.1 403/)
    assert.equal(requests.length, 0)
  })

  it('rejects a port of another protocol, also in an open network', async () => {
    const proxy = await proxyWith({ allowPrivateNetworks: ['127.0.0.0/8'] })
    assert.match(await tunnelTo(proxy, '127.0.0.1:25'), /^HTTP\/1\.1 403/)
    assert.equal((await ask(proxy, 'http://127.0.0.1:25/')).status, 403)
  })

  it('rejects a name by CONNECT when one of its addresses is private', async () => {
    const lookup = async () => [
      { address: '93.184.216.34', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ]
    const proxy = await proxyWith({ lookup })
    assert.match(await tunnelTo(proxy, 'name.example:443'), /^HTTP\/1\.1 403/)
    assert.equal((await ask(proxy, 'http://name.example/')).status, 403)
  })

  it('resolves no internal name, because the answer would show which of them exist', async () => {
    const asked: string[] = []
    const lookup = async (name: string) => {
      asked.push(name)
      return [{ address: '10.0.0.5', family: 4 }]
    }
    const proxy = await proxyWith({ lookup })
    for (const name of ['db.internal', 'printer', 'localhost', 'app.localhost'])
      assert.match(await tunnelTo(proxy, `${name}:443`), /^HTTP\/1\.1 403/, name)
    assert.deepEqual(asked, [])
  })

  it('allows a page of this gateway only by GET of its exact URL', async () => {
    const own = `http://127.0.0.1:${port}/demo`
    const proxy = await proxyWith({ ownPages: [own] })
    assert.deepEqual(await ask(proxy, own), {
      status: 200,
      body: 'private',
      cookies: ['a=1', 'b=2'],
    })
    assert.equal((await ask(proxy, own, { method: 'POST', body: 'x' })).status, 403)
    assert.equal((await ask(proxy, `${own}/style.css`)).status, 403)
    assert.match(await tunnelTo(proxy, `127.0.0.1:${port}`), /^HTTP\/1\.1 403/)
    assert.equal(requests.length, 1)
  })

  it('allows an opened network both ways, with bodies and the host header of the URL', async () => {
    const proxy = await proxyWith({ allowPrivateNetworks: ['127.0.0.0/8'] })
    const reply = await ask(proxy, `http://127.0.0.1:${port}/form`, {
      method: 'POST',
      body: 'a=b',
      host: 'other.example',
    })
    assert.equal(reply.status, 200)
    assert.deepEqual(requests, [{ url: '/form', host: `127.0.0.1:${port}`, body: 'a=b' }])
    const answer = await tunnelTo(
      proxy,
      `127.0.0.1:${port}`,
      'GET /through HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
    )
    assert.match(answer, /^HTTP\/1\.1 200[\s\S]*private/)
  })

  it('carries at most the bytes of all its connections, and reports each target', async () => {
    const targets: string[] = []
    const proxy = await proxyWith(
      { allowPrivateNetworks: ['127.0.0.0/8'] },
      {
        maxTotalBytes: 1_000,
        onTarget: ({ hostname, port: at, failure }) =>
          targets.push(`${hostname}:${at} ${failure === null ? 'allowed' : 'refused'}`),
      },
    )
    const url = `http://127.0.0.1:${port}/`
    const send = { method: 'POST', body: 'x'.repeat(500) }
    assert.equal((await ask(proxy, url, send)).status, 200)
    for (const options of [send, {}]) assert.equal((await ask(proxy, url, options)).status, 403)
    assert.match(await tunnelTo(proxy, `127.0.0.1:${port}`), /^HTTP\/1\.1 403.*allowance/s)
    const of = (result: string): string => `127.0.0.1:${port} ${result}`
    assert.deepEqual(targets, ['allowed', 'refused', 'refused', 'refused'].map(of))
  })

  it('counts addresses and headers like other bytes', async () => {
    const settings = { allowPrivateNetworks: ['127.0.0.0/8'] }
    const proxy = await proxyWith(settings, { maxTotalBytes: 10_000 })
    const url = `http://127.0.0.1:${port}/${'x'.repeat(6_000)}`
    const statuses: number[] = []
    for (let at = 0; at < 3; at += 1) statuses.push((await ask(proxy, url)).status)
    assert.deepEqual(statuses, [200, 403, 403])
    assert.match(await tunnelTo(proxy, `127.0.0.1:${port}`), /^HTTP\/1\.1 403.*allowance/s)
  })

  it('ends a tunnel that carries more bytes', async () => {
    const settings = { allowPrivateNetworks: ['127.0.0.0/8'] }
    const request = 'GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'
    for (const maxTotalBytes of [request.length - 1, 10_000]) {
      const proxy = await proxyWith(settings, { maxTotalBytes })
      const answer = await tunnelTo(proxy, `127.0.0.1:${port}`, request)
      assert.equal(answer.includes('private'), maxTotalBytes === 10_000, answer)
    }
  })

  it('starts a request when it may, and closes a connection with a second one before', async () => {
    const starts: (() => void)[] = []
    const proxy = await proxyWith(
      { allowPrivateNetworks: ['127.0.0.0/8'] },
      { waitForNext: () => new Promise((start) => starts.push(start)) },
    )
    const url = `http://127.0.0.1:${port}/`
    const waiting = ask(proxy, url)
    const pipelined = connect(Number(new URL(proxy.url).port), '127.0.0.1')
    pipelined.on('error', () => undefined)
    const closed = new Promise((resolve) => pipelined.once('close', resolve))
    pipelined.write(`GET ${url} HTTP/1.1\r\nhost: x\r\n\r\n`.repeat(3))
    await closed
    assert.equal(requests.length, 0)
    for (const start of starts) start()
    assert.equal((await waiting).status, 200)
    assert.equal(requests.length, 1)
  })

  it('closes a connection beyond its number of connections', async () => {
    const proxy = await proxyWith({ allowPrivateNetworks: ['127.0.0.0/8'] }, { maxConnections: 1 })
    const { socket, established } = openTunnel(proxy, `127.0.0.1:${port}`)
    await established
    await assert.rejects(ask(proxy, `http://127.0.0.1:${port}/`))
    socket.destroy()
  })

  it('answers 502 for an unreachable server, and closes open tunnels', async () => {
    const proxy = await proxyWith({ allowPrivateNetworks: ['127.0.0.0/8'] })
    assert.equal((await ask(proxy, 'http://127.0.0.1:2/')).status, 502)
    const { socket, established } = openTunnel(proxy, `127.0.0.1:${port}`)
    await established
    const closed = new Promise((resolve) => socket.once('close', resolve))
    await proxy.close()
    await closed
  })
})

type Answer = { status: number; body: string; cookies: string[] | undefined }

function ask(
  proxy: GuardProxy,
  target: string,
  options: { method?: string; body?: string; host?: string } = {},
): Promise<Answer> {
  const { hostname, port } = new URL(proxy.url)
  return new Promise((resolve, reject) => {
    const headers = options.host === undefined ? {} : { host: options.host }
    const request = httpRequest(
      { hostname, port, path: target, method: options.method ?? 'GET', headers, agent: false },
      (response: IncomingMessage) => {
        let body = ''
        response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            body,
            cookies: response.headers['set-cookie'],
          }),
        )
      },
    )
    request.on('error', reject)
    request.end(options.body)
  })
}

function openTunnel(
  proxy: GuardProxy,
  authority: string,
): { socket: Socket; established: Promise<string> } {
  const socket = connect(Number(new URL(proxy.url).port), '127.0.0.1')
  socket.on('error', () => socket.destroy())
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nhost: ${authority}\r\n\r\n`)
  return {
    socket,
    established: new Promise((resolve) => socket.once('data', (chunk) => resolve(String(chunk)))),
  }
}

/**
 * Everything received through the tunnel after the status line, or the status line of a rejection.
 */
async function tunnelTo(proxy: GuardProxy, authority: string, send = ''): Promise<string> {
  const { socket, established } = openTunnel(proxy, authority)
  const first = await established
  if (!first.startsWith('HTTP/1.1 200') || send === '') {
    socket.destroy()
    return first
  }
  let answer = ''
  socket.on('data', (chunk) => (answer += String(chunk)))
  socket.write(send)
  await new Promise((resolve) => socket.once('close', resolve))
  return answer
}
