/** Access tokens of connected clients work at PUBLIC_URL/mcp only. */
import assert from 'node:assert/strict'
import diagnostics from 'node:diagnostics_channel'
import { describe, it } from 'node:test'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { createFakeBrowsers } from '../../../../../test/harness/fake-browsers.ts'
import { newSecret } from '../../../../keys/format.ts'
import { openOAuthBed } from './testing/oauth-bed.ts'

type Method = Exclude<InjectOptions['method'], undefined>
type Route = { readonly method: Method; readonly url: string }

const routes: Route[] = []
function noteRoutes(message: unknown): void {
  const { fastify } = message as { fastify: FastifyInstance }
  fastify.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) routes.push({ method: one, url })
  })
}

diagnostics.subscribe('fastify.initialization', noteRoutes)
const bed = await openOAuthBed({ browsers: createFakeBrowsers().own })
diagnostics.unsubscribe('fastify.initialization', noteRoutes)

const MCP = '/mcp'

function send({ method, url }: Route, secret: string, signal?: AbortSignal) {
  const path = url.replaceAll(/:[A-Za-z_]+|\*/g, 'x')
  return bed.app.inject({
    method,
    url: path,
    headers: { host: 'gate.example', authorization: `Bearer ${secret}` },
    ...(signal === undefined ? {} : { signal }),
  })
}

describe('an access token', () => {
  it('is no key at any route except /mcp', async () => {
    const { access_token: access } = await bed.connect()
    const unknown = newSecret('live')
    const wrong: string[] = []
    let keyed = 0
    for (const route of routes) {
      const expected = await send(route, unknown)
      if (expected.statusCode !== 401 || route.url === MCP) continue
      const challenge = expected.headers['www-authenticate']
      if (challenge === 'Bearer error="invalid_token"') keyed += 1
      // A route that accepts the token may wait for events or send a stream without end.
      const reply = await send(route, access, AbortSignal.timeout(1_000)).catch(() => null)
      if (reply?.statusCode !== 401 || reply.headers['www-authenticate'] !== challenge)
        wrong.push(`${route.method} ${route.url}: ${reply?.statusCode ?? 'open'}`)
    }
    assert.deepEqual(wrong, [])
    assert.ok(keyed > 60, `${keyed} routes`)
  })

  it('is refused elsewhere also while /mcp has cached it, with advice', async () => {
    const { access_token: access } = await bed.connect()
    for (let round = 0; round < 2; round += 1) {
      assert.equal(await bed.mcpStatus(access), 200)
      const reply = await bed.post(
        '/api/run/core/discover',
        { query: 'x' },
        { authorization: `Bearer ${access}` },
      )
      const { error } = reply.json<{ error: { code: string; message: string; fix: string } }>()
      assert.deepEqual([reply.statusCode, error.code], [401, 'invalid_token'])
      assert.match(error.message, /access token/)
      assert.match(error.fix, /\/keys/)
    }
  })

  it('is refused by concurrent requests of which one is at /mcp', async () => {
    const { access_token: access } = await bed.connect()
    const [there, elsewhere] = await Promise.all([
      bed.mcpStatus(access),
      bed.get('/api/v1/agents/me', { authorization: `Bearer ${access}` }),
    ])
    assert.deepEqual([there, elsewhere.statusCode], [200, 401])
  })

  it('runs paid actions and reads the balance at /mcp', async () => {
    const { access_token: access } = await bed.connect()
    bed.vendor.answerWith(() => ({ body: { requestId: 'r', results: [] } }))
    for (const [name, args] of [
      ['run', { service: 'semantic', action: 'search', params: { query: 'x' } }],
      ['balance', {}],
    ] as const)
      assert.notEqual((await bed.callTool(access, name, args)).isError, true, name)
  })
})
