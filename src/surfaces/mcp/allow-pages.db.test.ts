/** Clients in web pages, whose browsers send preflights. */
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { openAppBed } from '../../../test/harness/beds/app.ts'

const OWN = ['http://localhost:6274', 'http://127.0.0.1:5173', 'https://gate.example']
const FOREIGN = ['https://evil.example', 'http://localhost.evil.example', 'null']
const FOR_PROGRAMS = ['/mcp', '/oauth/register', '/oauth/token', '/oauth/revoke']
const METADATA = [
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/mcp',
  '/.well-known/oauth-authorization-server',
  '/.well-known/oauth-authorization-server/mcp',
]
const SENT = 'authorization,content-type,mcp-protocol-version'

let app: FastifyInstance
before(async () => {
  ;({ app } = await openAppBed())
})

function send(options: InjectOptions, origin: string) {
  const { headers } = options
  return app.inject({ ...options, headers: { host: 'gate.example', ...headers, origin } })
}

const preflight = (url: string, method: string, origin: string) =>
  send(
    {
      method: 'OPTIONS',
      url,
      headers: {
        'access-control-request-method': method,
        'access-control-request-headers': SENT,
      },
    },
    origin,
  )

describe('a page of loopback or the gateway', () => {
  it('may call /mcp and the authorization server, without cookies', async () => {
    for (const url of FOR_PROGRAMS)
      for (const origin of OWN) {
        const { statusCode, headers } = await preflight(url, 'POST', origin)
        assert.deepEqual(
          [statusCode, headers['access-control-allow-origin'], headers['vary']],
          [204, origin, 'origin'],
          `${url} ${origin}`,
        )
        assert.equal(headers['access-control-allow-methods'], 'POST')
        assert.equal(headers['access-control-allow-credentials'], undefined)
        const allowed = String(headers['access-control-allow-headers']).split(', ')
        for (const name of SENT.split(',')) assert.ok(allowed.includes(name), name)
      }
  })

  it('reads every response, errors and the challenge included', async () => {
    const [origin = ''] = OWN
    for (const url of FOR_PROGRAMS) {
      const { headers, statusCode } = await send({ method: 'POST', url, payload: {} }, origin)
      assert.ok(statusCode >= 400, url)
      assert.equal(headers['access-control-allow-origin'], origin, url)
      assert.match(String(headers['access-control-expose-headers']), /www-authenticate/)
    }
  })
})

describe('a page of another site', () => {
  it('may not call /mcp or the authorization server', async () => {
    for (const url of FOR_PROGRAMS)
      for (const origin of FOREIGN)
        for (const reply of [
          await preflight(url, 'POST', origin),
          await send({ method: 'POST', url, payload: {} }, origin),
        ])
          assert.equal(reply.headers['access-control-allow-origin'], undefined, `${url} ${origin}`)
  })

  it('reads the public metadata, also with the header of its protocol version', async () => {
    for (const url of METADATA)
      for (const origin of [...OWN, ...FOREIGN]) {
        const asked = await preflight(url, 'GET', origin)
        const read = await send({ method: 'GET', url }, origin)
        for (const { headers } of [asked, read])
          assert.equal(headers['access-control-allow-origin'], '*', url)
        assert.deepEqual([asked.statusCode, read.statusCode], [204, 200])
        assert.match(String(asked.headers['access-control-allow-headers']), /mcp-protocol-version/)
      }
  })
})
