/** Codes, access tokens and refresh tokens of clients, and attacks on them. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { forgetExpiredOAuth } from '../../../../auth/oauth/forget-expired.ts'
import { DAY_MS, HOUR_MS } from '../../../../lib/clock.ts'
import { publicId } from '../../../../lib/ids.ts'
import {
  CHALLENGE,
  ISSUER,
  locationOf,
  openOAuthBed,
  REDIRECT,
  requestOf,
  RESOURCE,
} from './testing/oauth-bed.ts'

const bed = await openOAuthBed()

type Tokens = { access_token: string; refresh_token: string; expires_in: number; scope: string }

describe('exchanging a code', () => {
  it('returns a child key within the consented limits, which works at /mcp', async () => {
    const { access_token: access, expires_in: seconds, scope } = await bed.connect({ amount: '3' })
    const caller = await bed.callerOf(access)
    const id = publicId('key', caller?.keyId ?? assert.fail('no caller'))
    const keys = (await bed.get('/api/v1/agents')).json<{ data: Record<string, unknown>[] }>().data
    const record = keys.find((one) => one['id'] === id) ?? assert.fail('no record')
    assert.deepEqual(
      [
        seconds,
        scope,
        caller?.audience,
        caller?.ancestorIds,
        caller?.primary,
        record['ceiling_cents'],
        record['ceiling_period'],
        record['scope'],
        record['may_mint'],
        record['label'],
        await bed.mcpStatus(access),
      ],
      [
        3600,
        'actions',
        RESOURCE,
        [bed.caller.keyId],
        false,
        300,
        'day',
        'own',
        false,
        'Reader',
        200,
      ],
    )
  })

  it('stores only hashes of the code, the access token and the refresh token', async () => {
    const clientId = await bed.register()
    const code = await bed.codeFor(clientId)
    const tokens = (await bed.exchange(clientId, code)).json<Tokens>()
    const { rows } = await bed.database.query<{ text: string }>(
      `select coalesce(string_agg(row_to_json(c)::text, ''), '') || (select string_agg(row_to_json(k)::text, '') from keys as k)
         || (select string_agg(row_to_json(g)::text, '') from oauth_grants as g) as text from oauth_codes as c`,
    )
    const stored = rows[0]?.text ?? ''
    for (const secret of [code, tokens.access_token, tokens.refresh_token.split('.')[1] ?? ''])
      assert.ok(stored !== '' && !stored.includes(secret))
  })

  it('a replayed code revokes the key and the refresh token that it issued', async () => {
    const clientId = await bed.register()
    const code = await bed.codeFor(clientId)
    const tokens = (await bed.exchange(clientId, code)).json<Tokens>()
    const again = await bed.exchange(clientId, code)
    const refreshed = await bed.refresh(clientId, tokens.refresh_token)
    assert.deepEqual(
      [
        again.statusCode,
        again.json<{ error: string }>().error,
        await bed.mcpStatus(tokens.access_token),
        refreshed.json<{ error: string }>().error,
      ],
      [400, 'invalid_grant', 401, 'invalid_grant'],
    )
  })

  it('of concurrent exchanges of one code, at most one token survives, and then none', async () => {
    const clientId = await bed.register()
    const code = await bed.codeFor(clientId)
    const replies = await Promise.all(Array.from({ length: 6 }, () => bed.exchange(clientId, code)))
    const issued = replies.flatMap((reply) =>
      reply.statusCode === 200 ? [reply.json<Tokens>().access_token] : [],
    )
    assert.ok(issued.length <= 1)
    const statuses = await Promise.all(issued.map((access) => bed.mcpStatus(access)))
    assert.deepEqual(
      statuses,
      issued.map(() => 401),
    )
  })

  it('a code expires after 60 seconds', async () => {
    const clientId = await bed.register()
    const [early, late] = [await bed.codeFor(clientId), await bed.codeFor(clientId)]
    bed.clock.advance(59_000)
    assert.equal((await bed.exchange(clientId, early)).statusCode, 200)
    bed.clock.advance(1_000)
    assert.equal(
      (await bed.exchange(clientId, late)).json<{ error: string }>().error,
      'invalid_grant',
    )
  })

  for (const [name, changes, error] of [
    ['another client', { client_id: 'tgc_other' }, 'invalid_grant'],
    ['another redirect URI', { redirect_uri: `${REDIRECT}/` }, 'invalid_grant'],
    ['a wrong verifier', { code_verifier: 'w'.repeat(64) }, 'invalid_grant'],
    ['the challenge as a plain verifier', { code_verifier: CHALLENGE }, 'invalid_grant'],
    ['no verifier', { code_verifier: undefined }, 'invalid_request'],
    ['another resource', { resource: 'https://other.example/mcp' }, 'invalid_target'],
    ['an unknown code', { code: 'x'.repeat(43) }, 'invalid_grant'],
    ['another grant type', { grant_type: 'password' }, 'unsupported_grant_type'],
  ] as const)
    it(`rejects ${name}`, async () => {
      const clientId = await bed.register()
      const reply = await bed.exchange(clientId, await bed.codeFor(clientId), changes)
      assert.deepEqual(
        [reply.statusCode, reply.json<{ error: string }>().error, reply.headers['cache-control']],
        [400, error, 'no-store'],
      )
    })

  it('a code of one client is useless to another, even with the verifier', async () => {
    const [victim, attacker] = [await bed.register(), await bed.register()]
    const code = await bed.codeFor(victim)
    const reply = await bed.exchange(attacker, code)
    assert.equal(reply.json<{ error: string }>().error, 'invalid_grant')
  })

  it('repeated parameters and JSON bodies are invalid requests', async () => {
    const twice = await bed.app.inject({
      method: 'POST',
      url: '/oauth/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'grant_type=refresh_token&grant_type=authorization_code',
    })
    const json = await bed.app.inject({
      method: 'POST',
      url: '/oauth/token',
      payload: { grant_type: 'refresh_token' },
    })
    assert.deepEqual(
      [twice, json].map((reply) => [reply.statusCode, reply.json<{ error: string }>().error]),
      [
        [400, 'invalid_request'],
        [400, 'invalid_request'],
      ],
    )
  })
})

describe('an access token', () => {
  it('stops working after an hour, and its successor continues with the same key', async () => {
    const { access_token: access, refresh_token: refresh, clientId } = await bed.connect()
    const first = await bed.callerOf(access)
    bed.clock.advance(HOUR_MS - 1)
    assert.equal(await bed.mcpStatus(access), 200)
    bed.clock.advance(1)
    assert.equal(await bed.mcpStatus(access), 401)
    const next = (await bed.refresh(clientId, refresh)).json<Tokens>()
    assert.deepEqual(
      [
        await bed.mcpStatus(access),
        await bed.mcpStatus(next.access_token),
        (await bed.callerOf(next.access_token))?.keyId,
      ],
      [401, 200, first?.keyId],
    )
  })

  it('continues for a minute after it was replaced, for calls of other workers', async () => {
    const { access_token: access, refresh_token: refresh, clientId } = await bed.connect()
    await bed.refresh(clientId, refresh)
    assert.equal(await bed.mcpStatus(access), 200)
    bed.clock.advance(60_000)
    assert.equal(await bed.mcpStatus(access), 401)
  })

  it('never signs in to the pages', async () => {
    const { access_token: access } = await bed.connect()
    const reply = await bed.app.inject({
      method: 'POST',
      url: '/balance/sign-in',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ key: access }).toString(),
    })
    assert.deepEqual([reply.statusCode, reply.headers['set-cookie']], [401, undefined])
  })

  it('of another resource is rejected', async () => {
    const { access_token: access } = await bed.connect()
    await bed.database.query('update keys set audience = $2 where id = $1', [
      (await bed.callerOf(access))?.keyId ?? '',
      'https://former.example/mcp',
    ])
    assert.equal(await bed.mcpStatus(access), 401)
  })

  it('passes its audience on to keys that it creates', async () => {
    const { access_token: access } = await bed.connect()
    const keyId = (await bed.callerOf(access))?.keyId ?? ''
    await bed.database.query('update keys set may_mint = true where id = $1', [keyId])
    const child = await bed.callTool(access, 'budget', { do: 'create', ceiling_cents: 1 })
    const key =
      /tg_live_[0-9A-Za-z]{38}/.exec(child.content[0]?.text ?? '')?.[0] ?? assert.fail('no key')
    assert.equal((await bed.callerOf(key))?.audience, RESOURCE)
  })

  it('cannot create keys', async () => {
    const { access_token: access } = await bed.connect()
    const child = await bed.callTool(access, 'budget', { do: 'create', ceiling_cents: 1 })
    assert.match(child.content[0]?.text ?? '', /key_cannot_mint_keys/)
  })

  it('uses only the consented actions', async () => {
    const { access_token: access, scope } = await bed.connect({ allow: 'core/*' })
    const reply = await bed.callTool(access, 'run', {
      service: 'semantic',
      action: 'search',
      params: { query: 'x' },
    })
    assert.equal(scope, 'core/*')
    assert.match(reply.content[0]?.text ?? '', /action_not_allowed/)
  })

  it('ends with the consented days', async () => {
    const { refresh_token: refresh, clientId } = await bed.connect({ days: '1' })
    bed.clock.advance(DAY_MS - 1_000)
    const last = (await bed.refresh(clientId, refresh)).json<Tokens>()
    assert.equal(last.expires_in, 1)
    bed.clock.advance(1_000)
    const late = await bed.refresh(clientId, last.refresh_token)
    assert.deepEqual(
      [await bed.mcpStatus(last.access_token), late.json<{ error: string }>().error],
      [401, 'invalid_grant'],
    )
  })
})

describe('a refresh token', () => {
  it('that was already replaced revokes the whole grant', async () => {
    const { refresh_token: first, clientId } = await bed.connect()
    const second = (await bed.refresh(clientId, first)).json<Tokens>()
    bed.clock.advance(60_000)
    const third = (await bed.refresh(clientId, second.refresh_token)).json<Tokens>()
    const reused = await bed.refresh(clientId, first)
    const last = await bed.refresh(clientId, third.refresh_token)
    assert.deepEqual(
      [
        reused.json<{ error: string }>().error,
        last.json<{ error: string }>().error,
        await bed.mcpStatus(third.access_token),
      ],
      ['invalid_grant', 'invalid_grant', 401],
    )
  })

  it('of one client is useless to another, and stays valid', async () => {
    const { refresh_token: refresh, clientId } = await bed.connect()
    const other = await bed.refresh(await bed.register(), refresh)
    const own = await bed.refresh(clientId, refresh)
    assert.deepEqual(
      [other.json<{ error: string }>().error, own.statusCode],
      ['invalid_grant', 200],
    )
  })

  it('with a forged last part revokes the grant, and an unknown family does nothing', async () => {
    const { refresh_token: refresh, access_token: access, clientId } = await bed.connect()
    const unknown = await bed.refresh(clientId, `tgr_${'f'.repeat(43)}.${'p'.repeat(43)}`)
    assert.deepEqual([unknown.statusCode, await bed.mcpStatus(access)], [400, 200])
    await bed.refresh(clientId, `${refresh.slice(0, -43)}${'p'.repeat(43)}`)
    assert.equal(await bed.mcpStatus(access), 401)
  })

  it('grants no further scope', async () => {
    const { refresh_token: refresh, clientId } = await bed.connect({ allow: 'core/*' })
    const wider = await bed.token({
      grant_type: 'refresh_token',
      refresh_token: refresh,
      client_id: clientId,
      scope: 'core/* semantic/search',
    })
    const same = await bed.token({
      grant_type: 'refresh_token',
      refresh_token: refresh,
      client_id: clientId,
      scope: 'core/* offline_access',
    })
    assert.deepEqual(
      [wider.json<{ error: string }>().error, same.statusCode],
      ['invalid_scope', 200],
    )
  })

  it('is limited to 60 uses an hour', async () => {
    let { refresh_token: refresh, clientId } = await bed.connect()
    for (let use = 0; use < 60; use += 1)
      refresh = (await bed.refresh(clientId, refresh)).json<Tokens>().refresh_token
    const reply = await bed.refresh(clientId, refresh)
    assert.deepEqual(
      [reply.statusCode, reply.json<{ error: string }>().error],
      [429, 'temporarily_unavailable'],
    )
  })
})

describe('ending a grant', () => {
  for (const kind of ['access_token', 'refresh_token'] as const)
    it(`revocation of the ${kind} ends both (RFC 7009)`, async () => {
      const tokens = await bed.connect()
      const revoke = (fields: Record<string, string>) =>
        bed.app.inject({
          method: 'POST',
          url: '/oauth/revoke',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          payload: new URLSearchParams(fields).toString(),
        })
      const foreign = await revoke({ token: tokens[kind], client_id: 'tgc_other' })
      assert.deepEqual(
        [foreign.json<{ error: string }>().error, await bed.mcpStatus(tokens.access_token)],
        ['invalid_client', 200],
      )
      const reply = await revoke({ token: tokens[kind], client_id: tokens.clientId })
      const refreshed = await bed.refresh(tokens.clientId, tokens.refresh_token)
      assert.deepEqual(
        [reply.statusCode, await bed.mcpStatus(tokens.access_token), refreshed.statusCode],
        [200, 401, 400],
      )
    })

  it('revocation of an unknown token, or of a key, has no effect', async () => {
    for (const token of ['unknown', bed.liveKey, `tgr_${'f'.repeat(43)}.${'p'.repeat(43)}`]) {
      const reply = await bed.app.inject({
        method: 'POST',
        url: '/oauth/revoke',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams({ token }).toString(),
      })
      assert.equal(reply.statusCode, 200)
    }
    assert.equal((await bed.get('/api/v1/agents/me')).statusCode, 200)
  })

  it('the holder sees the client at its key, and revoking the key ends the access', async () => {
    const { access_token: access, refresh_token: refresh, clientId } = await bed.connect()
    const list = await bed.get('/api/v1/agents')
    const grant = list
      .json<{ data: { id: string; client_id: string | null }[] }>()
      .data.find(({ client_id: id }) => id === clientId)
    assert.ok(grant !== undefined)
    const rotated = await bed.post(`/api/v1/agents/${grant.id}/rotate`, {})
    assert.equal(rotated.statusCode, 400)
    await bed.app.inject({
      method: 'DELETE',
      url: `/api/v1/agents/${grant.id}`,
      headers: { authorization: `Bearer ${bed.liveKey}` },
    })
    const refreshed = await bed.refresh(clientId, refresh)
    assert.deepEqual([await bed.mcpStatus(access), refreshed.statusCode], [401, 400])
  })

  it('the audit log names the member and the client', async () => {
    const { refresh_token: refresh, clientId } = await bed.connect()
    await bed.refresh(clientId, refresh)
    const { rows } = await bed.database.query<{ author: string; what: string }>(
      "select author, what from changes where subject = 'key' and author like $1 order by id",
      [`%${clientId}%`],
    )
    assert.match(rows[0]?.author ?? '', /^member mem_[0-9a-f]{32} through client /)
    assert.deepEqual(rows, [
      { author: rows[0]?.author, what: 'created' },
      { author: `client ${clientId}`, what: 'changed' },
    ])
  })

  it('a code is refused after the account revoked its primary rights', async () => {
    const clientId = await bed.register()
    const code = await bed.codeFor(clientId)
    await bed.database.query("update budgets set state = 'paused' where id = $1", [
      bed.caller.keyId,
    ])
    const reply = await bed.exchange(clientId, code)
    await bed.database.query("update budgets set state = 'open' where id = $1", [bed.caller.keyId])
    assert.equal(reply.json<{ error: string }>().error, 'invalid_grant')
  })

  it('a chore forgets expired codes, unused registrations and ended grants', async () => {
    const clientId = await bed.register()
    const { clientId: used } = await bed.connect({ days: '2' })
    bed.clock.advance(3 * DAY_MS)
    await forgetExpiredOAuth(bed.database, bed.clock())
    const { rows } = await bed.database.query<{ codes: bigint; grants: bigint; clients: string[] }>(
      `select (select count(*) from oauth_codes) as codes,
         (select count(*) from oauth_grants join budgets on id = key_id where expires_ms <= $1) as grants,
         (select array_agg(id) from oauth_clients where id = any($2)) as clients`,
      [bed.clock(), [clientId, used]],
    )
    assert.deepEqual(rows[0], { codes: 0n, grants: 0n, clients: [used] })
  })
})

describe('the answer to the browser', () => {
  it('names the issuer with the code and with an error (RFC 9207)', async () => {
    const clientId = await bed.register()
    const query = requestOf(clientId)
    const page = await bed.authorize(query)
    const denied = locationOf(await bed.consent(page, { decision: 'deny' }))
    const wrong = locationOf(await bed.authorize({ ...query, code_challenge: undefined }))
    const given = locationOf(await bed.consent(await bed.authorize(query)))
    assert.deepEqual(
      [denied, wrong, given].map(({ searchParams: found, origin, pathname }) => [
        origin + pathname,
        found.get('iss'),
        found.get('state'),
        found.get('error'),
      ]),
      [
        [REDIRECT, ISSUER, query['state'], 'access_denied'],
        [REDIRECT, ISSUER, query['state'], 'invalid_request'],
        [REDIRECT, ISSUER, query['state'], null],
      ],
    )
  })
})
