import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { openAppBed } from '../../../../../test/harness/beds/app.ts'
import { secretsIn } from '../../../../../test/harness/clients/forms.ts'
import {
  CLIENT,
  startSignInProvider,
  type Lies,
  type Person,
} from '../../../../../test/harness/vendors/sign-in-provider.ts'
import { closeAccount } from '../../../../accounts/close-account.ts'
import { openProvider } from '../../../../auth/oidc-provider.ts'
import { DAY_MS } from '../../../../lib/clock.ts'

const NAME = 'Example <ID>'
const SHOWN_NAME = 'Example &lt;ID&gt;'

const vendor = await startSignInProvider()
const bed = await openAppBed({
  people: {
    signUp: true,
    provider: openProvider({ ...CLIENT, issuer: vendor.issuer, name: NAME }),
  },
})
const { app, database, clock } = bed

afterEach(() => {
  vendor.lies = {}
  vendor.tellsByUserinfo = false
  // Resets the limit of attempts per network address.
  clock.advance(DAY_MS)
})

let people = 0
const newPerson = (): Person & { readonly email: string } => ({
  subject: `s${(people += 1)}`,
  email: `s${people}@example.com`,
  email_verified: true,
})

type Browser = { cookies: Map<string, string> }
const newBrowser = (): Browser => ({ cookies: new Map() })

async function visit(
  { cookies }: Browser,
  method: 'GET' | 'POST',
  url: string,
  headers: Record<string, string> = {},
  gate = app,
  payload = '',
): Promise<LightMyRequestResponse> {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const form =
    method === 'POST'
      ? { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' }
      : {}
  const response = await gate.inject({
    method,
    url,
    headers: { ...form, ...(cookie === '' ? {} : { cookie }), ...headers },
    ...(method === 'POST' ? { payload } : {}),
  })
  for (const line of [response.headers['set-cookie'] ?? []].flat()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (value === '') cookies.delete(name)
    else cookies.set(name, value)
  }
  return response
}

const begin = (browser: Browser, gate = app): Promise<LightMyRequestResponse> =>
  visit(browser, 'POST', '/sign-in/provider', {}, gate)
const providerUrlIn = (response: LightMyRequestResponse): string =>
  String(response.headers['refresh']).replace('0; url=', '')

/** The path of the provider's redirect back. */
const pathOf = (url: string): string => url.replace('https://gate.example', '')

/** Signs in at the provider and returns. */
async function signIn(browser: Browser, person: Person): Promise<LightMyRequestResponse> {
  vendor.person = person
  const back = await vendor.follow(providerUrlIn(await begin(browser)))
  return visitBack(browser, pathOf(back))
}

/** Follows the redirect from the provider's address to the page of a new account. */
async function visitBack(browser: Browser, back: string): Promise<LightMyRequestResponse> {
  const answer = await visit(browser, 'GET', back)
  return answer.headers.location === '/sign-in/created'
    ? visit(browser, 'GET', '/sign-in/created')
    : answer
}

const isSignedIn = (browser: Browser): boolean => browser.cookies.has('__Host-tollgate-page')
const alertIn = ({ body }: LightMyRequestResponse): string =>
  /role="alert">([^<]*)</.exec(body)?.[1] ?? ''

async function everything(): Promise<unknown> {
  const { rows } = await database.query(
    'select (select count(*) from accounts) as accounts, (select count(*) from person_identities) as identities, (select count(*) from page_sessions) as sessions, (select count(*) from transactions) as transactions, (select sum(balance_micros) from wallets) as credit',
  )
  return rows[0]
}

describe('a person with an account at the provider', () => {
  for (const [named, reached] of [
    ['/keys?mode=test', '/keys?mode=test'],
    ['//evil.example', '/balance'],
  ] as const) {
    test(`opens ${reached} for ${named}`, async () => {
      const [browser, person] = [newBrowser(), newPerson()]
      await signIn(newBrowser(), person)
      const back = await vendor.follow(
        providerUrlIn(
          await visit(
            browser,
            'POST',
            '/sign-in/provider',
            {},
            app,
            new URLSearchParams({ next: named }).toString(),
          ),
        ),
      )
      assert.equal((await visit(browser, 'GET', pathOf(back))).headers.location, reached)
    })
  }

  test('gets an account with welcome credit and keys, and signs in to it later', async () => {
    const [browser, person] = [newBrowser(), newPerson()]
    const created = await signIn(browser, person)
    const live = /tg_live_\w{38}/.exec(created.body)?.[0] ?? ''
    assert.deepEqual(
      [created.statusCode, created.headers['cache-control'], /tg_test_\w{38}/.test(created.body)],
      [200, 'no-store', true],
    )
    const balance = await app.inject({
      method: 'GET',
      url: '/api/v1/balance',
      headers: { authorization: `Bearer ${live}` },
    })
    assert.equal(balance.json<{ data: { available_cents: number } }>().data.available_cents, 200)
    assert.ok(
      (await visit(browser, 'GET', '/balance')).body.includes('<dd class="value">$2.00</dd>'),
    )
    const elsewhere = newBrowser()
    const again = await signIn(elsewhere, person)
    assert.deepEqual(
      [again.statusCode, again.headers.location, isSignedIn(elsewhere)],
      [303, '/balance', true],
    )
  })

  test('signs in by userinfo if the id_token has no email address', async () => {
    vendor.tellsByUserinfo = true
    const browser = newBrowser()
    assert.equal(
      (await signIn(browser, { ...newPerson(), email_verified: 'true' })).statusCode,
      200,
    )
    assert.ok(isSignedIn(browser))
    vendor.tellsByUserinfo = false
    const asked = vendor.asked.length
    await signIn(newBrowser(), newPerson())
    assert.ok(!vendor.asked.slice(asked).includes('/userinfo'))
  })

  test('is redirected to the balance by a repeated return', async () => {
    const [browser, person] = [newBrowser(), newPerson()]
    await signIn(newBrowser(), person)
    const back = pathOf(await vendor.follow(providerUrlIn(await begin(browser))))
    assert.equal((await visit(browser, 'GET', back)).statusCode, 303)
    const again = await visit(browser, 'GET', back)
    assert.deepEqual([again.statusCode, again.headers.location], [303, '/balance'])
  })

  test('sees new keys again on reload, only in the same signed-in browser', async () => {
    const browser = newBrowser()
    vendor.person = newPerson()
    const back = pathOf(await vendor.follow(providerUrlIn(await begin(browser))))
    const redirect = await visit(browser, 'GET', back)
    assert.deepEqual(
      [redirect.statusCode, redirect.headers.location, secretsIn(redirect)],
      [303, '/sign-in/created', []],
      'the code of the provider leaves the address bar',
    )
    const created = await visit(browser, 'GET', '/sign-in/created')
    const again = await visitBack(browser, back)
    assert.deepEqual(
      [again.statusCode, secretsIn(again).length, secretsIn(again)],
      [200, 2, secretsIn(created)],
    )
    const elsewhere = newBrowser()
    elsewhere.cookies.set('__Host-tollgate-page', browser.cookies.get('__Host-tollgate-page') ?? '')
    const signedOut = newBrowser()
    signedOut.cookies.set(
      '__Host-tollgate-provider',
      browser.cookies.get('__Host-tollgate-provider') ?? '',
    )
    for (const url of [back, '/sign-in/created'])
      for (const [other, status] of [
        [elsewhere, 303],
        [signedOut, 401],
      ] as const) {
        const refused = await visit(other, 'GET', url)
        assert.deepEqual([refused.statusCode, secretsIn(refused)], [status, []])
      }
  })

  test('can start in two tabs and return in both', async () => {
    const browser = newBrowser()
    vendor.person = newPerson()
    const [first, second] = [
      providerUrlIn(await begin(browser)),
      providerUrlIn(await begin(browser)),
    ]
    assert.equal((await visit(browser, 'GET', pathOf(await vendor.follow(first)))).statusCode, 401)
    assert.equal((await visitBack(browser, pathOf(await vendor.follow(second)))).statusCode, 200)
  })
})

test('binds the redirect to the browser by an HttpOnly cookie and sends only hashes', async () => {
  const response = await begin(newBrowser())
  assert.match(
    String(response.headers['set-cookie']),
    /^__Host-tollgate-provider=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
  )
  const query = new URL(providerUrlIn(response)).searchParams
  assert.deepEqual(
    [
      query.get('response_type'),
      query.get('scope'),
      query.get('redirect_uri'),
      query.get('code_challenge_method'),
      query.has('client_secret'),
      response.headers['referrer-policy'],
      response.headers['cache-control'],
    ],
    [
      'code',
      'openid email',
      'https://gate.example/sign-in/provider/back',
      'S256',
      false,
      'same-origin',
      'no-store',
    ],
  )
  const { rows } = await database.query<{ facts: { codeVerifier: string } }>(
    'select facts from sign_in_challenges',
  )
  for (const { facts } of rows) assert.ok(!response.body.includes(facts.codeVerifier))
})

test('rejects a form from another site', async () => {
  const response = await visit(newBrowser(), 'POST', '/sign-in/provider', {
    'sec-fetch-site': 'cross-site',
  })
  assert.deepEqual(
    [response.statusCode, response.headers['set-cookie'], response.headers['refresh']],
    [400, undefined, undefined],
  )
})

const LIES: readonly (readonly [string, Lies, number])[] = [
  ['another nonce', { claims: { nonce: 'of another round trip' } }, 502],
  ['no nonce', { claims: { nonce: undefined } }, 502],
  ['another audience', { claims: { aud: 'another client' } }, 502],
  [
    'two audiences and another authorized party',
    { claims: { aud: [CLIENT.clientId, 'another client'], azp: 'another client' } },
    502,
  ],
  ['another issuer', { claims: { iss: 'https://other.example' } }, 502],
  ['an expired id_token', { claims: { exp: 1_700_000_000 } }, 502],
  ['an id_token without expiry', { claims: { exp: undefined } }, 502],
  ['an id_token that is not valid yet', { claims: { nbf: 4_000_000_000 } }, 502],
  ['no subject', { claims: { sub: undefined } }, 502],
  ['an empty subject', { claims: { sub: '' } }, 502],
  ['a subject of 256 characters', { claims: { sub: 's'.repeat(256) } }, 502],
  ['an id_token without a signature', { signing: 'none' }, 502],
  ['an id_token with a removed signature', { signing: 'no key' }, 502],
  ['an id_token that another key signed', { signing: 'other key' }, 502],
  ['an id_token that the client secret signed', { signing: 'by the secret' }, 502],
  ['no id_token', { withoutIdToken: true }, 502],
  ['no address', { claims: { email: null } }, 401],
  ['an unverified address', { claims: { email_verified: false } }, 401],
  ['an address without verification status', { claims: { email_verified: undefined } }, 401],
  ['an invalid address', { claims: { email: 'invalid' } }, 400],
  ['access_denied', { error: 'access_denied' }, 401],
  ['login_required', { error: 'login_required' }, 401],
  ['server_error', { error: 'server_error' }, 502],
  ['unauthorized_client', { error: 'unauthorized_client' }, 502],
  ['the state of another round trip', { back: { state: 'another' } }, 401],
  ['an unknown code', { back: { code: 'unknown' } }, 401],
  ['no code', { back: { code: '' } }, 502],
  ['another issuer in the redirect', { back: { iss: 'https://other.example' } }, 502],
  ['500 for the code', { broken: { token: 'fails' } }, 502],
  ['invalidSetting for the code', { broken: { token: 'babbles' } }, 502],
]

/** Failures of userinfo. */
const USERINFO_LIES: readonly (readonly [string, Lies, number])[] = [
  ['the facts of another person', { userinfo: { sub: 'another person' } }, 502],
  ['no address', { userinfo: { email: undefined } }, 401],
  ['an unverified address', { userinfo: { email_verified: 'false' } }, 401],
  ['500', { broken: { userinfo: 'fails' } }, 502],
]

describe('rejects the sign-in with a reason and changes nothing', () => {
  async function isRefused(lies: Lies, status: number): Promise<void> {
    const before = await everything()
    vendor.lies = lies
    const browser = newBrowser()
    const response = await signIn(browser, newPerson())
    const problem = alertIn(response)
    assert.deepEqual(
      [response.statusCode, isSignedIn(browser), await everything()],
      [status, false, before],
    )
    assert.match(problem, /^[A-Z][^{}]+\. [A-Z][^{}]+\.$/)
    assert.doesNotMatch(problem, /token|nonce|claim|JWT|OAuth|secret|undefined|code/i)
    assert.match(response.body, /action="\/sign-in"/)
  }
  for (const [reply, lies, status] of LIES)
    test(`when the provider returns ${reply}`, () => isRefused(lies, status))
  for (const [reply, lies, status] of USERINFO_LIES) {
    test(`when userinfo returns ${reply}`, async () => {
      vendor.tellsByUserinfo = true
      await isRefused(lies, status)
    })
  }

  test('when a code is used in another browser', async () => {
    const [mine, theirs] = [newBrowser(), newBrowser()]
    vendor.person = newPerson()
    const back = pathOf(await vendor.follow(providerUrlIn(await begin(mine))))
    await begin(theirs)
    for (const browser of [theirs, newBrowser()]) {
      const response = await visit(browser, 'GET', back)
      assert.deepEqual([response.statusCode, isSignedIn(browser)], [401, false])
      assert.match(alertIn(response), /another browser/)
    }
    assert.equal((await visitBack(mine, back)).statusCode, 200, 'other browsers do not use it up')
  })

  test('after ten minutes', async () => {
    const browser = newBrowser()
    vendor.person = newPerson()
    const back = pathOf(await vendor.follow(providerUrlIn(await begin(browser))))
    clock.advance(600_000)
    assert.equal((await visit(browser, 'GET', back)).statusCode, 401)
    assert.equal(isSignedIn(browser), false)
  })

  test('when the return has no parameters or repeated ones', async () => {
    const browser = newBrowser()
    vendor.person = newPerson()
    const back = pathOf(await vendor.follow(providerUrlIn(await begin(browser))))
    const twice = `${back}&${back.split('?')[1] ?? ''}`
    for (const path of [
      '/sign-in/provider/back',
      '/sign-in/provider/back?state=&code=',
      '/sign-in/provider/back?state=%00',
      twice,
    ]) {
      assert.ok([401, 502].includes((await visit(browser, 'GET', path)).statusCode), path)
      assert.equal(isSignedIn(browser), false)
    }
  })

  test('when the account is closed', async () => {
    const person = newPerson()
    await signIn(newBrowser(), person)
    await closeAccount(database, person.email)
    const browser = newBrowser()
    const response = await signIn(browser, person)
    assert.deepEqual(
      [response.statusCode, isSignedIn(browser), alertIn(response)],
      [401, false, 'This account is closed. Ask the operator of this gateway.'],
    )
  })
})

describe('an unavailable provider', () => {
  const trouble: readonly (readonly [string, Lies])[] = [
    ['fails', { broken: { 'openid-configuration': 'fails' } }],
    ['does not answer', { broken: { 'openid-configuration': 'hangs' } }],
    ['returns invalid JSON', { broken: { 'openid-configuration': 'babbles' } }],
    ['has no authorization endpoint', { document: { authorization_endpoint: undefined } }],
    ['has another issuer', { document: { issuer: 'https://other.example' } }],
  ]
  for (const [failure, lies] of trouble) {
    test(`that ${failure} shows an error and is queried again for the next person`, async () => {
      const late = await openAppBed({
        people: {
          signUp: true,
          provider: openProvider({ ...CLIENT, issuer: vendor.issuer, name: NAME }, 1),
        },
      })
      vendor.lies = lies
      const response = await begin(newBrowser(), late.app)
      assert.deepEqual(
        [response.statusCode, response.headers['set-cookie'], response.headers['refresh']],
        [502, undefined, undefined],
      )
      assert.ok(alertIn(response).includes(SHOWN_NAME))
      vendor.lies = {}
      assert.equal((await begin(newBrowser(), late.app)).statusCode, 200)
    })
  }

  test('that fails during a sign-in rejects it', async () => {
    const slow = await openAppBed({
      people: {
        signUp: true,
        provider: openProvider({ ...CLIENT, issuer: vendor.issuer, name: NAME }, 1),
      },
    })
    vendor.person = newPerson()
    for (const route of ['token', 'jwks']) {
      vendor.lies = { broken: { [route]: 'hangs' } }
      const browser = newBrowser()
      const back = await vendor.follow(providerUrlIn(await begin(browser, slow.app)))
      const response = await visit(browser, 'GET', pathOf(back), {}, slow.app)
      assert.deepEqual([response.statusCode, isSignedIn(browser)], [502, false], route)
    }
  })
})

test('signs in existing accounts while sign-up is closed, but rejects others', async () => {
  const closed = await openAppBed({
    people: {
      signUp: false,
      provider: openProvider({ ...CLIENT, issuer: vendor.issuer, name: NAME }),
    },
  })
  async function signInTo(person: Person): Promise<[number, string]> {
    const browser = newBrowser()
    vendor.person = person
    const back = await vendor.follow(providerUrlIn(await begin(browser, closed.app)))
    const response = await visit(browser, 'GET', pathOf(back), {}, closed.app)
    return [response.statusCode, alertIn(response)]
  }
  assert.deepEqual(await signInTo({ ...newPerson(), email: 'mine@gate.example.com' }), [303, ''])
  const [status, problem] = await signInTo({
    ...newPerson(),
    email: 'stranger-to-all@gate.example.com',
  })
  assert.deepEqual(
    [status, problem],
    [
      401,
      'This gateway has no account for stranger-to-all@gate.example.com. Ask the operator of this gateway to create one.',
    ],
  )
})

test('limits starts per network address', async () => {
  for (let count = 0; count < 500; count += 1)
    assert.equal((await begin(newBrowser())).statusCode, 200)
  const response = await begin(newBrowser())
  assert.deepEqual(
    [response.statusCode, response.headers['retry-after'], response.headers['refresh']],
    [429, '900', undefined],
  )
})

test('shows the button only with a provider', async () => {
  assert.ok(
    (await visit(newBrowser(), 'GET', '/balance')).body.includes(`Sign in with ${SHOWN_NAME}`),
  )
  const without = await openAppBed()
  assert.ok(
    !(await visit(newBrowser(), 'GET', '/balance', {}, without.app)).body.includes(
      '/sign-in/provider',
    ),
  )
  assert.equal((await begin(newBrowser(), without.app)).statusCode, 404)
})
