/** The consent page, and the attacks on it and on the redirect to the client. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createAccount } from '../../../../accounts/create-account.ts'
import { openKeySession } from '../../../../auth/records/browser-session.ts'
import { createKey } from '../../../../keys/create-key.ts'
import { parsePublicId } from '../../../../lib/ids.ts'
import { formIn, sendForm } from '../../../../../test/harness/clients/forms.ts'
import { openOwnerSession } from '../../../../../test/harness/owner-session.ts'
import { locationOf, openOAuthBed, REDIRECT, requestOf } from './testing/oauth-bed.ts'

const bed = await openOAuthBed()
const alertIn = (body: string): string => /role="alert">([^<]*)</.exec(body)?.[1] ?? ''

describe('the consent page', () => {
  it('names the client, its redirect, the account and the default limits', async () => {
    const page = await bed.authorize(requestOf(await bed.register()))
    for (const text of [
      'Connect <bdi class="given">Reader</bdi>?',
      'Registered itself, not verified',
      '<bdi>app.example</bdi>',
      'mine@gate.example.com',
      '<option value="day" selected>',
    ])
      assert.ok(page.body.includes(text), text)
    assert.match(page.body, /name="amount"[^>]* value="5\.00"/)
    assert.match(page.body, /name="days"[^>]* value="30"/)
  })

  it('escapes the name of the client exactly, and removes text that hides or reorders', async () => {
    const name = `<script>alert(1)</script>"'&\u202e\u0000\u200bEvil`
    const page = await bed.authorize(requestOf(await bed.register({ client_name: name })))
    assert.ok(
      page.body.includes(
        'Connect <bdi class="given">&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;Evil</bdi>?',
      ),
    )
    assert.ok(!page.body.includes('<script>alert'))
  })

  it('cannot be framed, stored or submitted elsewhere', async () => {
    const { headers } = await bed.authorize(requestOf(await bed.register()))
    const policy = String(headers['content-security-policy'])
    assert.ok(policy.includes("frame-ancestors 'none'"))
    assert.ok(policy.includes("form-action 'self' https://app.example;"))
    assert.deepEqual(
      [headers['cache-control'], headers['referrer-policy']],
      ['no-store', 'same-origin'],
    )
  })

  it('warns of an app on the device and of an unverified site', async () => {
    const loopback = 'http://127.0.0.1:3000/callback'
    const clientId = await bed.register({ redirect_uris: [loopback, REDIRECT] })
    const local = await bed.authorize({ ...requestOf(clientId), redirect_uri: loopback })
    const site = await bed.authorize(requestOf(clientId))
    assert.ok(local.body.includes('another app could claim this name'))
    assert.ok(site.body.includes('The name is not verified.'))
    assert.ok(
      String(local.headers['content-security-policy']).includes(
        "form-action 'self' http://127.0.0.1:3000;",
      ),
    )
  })

  it('shows the actions that the client requests, and grants what the person enters', async () => {
    const clientId = await bed.register()
    const query = { ...requestOf(clientId), scope: 'openid core/* semantic/search' }
    const page = await bed.authorize(query)
    assert.ok(page.body.includes('core/*\nsemantic/search</textarea>'))
    const code = locationOf(await bed.consent(page, { allow: 'semantic/search' })).searchParams
    const reply = await bed.exchange(clientId, code.get('code') ?? '')
    assert.equal(reply.json<{ scope: string }>().scope, 'semantic/search')
  })

  for (const [name, fields, problem] of [
    ['no amount', { amount: '' }, 'A client needs a spending limit.'],
    ['the amount 0', { amount: '0' }, 'A client needs a spending limit.'],
    ['a negative amount', { amount: '-5' }, 'The spending limit is not an amount in dollars.'],
    ['an unknown period', { period: 'year' }, 'The period is unknown.'],
    ['400 days', { days: '400' }, 'The number of days is invalid.'],
    ['an unknown action', { allow: 'core/nonesuch' }, 'matches no action.'],
    ['text that is no pattern', { allow: '<b>' }, 'is not a pattern.'],
  ] as const)
    it(`shows the form again for ${name}, which then still works`, async () => {
      const page = await bed.authorize(requestOf(await bed.register()))
      const again = await bed.consent(page, fields)
      assert.deepEqual([again.statusCode, alertIn(again.body).includes(problem)], [400, true])
      assert.equal((await bed.consent(again)).statusCode, 303)
    })

  it('denying returns access_denied, and its form cannot be used again', async () => {
    const page = await bed.authorize(requestOf(await bed.register()))
    const denied = await bed.consent(page, { decision: 'deny' })
    const later = await bed.consent(page)
    assert.deepEqual(
      [locationOf(denied).searchParams.get('error'), later.statusCode, later.headers.location],
      ['access_denied', 400, undefined],
    )
  })
})

describe('the form of the consent page', () => {
  it('works once', async () => {
    const page = await bed.authorize(requestOf(await bed.register()))
    assert.equal((await bed.consent(page)).statusCode, 303)
    assert.equal((await bed.consent(page)).statusCode, 400)
  })

  it('is refused from a page of another site', async () => {
    const page = await bed.authorize(requestOf(await bed.register()))
    const { action, hidden } = formIn(page, /consent/)
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
    ]) {
      const reply = await sendForm(bed.app, {
        url: action,
        fields: { ...hidden, decision: 'allow', amount: '5', period: 'day', days: '30' },
        headers: { cookie: bed.cookie, ...headers },
      })
      assert.deepEqual([reply.statusCode, reply.headers.location], [400, undefined])
    }
    assert.equal((await bed.consent(page)).statusCode, 303)
  })

  it('is refused without its token, in another session and in another account', async () => {
    const page = await bed.authorize(requestOf(await bed.register()))
    const stranger = await createAccount(
      { database: bed.database, now: bed.clock },
      { email: 'other@gate.example.com', tier: 'personal' },
    )
    const other = await openOwnerSession(
      { database: bed.database, now: bed.clock },
      parsePublicId('account', stranger.account.id) ?? '',
    )
    const missing = await sendForm(bed.app, {
      url: '/oauth/consent',
      fields: { decision: 'allow', amount: '5', period: 'day', days: '30' },
      headers: { cookie: bed.cookie },
    })
    const statuses = [
      missing,
      await bed.consent(page, {}, await bed.cookieOf(bed.caller)),
      await bed.consent(page, {}, `__Host-tollgate-page=${other}`),
      await bed.consent(page, {}, ''),
    ].map(({ statusCode, headers }) => [statusCode, headers.location])
    assert.deepEqual(
      statuses,
      statuses.map(() => [400, undefined]),
    )
  })

  it('expires after 15 minutes', async () => {
    const page = await bed.authorize(requestOf(await bed.register()))
    bed.clock.advance(15 * 60_000)
    assert.equal((await bed.consent(page)).statusCode, 400)
  })
})

describe('a request that must not be redirected', () => {
  const cases: readonly (readonly [string, Record<string, string | undefined>])[] = [
    ['an unknown client', { client_id: `tgc_${'x'.repeat(43)}` }],
    ['no client', { client_id: undefined }],
    ['a client id with another scheme', { client_id: 'http://app.example/client.json' }],
    ['a foreign redirect URI', { redirect_uri: 'https://evil.example/callback' }],
    ['a longer redirect URI', { redirect_uri: `${REDIRECT}/more` }],
    ['a redirect URI with a query', { redirect_uri: `${REDIRECT}?x=1` }],
    ['another case of the host', { redirect_uri: 'https://APP.example/callback' }],
    ['a user name before the host', { redirect_uri: 'https://app.example@evil.example/callback' }],
    ['no redirect URI', { redirect_uri: undefined }],
    ['a script', { redirect_uri: 'javascript:alert(1)' }],
  ]
  for (const [name, changes] of cases)
    it(`shows an error page for ${name}`, async () => {
      const reply = await bed.authorize({ ...requestOf(await bed.register()), ...changes })
      assert.deepEqual(
        [reply.statusCode, reply.headers.location, reply.body.includes('Not connected')],
        [400, undefined, true],
      )
    })

  it('shows an error page for a repeated redirect URI', async () => {
    const query = new URLSearchParams(requestOf(await bed.register()))
    query.append('redirect_uri', 'https://evil.example/')
    const reply = await bed.app.inject({
      url: `/oauth/authorize?${query.toString()}`,
      headers: { cookie: bed.cookie },
    })
    assert.deepEqual([reply.statusCode, reply.headers.location], [400, undefined])
  })
})

describe('a request that is refused at the client', () => {
  for (const [name, changes, error] of [
    ['no PKCE', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
    ['the method plain', { code_challenge_method: 'plain' }, 'invalid_request'],
    [
      'a missing method, which means plain',
      { code_challenge_method: undefined },
      'invalid_request',
    ],
    ['the implicit flow', { response_type: 'token' }, 'unsupported_response_type'],
    ['a response in the fragment', { response_mode: 'fragment' }, 'invalid_request'],
    ['another resource', { resource: 'https://other.example/mcp' }, 'invalid_target'],
  ] as const)
    it(`redirects ${error} for ${name}`, async () => {
      const query = requestOf(await bed.register())
      const back = locationOf(await bed.authorize({ ...query, ...changes }))
      assert.deepEqual(
        [
          back.origin + back.pathname,
          back.searchParams.get('error'),
          back.searchParams.get('state'),
          back.searchParams.get('code'),
        ],
        [REDIRECT, error, query['state'], null],
      )
    })

  it('keeps the query of a redirect URI, and sends no state that was not sent', async () => {
    const redirect = `${REDIRECT}?tenant=1`
    const clientId = await bed.register({ redirect_uris: [redirect] })
    const page = await bed.authorize({
      ...requestOf(clientId),
      redirect_uri: redirect,
      state: undefined,
    })
    const back = locationOf(await bed.consent(page)).searchParams
    assert.deepEqual([back.get('tenant'), back.has('state'), back.has('code')], ['1', false, true])
  })
})

describe('the permission to decide', () => {
  it('a stranger signs in first and then comes back to the request', async () => {
    const query = requestOf(await bed.register())
    const page = await bed.authorize(query, '')
    const { hidden } = formIn(page, /^\/sign-in$/)
    const next = new URL(hidden['next'] ?? '', 'https://gate.example')
    assert.deepEqual(
      [page.statusCode, next.pathname, Object.fromEntries(next.searchParams)],
      [200, '/oauth/authorize', query],
    )
    // A browser with a session follows the redirect of the sign-in form to the consent page.
    const consent = await bed.app.inject({
      url: hidden['next'] ?? '',
      headers: { cookie: bed.cookie },
    })
    assert.ok(consent.body.includes('Connect <bdi class="given">Reader</bdi>?'))
  })

  it('the primary key may decide, and any other key may not', async () => {
    const query = requestOf(await bed.register())
    const keys = { database: bed.database, now: bed.clock, forget: () => {} }
    const other = await createKey(keys, bed.caller, { may_mint: true, scope: 'account' })
    const session = async (secret: string): Promise<string> =>
      `__Host-tollgate-page=${await openKeySession(keys, secret)}`
    const [primary, refused] = [
      await bed.authorize(query, await session(bed.liveKey)),
      await bed.authorize(query, await session(other.key)),
    ]
    assert.deepEqual([primary.statusCode, refused.statusCode], [200, 403])
    assert.equal((await bed.consent(primary, {}, await session(bed.liveKey))).statusCode, 400)
  })

  it('a request that is too long is refused before sign-in', async () => {
    const reply = await bed.authorize({ client_id: 'x'.repeat(2_500) }, '')
    assert.equal(reply.statusCode, 400)
  })

  it('an account opens at most 100 consent pages in 15 minutes', async () => {
    bed.clock.advance(60 * 60_000)
    const query = requestOf(await bed.register())
    let limited = await bed.authorize(query)
    for (let page = 0; page < 100; page += 1) limited = await bed.authorize(query)
    assert.deepEqual([limited.statusCode, limited.headers['retry-after']], [429, '900'])
  })
})
