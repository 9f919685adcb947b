import assert from 'node:assert/strict'
import { createServer as createHttp, type Server } from 'node:http'
import { createServer as createTcp, type AddressInfo, type Server as TcpServer } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { AppError } from '../errors/app-error.ts'
import { createGuard } from './guard.ts'
import { createSiteProbe } from './site-probe.ts'

const open = createGuard({ allowPrivateNetworks: ['127.0.0.0/8'] })
const closed = createGuard({
  allowPrivateNetworks: [],
  lookup: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
})
const signal = new AbortController().signal
const options = { method: 'GET', maxRedirects: 5, timeoutMs: 60_000, signal } as const

let http: Server
let mute: TcpServer
let origin = ''
before(async () => {
  http = createHttp((request, response) => {
    const agent = request.headers['user-agent']
    if (request.url === '/old') response.writeHead(301, { location: '/new' }).end('moved')
    else if (request.url === '/round') response.writeHead(302, { location: '/round' }).end()
    else if (request.url === '/large') response.end('x'.repeat(2 * 1024 * 1024))
    else response.writeHead(200, { 'x-frame-options': 'DENY' }).end(`for ${agent}`)
  })
  mute = createTcp((socket) => socket.end('no TLS here\n'))
  for (const server of [http, mute])
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
})
after(async () => {
  await Promise.all([open.close(), closed.close()])
  http.close()
  mute.close()
})

describe('a site probe', () => {
  const probe = createSiteProbe(open, 'Gate/1.0')

  it('returns each hop, the last headers and the beginning of the text', async () => {
    const { hops, text } = await probe.request(`${origin}/old`, options)
    assert.deepEqual(
      hops.map(({ url, status }) => [url, status]),
      [
        [`${origin}/old`, 301],
        [`${origin}/new`, 200],
      ],
    )
    assert.equal(hops.at(-1)?.headers['x-frame-options'], 'DENY')
    assert.equal(text, 'for Gate/1.0')
    assert.equal((await probe.request(`${origin}/large`, options)).text.length, 512 * 1024)
  })

  it('stops after the given number of redirects', async () => {
    assert.equal(
      (await probe.request(`${origin}/round`, { ...options, maxRedirects: 3 })).hops.length,
      4,
    )
    assert.equal(
      (await probe.request(`${origin}/old`, { ...options, maxRedirects: 0 })).hops.length,
      1,
    )
  })

  it('reaches no private network, by address or by name', async () => {
    const guarded = createSiteProbe(closed, 'Gate/1.0')
    for (const url of [origin, 'http://inside.example/'])
      await assert.rejects(
        guarded.request(url, options),
        (error) => error instanceof AppError && error.code === 'bad_url',
      )
    await assert.rejects(
      guarded.certificates('inside.example', 443, signal),
      (error) => error instanceof AppError && error.code === 'bad_url',
    )
  })

  it('fails where there is no TLS', async () => {
    await assert.rejects(
      probe.certificates('127.0.0.1', (mute.address() as AddressInfo).port, signal),
    )
  })
})
