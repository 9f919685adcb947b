import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { Agent } from 'undici'
import { AppError } from '../errors/app-error.ts'
import { Deadline } from '../lib/deadline.ts'
import { exchangeFollowing } from './follow-redirects.ts'

const PNG = Buffer.from([0x89, 0x50, 0xff, 0x00])
let server: Server
let origin = ''
const dispatcher = new Agent()

before(async () => {
  server = createServer((request, response) => {
    const moved: Record<string, string> = {
      '/old?x=1': '/new?x=1',
      '/away': 'http://other.example/new',
      '/circle': '/circle',
    }
    const location = moved[request.url ?? '']
    if (location !== undefined) response.writeHead(302, { location }).end()
    else if (request.url === '/picture')
      response.writeHead(200, { 'content-type': 'image/png' }).end(PNG)
    else response.writeHead(200, { 'content-type': 'text/html' }).end('here')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
after(async () => {
  await dispatcher.close()
  server.close()
})

async function read(path: string, anywhere = false) {
  const deadline = new Deadline(60_000)
  const outgoing = { origin, path, method: 'GET', headers: {}, body: null } as const
  return exchangeFollowing(
    dispatcher,
    outgoing,
    { deadline, maxBytes: 1_000, binary: true },
    anywhere,
  ).finally(() => deadline.end())
}

describe('redirects of a vendor', () => {
  it('are followed on its own host, with the final path in the result', async () => {
    const { status, text, path } = await read('/old?x=1')
    assert.deepEqual([status, text, path], [200, 'here', '/new?x=1'])
  })

  it('fail when they lead to another host or never end', async () => {
    for (const path of ['/away', '/circle'])
      await assert.rejects(
        read(path),
        (error) => error instanceof AppError && error.code === 'upstream_error',
      )
  })

  it('are followed to another host if allowed, but never from https to http', async () => {
    await assert.rejects(
      read('/away', true),
      (error) => error instanceof AppError && error.code === 'upstream_error',
    )
  })

  it('returns an image as base64, and text as text', async () => {
    assert.equal((await read('/picture')).text, PNG.toString('base64'))
    assert.equal((await read('/new')).text, 'here')
  })
})
