/** Sessions of one client that refresh at the same time, and clients that lose a response. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { forgetExpiredOAuth } from '../../../../auth/oauth/forget-expired.ts'
import { HOUR_MS } from '../../../../lib/clock.ts'
import { openOAuthBed } from './testing/oauth-bed.ts'

const bed = await openOAuthBed()
const GRACE_MS = 60_000

type Tokens = { access_token: string; refresh_token: string; expires_in: number; scope: string }

async function refreshed(clientId: string, token: string): Promise<Tokens> {
  const reply = await bed.refresh(clientId, token)
  assert.equal(reply.statusCode, 200, reply.body)
  return reply.json<Tokens>()
}

async function errorOf(clientId: string, token: string): Promise<string> {
  return (await bed.refresh(clientId, token)).json<{ error: string }>().error
}

describe('a repeated refresh', () => {
  it('returns the same tokens for 60 seconds, and revokes the grant afterwards', async () => {
    const { refresh_token: first, clientId } = await bed.connect()
    bed.clock.advance(HOUR_MS)
    const tokens = await refreshed(clientId, first)
    bed.clock.advance(GRACE_MS - 1)
    const repeated = await refreshed(clientId, first)
    assert.deepEqual(repeated, { ...tokens, expires_in: 3540 })
    assert.equal(await bed.mcpStatus(tokens.access_token), 200)
    bed.clock.advance(1)
    assert.equal(await errorOf(clientId, first), 'invalid_grant')
    assert.equal(await bed.mcpStatus(tokens.access_token), 401)
    assert.equal(await errorOf(clientId, tokens.refresh_token), 'invalid_grant')
  })

  it('leaves concurrent sessions with working tokens, hour after hour', async () => {
    const { refresh_token: first, clientId } = await bed.connect()
    let tokens = Array<string>(8).fill(first)
    for (let hour = 0; hour < 3; hour += 1) {
      bed.clock.advance(HOUR_MS)
      const answers = await Promise.all(tokens.map((token) => refreshed(clientId, token)))
      assert.equal(new Set(answers.map((answer) => answer.access_token)).size, 1)
      const statuses = await Promise.all(
        answers.map((answer) => bed.mcpStatus(answer.access_token)),
      )
      assert.deepEqual(new Set(statuses), new Set([200]))
      tokens = answers.map((answer) => answer.refresh_token)
    }
  })

  it('works for a slow session after another one refreshed twice within the minute', async () => {
    const { refresh_token: first, clientId } = await bed.connect()
    const second = await refreshed(clientId, first)
    bed.clock.advance(20_000)
    const third = await refreshed(clientId, second.refresh_token)
    bed.clock.advance(20_000)
    const late = await refreshed(clientId, first)
    assert.deepEqual(
      await Promise.all([third, late].map((answer) => bed.mcpStatus(answer.access_token))),
      [200, 200],
    )
    bed.clock.advance(HOUR_MS)
    assert.equal((await bed.refresh(clientId, late.refresh_token)).statusCode, 200)
  })

  it('rotates the token again after the minute', async () => {
    const { refresh_token: first, clientId } = await bed.connect()
    const second = await refreshed(clientId, first)
    bed.clock.advance(GRACE_MS)
    const third = await refreshed(clientId, second.refresh_token)
    assert.notEqual(third.refresh_token, second.refresh_token)
    assert.notEqual(third.access_token, second.access_token)
    assert.equal(await errorOf(clientId, first), 'invalid_grant')
    assert.equal(await bed.mcpStatus(third.access_token), 401)
  })

  it('is refused for another client, after a revocation, and for a forged token', async () => {
    const { refresh_token: first, clientId } = await bed.connect()
    const tokens = await refreshed(clientId, first)
    assert.equal(await errorOf(await bed.register(), first), 'invalid_grant')
    assert.equal(await bed.mcpStatus(tokens.access_token), 200)
    await errorOf(clientId, `${first.slice(0, -43)}${'p'.repeat(43)}`)
    assert.equal(await bed.mcpStatus(tokens.access_token), 401)
    assert.equal(await errorOf(clientId, first), 'invalid_grant')
  })

  it('never revives a grant that ends at the same time', async () => {
    const { refresh_token: first, clientId } = await bed.connect()
    const { access_token: access } = await refreshed(clientId, first)
    const keyId = (await bed.callerOf(access))?.keyId ?? ''
    const [ended] = await Promise.all([
      bed.app.inject({
        method: 'POST',
        url: '/oauth/revoke',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams({ token: first }).toString(),
      }),
      ...Array.from({ length: 6 }, () => bed.refresh(clientId, first)),
    ])
    assert.equal(ended.statusCode, 200)
    assert.equal(await errorOf(clientId, first), 'invalid_grant')
    assert.equal(await bed.mcpStatus(access), 401)
    const { rows } = await bed.database.query<{ state: string }>(
      'select state from budgets where id = $1',
      [keyId],
    )
    assert.equal(rows[0]?.state, 'closed')
  })

  it('needs nothing secret in the database, and nothing at all after the minute', async () => {
    const { refresh_token: first, clientId } = await bed.connect()
    const tokens = await refreshed(clientId, first)
    const read = async (): Promise<string> => {
      const { rows } = await bed.database.query<{ text: string }>(
        `select (select string_agg(row_to_json(k)::text, '') from keys as k) || (select string_agg(row_to_json(g)::text, '') from oauth_grants as g) as text`,
      )
      return rows[0]?.text ?? ''
    }
    const stored = await read()
    for (const secret of [tokens.access_token, tokens.refresh_token, first]) {
      const part = secret.split('.').at(-1) ?? ''
      const bytes = Buffer.from(part, 'base64url').toString('hex')
      assert.ok(stored !== '' && !stored.includes(part) && !stored.includes(bytes))
    }
    bed.clock.advance(GRACE_MS)
    await forgetExpiredOAuth(bed.database, bed.clock())
    const { rows } = await bed.database.query(
      'select from oauth_grants where rotation_salt is not null or rotated_at is not null',
    )
    assert.equal(rows.length, 0)
    assert.equal((await bed.refresh(clientId, tokens.refresh_token)).statusCode, 200)
  })
})
