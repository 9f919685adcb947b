import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { openAppBed } from '../../../../../test/harness/app.ts'
import { secretsIn } from '../../../../../test/harness/forms.ts'
import {
  CLIENT,
  startSignInProvider,
  type Lies,
  type Person,
} from '../../../../../test/harness/sign-in-provider.ts'
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
  // A place may begin so many times in a while.
  clock.advance(DAY_MS)
})

let people = 0
const somebody = (): Person & { readonly email: string } => ({
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
const wayTo = (response: LightMyRequestResponse): string =>
  String(response.headers['refresh']).replace('0; url=', '')

/** From the address that the provider sends the browser to. */
const pathOf = (url: string): string => url.replace('https://gate.example', '')

/** There and back again. */
async function goThere(browser: Browser, person: Person): Promise<LightMyRequestResponse> {
  vendor.person = person
  const back = await vendor.follow(wayTo(await begin(browser)))
  return visit(browser, 'GET', pathOf(back))
}

const isSignedIn = (browser: Browser): boolean => browser.cookies.has('__Host-tollgate-page')
const toldIn = ({ body }: LightMyRequestResponse): string =>
  /role="alert">([^<]*)</.exec(body)?.[1] ?? ''

async function everything(): Promise<unknown> {
  const { rows } = await database.query(
    'select (select count(*) from accounts) as accounts, (select count(*) from account_identities) as identities, (select count(*) from page_sessions) as sessions, (select count(*) from transactions) as transactions, (select sum(balance_micros) from wallets) as credit',
  )
  return rows[0]
}

describe('somebody for whom the provider vouches', () => {
  for (const [named, reached] of [
    ['/keys?mode=test', '/keys?mode=test'],
    ['//evil.example', '/balance'],
  ] as const) {
    test(`comes to ${reached} who wanted ${named}`, async () => {
      const [browser, person] = [newBrowser(), somebody()]
      await goThere(newBrowser(), person)
      const back = await vendor.follow(
        wayTo(
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

  test('gets an account with its welcome credit, sees its keys once, and is let in to it from then on', async () => {
    const [browser, person] = [newBrowser(), somebody()]
    const made = await goThere(browser, person)
    const live = /tg_live_\w{38}/.exec(made.body)?.[0] ?? ''
    assert.deepEqual(
      [made.statusCode, made.headers['cache-control'], /tg_test_\w{38}/.test(made.body)],
      [200, 'no-store', true],
    )
    const balance = await app.inject({
      method: 'GET',
      url: '/api/v1/balance',
      headers: { authorization: `Bearer ${live}` },
    })
    assert.equal(balance.json<{ data: { available_cents: number } }>().data.available_cents, 200)
    assert.ok((await visit(browser, 'GET', '/balance')).body.includes('<dd>$2.00</dd>'))
    const elsewhere = newBrowser()
    const again = await goThere(elsewhere, person)
    assert.deepEqual(
      [again.statusCode, again.headers.location, isSignedIn(elsewhere)],
      [303, '/balance', true],
    )
  })

  test('is let in by what userinfo tells where the id_token has no address', async () => {
    vendor.tellsByUserinfo = true
    const browser = newBrowser()
    assert.equal(
      (await goThere(browser, { ...somebody(), email_verified: 'true' })).statusCode,
      200,
    )
    assert.ok(isSignedIn(browser))
    vendor.tellsByUserinfo = false
    const asked = vendor.asked.length
    await goThere(newBrowser(), somebody())
    assert.ok(!vendor.asked.slice(asked).includes('/userinfo'))
  })

  test('asks for the way back again, by the button of the browser, and stands before the balance', async () => {
    const [browser, person] = [newBrowser(), somebody()]
    await goThere(newBrowser(), person)
    const back = pathOf(await vendor.follow(wayTo(await begin(browser))))
    assert.equal((await visit(browser, 'GET', back)).statusCode, 303)
    const again = await visit(browser, 'GET', back)
    assert.deepEqual([again.statusCode, again.headers.location], [303, '/balance'])
  })

  test('loads the page of the first keys again and sees them again, in this browser and for as long as it is signed in', async () => {
    const browser = newBrowser()
    vendor.person = somebody()
    const back = pathOf(await vendor.follow(wayTo(await begin(browser))))
    const made = await visit(browser, 'GET', back)
    const again = await visit(browser, 'GET', back)
    assert.deepEqual(
      [again.statusCode, secretsIn(again).length, secretsIn(again)],
      [200, 2, secretsIn(made)],
    )
    const elsewhere = newBrowser()
    elsewhere.cookies.set('__Host-tollgate-page', browser.cookies.get('__Host-tollgate-page') ?? '')
    const signedOut = newBrowser()
    signedOut.cookies.set(
      '__Host-tollgate-provider',
      browser.cookies.get('__Host-tollgate-provider') ?? '',
    )
    for (const [other, status] of [
      [elsewhere, 303],
      [signedOut, 401],
    ] as const) {
      const refused = await visit(other, 'GET', back)
      assert.deepEqual([refused.statusCode, secretsIn(refused)], [status, []])
    }
    assert.deepEqual(secretsIn(await visit(browser, 'GET', `${back}&more=1`)), [])
  })

  test('begins in two tabs and comes back in both', async () => {
    const browser = newBrowser()
    vendor.person = somebody()
    const [first, second] = [wayTo(await begin(browser)), wayTo(await begin(browser))]
    assert.equal((await visit(browser, 'GET', pathOf(await vendor.follow(first)))).statusCode, 401)
    assert.equal((await visit(browser, 'GET', pathOf(await vendor.follow(second)))).statusCode, 200)
  })
})

test('the way there is bound to this browser by a cookie that scripts and other sites cannot use, and shows the provider nothing but hashes', async () => {
  const response = await begin(newBrowser())
  assert.match(
    String(response.headers['set-cookie']),
    /^__Host-tollgate-provider=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
  )
  const query = new URL(wayTo(response)).searchParams
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

test('a form that another site sends begins nothing', async () => {
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
    'two audiences and no word of who it is for',
    { claims: { aud: [CLIENT.clientId, 'another client'], azp: 'another client' } },
    502,
  ],
  ['another issuer', { claims: { iss: 'https://other.example' } }, 502],
  ['an id_token that is over', { claims: { exp: 1_700_000_000 } }, 502],
  ['an id_token without an end', { claims: { exp: undefined } }, 502],
  ['an id_token that begins later', { claims: { nbf: 4_000_000_000 } }, 502],
  ['no subject', { claims: { sub: undefined } }, 502],
  ['an empty subject', { claims: { sub: '' } }, 502],
  ['a subject that is longer than any', { claims: { sub: 's'.repeat(256) } }, 502],
  ['an id_token without a signature', { signing: 'none' }, 502],
  ['an id_token whose signature was cut off', { signing: 'no key' }, 502],
  ['an id_token that another key signed', { signing: 'other key' }, 502],
  ['an id_token that the client secret signed', { signing: 'by the secret' }, 502],
  ['no id_token', { withoutIdToken: true }, 502],
  ['no address', { claims: { email: null } }, 401],
  ['an address that it did not verify', { claims: { email_verified: false } }, 401],
  ['an address, and not whether it is verified', { claims: { email_verified: undefined } }, 401],
  ['an address that is none', { claims: { email: 'nobody' } }, 400],
  ['that the person does not want to', { error: 'access_denied' }, 401],
  ['that the person should sign in', { error: 'login_required' }, 401],
  ['that it has trouble', { error: 'server_error' }, 502],
  ['that this gateway may not ask', { error: 'unauthorized_client' }, 502],
  ['the state of another round trip', { back: { state: 'another' } }, 401],
  ['a code of nobody', { back: { code: 'of nobody' } }, 401],
  ['no code', { back: { code: '' } }, 502],
  ['that it is another provider', { back: { iss: 'https://other.example' } }, 502],
  ['500 for the code', { broken: { token: 'fails' } }, 502],
  ['invalidSetting for the code', { broken: { token: 'babbles' } }, 502],
]

/** By userinfo alone. */
const USERINFO_LIES: readonly (readonly [string, Lies, number])[] = [
  ['somebody else’s facts', { userinfo: { sub: 'somebody else' } }, 502],
  ['no address', { userinfo: { email: undefined } }, 401],
  ['an address that it did not verify', { userinfo: { email_verified: 'false' } }, 401],
  ['500', { broken: { userinfo: 'fails' } }, 502],
]

describe('nobody is signed in, no account is made, nothing is granted, and a person is told why', () => {
  async function isRefused(lies: Lies, status: number): Promise<void> {
    const before = await everything()
    vendor.lies = lies
    const browser = newBrowser()
    const response = await goThere(browser, somebody())
    const told = toldIn(response)
    assert.deepEqual(
      [response.statusCode, isSignedIn(browser), await everything()],
      [status, false, before],
    )
    assert.match(told, /^[A-Z][^{}]+\. [A-Z][^{}]+\.$/)
    assert.doesNotMatch(told, /token|nonce|claim|JWT|OAuth|secret|undefined|code/i)
    assert.match(response.body, /action="\/sign-in"/)
  }
  for (const [what, lies, status] of LIES)
    test(`when the provider answers ${what}`, () => isRefused(lies, status))
  for (const [what, lies, status] of USERINFO_LIES) {
    test(`when userinfo answers ${what}`, async () => {
      vendor.tellsByUserinfo = true
      await isRefused(lies, status)
    })
  }

  test('when a code is used in another browser than the one that asked for it', async () => {
    const [mine, theirs] = [newBrowser(), newBrowser()]
    vendor.person = somebody()
    const back = pathOf(await vendor.follow(wayTo(await begin(mine))))
    await begin(theirs)
    for (const browser of [theirs, newBrowser()]) {
      const response = await visit(browser, 'GET', back)
      assert.deepEqual([response.statusCode, isSignedIn(browser)], [401, false])
      assert.match(toldIn(response), /another browser/)
    }
    assert.equal((await visit(mine, 'GET', back)).statusCode, 200, 'nobody else uses it up')
  })

  test('when more than ten minutes go by', async () => {
    const browser = newBrowser()
    vendor.person = somebody()
    const back = pathOf(await vendor.follow(wayTo(await begin(browser))))
    clock.advance(600_000)
    assert.equal((await visit(browser, 'GET', back)).statusCode, 401)
    assert.equal(isSignedIn(browser), false)
  })

  test('when the way back is asked for with nothing, or with everything twice', async () => {
    const browser = newBrowser()
    vendor.person = somebody()
    const back = pathOf(await vendor.follow(wayTo(await begin(browser))))
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
    const person = somebody()
    await goThere(newBrowser(), person)
    await closeAccount(database, person.email)
    const browser = newBrowser()
    const response = await goThere(browser, person)
    assert.deepEqual(
      [response.statusCode, isSignedIn(browser), toldIn(response)],
      [401, false, 'This account is closed. Ask the operator of this gateway.'],
    )
  })
})

describe('a provider that is away', () => {
  const trouble: readonly (readonly [string, Lies])[] = [
    ['fails', { broken: { 'openid-configuration': 'fails' } }],
    ['does not answer', { broken: { 'openid-configuration': 'hangs' } }],
    ['answers invalidSetting', { broken: { 'openid-configuration': 'babbles' } }],
    ['does not say where people sign in', { document: { authorization_endpoint: undefined } }],
    ['is another one', { document: { issuer: 'https://other.example' } }],
  ]
  for (const [what, lies] of trouble) {
    test(`and ${what} is told in words, and asked anew for the next person`, async () => {
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
      assert.ok(toldIn(response).includes(SHOWN_NAME))
      vendor.lies = {}
      assert.equal((await begin(newBrowser(), late.app)).statusCode, 200)
    })
  }

  test('in the middle of it signs nobody in', async () => {
    const slow = await openAppBed({
      people: {
        signUp: true,
        provider: openProvider({ ...CLIENT, issuer: vendor.issuer, name: NAME }, 1),
      },
    })
    vendor.person = somebody()
    for (const route of ['token', 'jwks']) {
      vendor.lies = { broken: { [route]: 'hangs' } }
      const browser = newBrowser()
      const back = await vendor.follow(wayTo(await begin(browser, slow.app)))
      const response = await visit(browser, 'GET', pathOf(back), {}, slow.app)
      assert.deepEqual([response.statusCode, isSignedIn(browser)], [502, false], route)
    }
  })
})

test('whoever has an account comes in where strangers may make none, and strangers are told who helps', async () => {
  const closed = await openAppBed({
    people: {
      signUp: false,
      provider: openProvider({ ...CLIENT, issuer: vendor.issuer, name: NAME }),
    },
  })
  async function comeBack(person: Person): Promise<[number, string]> {
    const browser = newBrowser()
    vendor.person = person
    const back = await vendor.follow(wayTo(await begin(browser, closed.app)))
    const response = await visit(browser, 'GET', pathOf(back), {}, closed.app)
    return [response.statusCode, toldIn(response)]
  }
  assert.deepEqual(await comeBack({ ...somebody(), email: 'mine@gate.example.com' }), [303, ''])
  const [status, told] = await comeBack({
    ...somebody(),
    email: 'stranger-to-all@gate.example.com',
  })
  assert.deepEqual(
    [status, told],
    [
      401,
      'There is no account for stranger-to-all@gate.example.com here. Ask the operator of this gateway for one.',
    ],
  )
})

test('from one place so many may begin, and then wait', async () => {
  for (let count = 0; count < 500; count += 1)
    assert.equal((await begin(newBrowser())).statusCode, 200)
  const response = await begin(newBrowser())
  assert.deepEqual(
    [response.statusCode, response.headers['retry-after'], response.headers['refresh']],
    [429, '900', undefined],
  )
})

test('the button is on the sign-in page where there is a provider, and nowhere else', async () => {
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
