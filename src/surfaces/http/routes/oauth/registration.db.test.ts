/** The metadata of the server, and the registration of clients. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { registerClient } from '../../../../auth/oauth/registrations.ts'
import { DAY_MS } from '../../../../lib/clock.ts'
import { ISSUER, openOAuthBed, REDIRECT, requestOf } from './testing/oauth-bed.ts'

const bed = await openOAuthBed()

const register = (payload: unknown, remoteAddress = '192.0.2.1') =>
  bed.app.inject({
    method: 'POST',
    url: '/oauth/register',
    remoteAddress,
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify(payload),
  })

describe('discovery', () => {
  it('a 401 leads to the resource, the authorization server and its endpoints', async () => {
    const refused = await bed.app.inject({
      method: 'POST',
      url: '/mcp',
      headers: { host: 'gate.example' },
      payload: {},
    })
    const resource = await bed.app.inject('/.well-known/oauth-protected-resource/mcp')
    const server = await bed.app.inject('/.well-known/oauth-authorization-server')
    const inserted = await bed.app.inject('/.well-known/oauth-authorization-server/mcp')
    const found = server.json<Record<string, unknown>>()
    assert.deepEqual(
      [
        refused.headers['www-authenticate'],
        resource.json<{ authorization_servers: string[] }>().authorization_servers,
        resource.json<{ resource: string }>().resource,
        found['issuer'],
        found['code_challenge_methods_supported'],
        found['token_endpoint_auth_methods_supported'],
        found['client_id_metadata_document_supported'],
        found['authorization_response_iss_parameter_supported'],
        inserted.json(),
      ],
      [
        `Bearer resource_metadata="${ISSUER}/.well-known/oauth-protected-resource/mcp", scope="actions"`,
        [ISSUER],
        `${ISSUER}/mcp`,
        ISSUER,
        ['S256'],
        ['none'],
        true,
        true,
        found,
      ],
    )
  })

  it('every advertised endpoint exists, and no OpenID configuration is advertised', async () => {
    const server = (await bed.app.inject('/.well-known/oauth-authorization-server')).json<
      Record<string, unknown>
    >()
    for (const [name, url] of Object.entries(server).filter(([name]) =>
      name.endsWith('_endpoint'),
    )) {
      const { pathname } = new URL(String(url))
      const reply = await bed.app.inject({
        method: name === 'authorization_endpoint' ? 'GET' : 'POST',
        url: pathname,
      })
      assert.ok(![404, 405, 500].includes(reply.statusCode), name)
    }
    const openId = await bed.app.inject('/.well-known/openid-configuration')
    assert.equal(openId.statusCode, 404)
  })
})

describe('registration', () => {
  it('returns a public client, for every requested method', async () => {
    const reply = await register({
      client_name: 'Older client',
      redirect_uris: [REDIRECT, 'http://localhost:1234/cb', 'cursor://anysphere/oauth'],
      token_endpoint_auth_method: 'client_secret_basic',
    })
    const client = reply.json<Record<string, unknown>>()
    assert.deepEqual(
      [
        reply.statusCode,
        client['token_endpoint_auth_method'],
        client['client_secret'],
        client['redirect_uris'],
        /^tgc_[\w-]{43}$/.test(String(client['client_id'])),
      ],
      [
        201,
        'none',
        undefined,
        [REDIRECT, 'http://localhost:1234/cb', 'cursor://anysphere/oauth'],
        true,
      ],
    )
  })

  for (const [name, metadata, error] of [
    ['no redirect URIs', {}, 'invalid_redirect_uri'],
    ['eleven redirect URIs', { redirect_uris: Array(11).fill(REDIRECT) }, 'invalid_redirect_uri'],
    ['http of another host', { redirect_uris: ['http://app.example/cb'] }, 'invalid_redirect_uri'],
    ['a script', { redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
    ['a fragment', { redirect_uris: [`${REDIRECT}#x`] }, 'invalid_redirect_uri'],
    ['a number', { redirect_uris: [1] }, 'invalid_redirect_uri'],
    ['a list', [], 'invalid_client_metadata'],
    [
      'the implicit grant',
      { redirect_uris: [REDIRECT], grant_types: ['implicit'] },
      'invalid_client_metadata',
    ],
    [
      'another response',
      { redirect_uris: [REDIRECT], response_types: ['token'] },
      'invalid_client_metadata',
    ],
  ] as const)
    it(`rejects ${name}`, async () => {
      const reply = await register(metadata)
      assert.deepEqual([reply.statusCode, reply.json<{ error: string }>().error], [400, error])
    })

  it('a body above 8 KiB is rejected', async () => {
    const reply = await register({ client_name: 'x'.repeat(9_000), redirect_uris: [REDIRECT] })
    assert.equal(reply.statusCode, 413)
  })

  it('of an unused client expires after a day', async () => {
    const clientId = await bed.register()
    bed.clock.advance(DAY_MS)
    const reply = await bed.authorize(requestOf(clientId))
    assert.equal(reply.statusCode, 400)
  })

  it('a flood from one network is limited, and does not stop another network', async () => {
    const statuses: number[] = []
    for (let sent = 0; sent < 101; sent += 1)
      statuses.push((await register({ redirect_uris: [REDIRECT] }, '198.51.100.7')).statusCode)
    const other = await register({ redirect_uris: [REDIRECT] }, '203.0.113.7')
    assert.deepEqual([statuses.at(99), statuses.at(100), other.statusCode], [201, 429, 201])
  })

  it('keeps at most a fixed number of unapproved clients, and all approved ones', async () => {
    const { clientId: approved } = await bed.connect()
    const deps = { database: bed.database, now: bed.clock }
    const ids: string[] = []
    for (let sent = 0; sent < 5; sent += 1) {
      bed.clock.advance(1_000)
      ids.push((await registerClient(deps, { redirect_uris: [REDIRECT] }, 3)).id)
    }
    const { rows } = await bed.database.query<{ id: string }>(
      'select id from oauth_clients order by created_at, id',
    )
    assert.deepEqual(rows.map(({ id }) => id).slice(-4), [approved, ...ids.slice(-3)])
    assert.equal(rows.length, 4)
  })
})
