import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { openAppBed } from '../../../../../test/harness/beds/app.ts'
import { openOwnerSession, ownerOf } from '../../../../../test/harness/owner-session.ts'
import { createPasskey } from '../../../../../test/harness/clients/authenticator.ts'
import { cookieOf, sendForm } from '../../../../../test/harness/clients/forms.ts'
import { TEST_PASSWORD_COST } from '../../../../../test/harness/password-cost.ts'
import { createAccount } from '../../../../accounts/create-account.ts'
import { openKeySession } from '../../../../auth/records/browser-session.ts'
import { parsePublicId } from '../../../../lib/ids.ts'
import { SIGN_IN_LIMITS } from '../../../../auth/attempts.ts'
import { signInByLink, createLink } from '../../../../auth/sign-in-link.ts'
import { PASSKEY_LIMITS } from '../../../../auth/passkey-challenge.ts'

const PASSWORD = 'four words in a row'
const site = { rpId: 'gate.example', origin: 'https://gate.example' }
const bed = await openAppBed()
const { app, database, clock } = bed
const context = { database, now: clock, passwordCost: TEST_PASSWORD_COST }

type Holder = {
  readonly accountId: string
  readonly email: string
  readonly key: string
  readonly cookie: string
}

let holders = 0
async function newHolder(): Promise<Holder> {
  const email = `h${(holders += 1)}@gate.example.com`
  const { live } = await createAccount(context, { email, tier: 'personal' })
  const { accountId } = await signInByLink(
    context,
    await createLink(context, { email, makesAccount: false, seconds: 60 }),
    PASSWORD,
  )
  return { accountId, email, key: live.key, cookie: await anotherBrowser(accountId) }
}

const cookieWith = (token: string): string => `__Host-tollgate-page=${token}`
const anotherBrowser = async (accountId: string): Promise<string> =>
  cookieWith(await openOwnerSession(context, accountId))
const open = (cookie: string, url = '/account'): Promise<LightMyRequestResponse> =>
  app.inject({ url, headers: { cookie } })
const isSignedIn = async (cookie: string): Promise<boolean> =>
  (await open(cookie)).body.includes('Your account')

function send(
  url: string,
  cookie: string,
  fields: Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<LightMyRequestResponse> {
  return sendForm(app, { url, fields, headers: { cookie, ...headers } })
}

function post(
  url: string,
  cookie: string,
  body: unknown = {},
  headers: Record<string, string> = {},
): Promise<LightMyRequestResponse> {
  return app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', cookie, ...headers },
    payload: JSON.stringify(body),
  })
}

async function addPasskey({ accountId, cookie }: Holder) {
  const passkey = createPasskey(await ownerOf(database, accountId))
  const { challenge } = (await post('/account/passkeys/options', cookie)).json().options
  assert.equal(
    (
      await post('/account/passkeys', cookie, {
        label: '<b>phone</b>',
        credential: passkey.made({ ...site, challenge }),
      })
    ).statusCode,
    200,
  )
  return passkey
}

test('shows the account page only to its holder', async () => {
  const { email, key, cookie } = await newHolder()
  const [stranger, keyed, holder] = [
    await open(''),
    await open(cookieWith(await openKeySession(context, key))),
    await open(cookie),
  ]
  assert.match(stranger.body, /action="\/sign-in"/)
  assert.match(keyed.body, /You are signed in with a key/)
  for (const response of [stranger, keyed])
    assert.ok(!response.body.includes(email) && !response.body.includes('action="/account/'))
  assert.deepEqual(
    [holder.body.includes(email), holder.headers['cache-control']],
    [true, 'no-store'],
  )
  assert.match((await open(cookie, '/balance')).body, /href="\/account"/)
})

describe('a passkey', () => {
  test('is added, listed, signs in another browser without an address, and is removed', async () => {
    const holder = await newHolder()
    const passkey = await addPasskey(holder)
    assert.match((await open(holder.cookie)).body, /&lt;b&gt;phone&lt;\/b&gt;.*Never/s)
    const { challenge } = (await post('/sign-in/passkey/options', '')).json().options
    const entered = await post('/sign-in/passkey', '', {
      credential: passkey.answer({ ...site, challenge }),
    })
    assert.match(
      String(entered.headers['set-cookie']),
      /^__Host-tollgate-page=[\w-]{43}; Max-Age=1209600; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    )
    assert.ok((await open(cookieOf(entered))).body.includes(holder.email))
    const stranger = await newHolder()
    const refused = await send('/account/passkeys/remove', stranger.cookie, { id: passkey.id })
    assert.deepEqual([refused.statusCode, /role="alert"/.test(refused.body)], [404, true])
    assert.equal(
      (await send('/account/passkeys/remove', holder.cookie, { id: passkey.id })).headers.location,
      '/account?done=passkey-removed',
    )
    assert.ok(!(await open(holder.cookie)).body.includes('phone</b>'))
  })

  test('cannot be added by a stranger or a key', async () => {
    const { key } = await newHolder()
    for (const cookie of [
      '',
      cookieWith('A'.repeat(43)),
      cookieWith(await openKeySession(context, key)),
    ]) {
      for (const url of ['/account/passkeys/options', '/account/passkeys'])
        assert.equal((await post(url, cookie)).json().error.code, 'sign_in_refused')
    }
  })

  test('limits challenges per network address and five minutes', async () => {
    const from = (remoteAddress: string) =>
      app.inject({ method: 'POST', url: '/sign-in/passkey/options', payload: {}, remoteAddress })
    for (let count = 0; count < PASSKEY_LIMITS.fromAddress; count += 1)
      assert.equal((await from('192.0.2.7')).statusCode, 200)
    const refused = await from('192.0.2.7')
    assert.deepEqual(
      [refused.statusCode, refused.headers['retry-after'], (await from('192.0.2.8')).statusCode],
      [429, '300', 200],
    )
    clock.advance(PASSKEY_LIMITS.windowMs)
    assert.equal((await from('192.0.2.7')).statusCode, 200)
  })
})

describe('the password', () => {
  test('changes with the current password and signs out other sessions', async () => {
    const { accountId, email, cookie } = await newHolder()
    const other = await anotherBrowser(accountId)
    assert.match((await open(cookie)).body, />New password \(10\+ characters\)</)
    const [long, next] = ['🔑'.repeat(200), '🔒'.repeat(200)]
    assert.equal(
      (await send('/account/password', cookie, { present: PASSWORD, password: long })).statusCode,
      303,
    )
    assert.equal(
      (await send('/account/password', cookie, { present: long, password: next })).headers.location,
      '/account?done=password',
    )
    assert.deepEqual([await isSignedIn(cookie), await isSignedIn(other)], [true, false])
    assert.match((await open(cookie, '/account?done=password')).body, /Password changed/)
    assert.deepEqual(
      [
        (await send('/sign-in', '', { email, password: PASSWORD })).statusCode,
        (await send('/sign-in', '', { email, password: next })).statusCode,
      ],
      [401, 303],
    )
  })

  test('does not change with a wrong or short password, and counts guesses', async () => {
    const { email, accountId, cookie } = await newHolder()
    const other = await anotherBrowser(accountId)
    const short = await send('/account/password', cookie, { present: PASSWORD, password: 'short' })
    assert.deepEqual([short.statusCode, short.body.includes(PASSWORD)], [400, false])
    for (let count = 0; count < SIGN_IN_LIMITS.each; count += 1) {
      const refused = await send('/account/password', cookie, {
        present: `guess number ${count}`,
        password: 'another row of words',
      })
      assert.deepEqual(
        [
          refused.statusCode,
          /role="alert">The current password is wrong/.test(refused.body),
          refused.body.includes('guess number'),
        ],
        [401, true, false],
      )
    }
    const late = await send('/account/password', cookie, {
      present: PASSWORD,
      password: 'another row of words',
    })
    assert.deepEqual([late.statusCode, late.headers['retry-after']], [429, '900'])
    assert.equal((await send('/sign-in', '', { email, password: PASSWORD })).statusCode, 429)
    clock.advance(SIGN_IN_LIMITS.windowMs)
    assert.deepEqual(
      [
        (await send('/sign-in', '', { email, password: PASSWORD })).statusCode,
        await isSignedIn(other),
      ],
      [303, true],
    )
  })

  test('shows how to set a first password', async () => {
    const { account } = await createAccount(context, {
      email: 'none@gate.example.com',
      tier: 'personal',
    })
    const { body } = await open(await anotherBrowser(parsePublicId('account', account.id) ?? ''))
    assert.deepEqual(
      [body.includes('name="present"'), body.includes('No password set.')],
      [false, true],
    )
  })
})

test('signs out the other sessions of the holder only', async () => {
  const [mine, stranger] = [await newHolder(), await newHolder()]
  const other = await anotherBrowser(mine.accountId)
  assert.equal((await send('/account/sign-out-others', mine.cookie)).statusCode, 303)
  assert.deepEqual(
    [await isSignedIn(mine.cookie), await isSignedIn(other), await isSignedIn(stranger.cookie)],
    [true, false, true],
  )
})

test('lists and removes a linked provider', async () => {
  const { accountId, cookie } = await newHolder()
  const issuer = 'https://provider.example'
  await database.query(
    'insert into person_identities (issuer, subject, person_id, created_at) values ($1, $2, $3, now())',
    [issuer, accountId, await ownerOf(database, accountId)],
  )
  assert.ok((await open(cookie)).body.includes(issuer))
  assert.equal((await send('/account/identities/remove', cookie, { issuer })).statusCode, 303)
  assert.ok(!(await open(cookie)).body.includes(issuer))
})

test('rejects fields with NUL', async () => {
  const { cookie } = await newHolder()
  const statuses = [
    await send('/sign-in', '', { email: 'a\0b@c', password: 'x\0' }),
    await send('/account/passkeys/remove', cookie, { id: 'a\0' }),
    await send('/account/identities/remove', cookie, { issuer: '\0' }),
    await post('/sign-in/passkey', '', { credential: { id: 'a\0' } }),
  ].map(({ statusCode }) => statusCode)
  assert.deepEqual(statuses, [401, 404, 404, 401])
})

test('lists the signed-in browsers, and signs out one or all others', async () => {
  const { cookie, accountId } = await newHolder()
  const stranger = await newHolder()
  const withAgent = (as: string, agent: string) =>
    app.inject({ url: '/account', headers: { cookie: as, 'user-agent': agent } })
  const [phone, old] = [await anotherBrowser(accountId), await anotherBrowser(accountId)]
  await withAgent(phone, 'Mozilla/5.0 (iPhone) AppleWebKit/1 Version/19.0 Mobile Safari/604.1')
  await withAgent(cookie, 'Mozilla/5.0 (Windows NT 10.0; rv:146.0) Gecko/20100101 Firefox/146.0')
  const { body } = await open(cookie)
  assert.match(body, /Firefox on Windows <span[^>]*>(?:<[^>]*>)*This browser/)
  assert.match(body, /Safari on iOS/)
  assert.match(body, /Unknown browser/)
  const ids = [...body.matchAll(/name="id" value="([0-9a-f]{64})"/g)].map(([, id = '']) => id)
  assert.equal(ids.length, 3, 'all but this browser, with the one of newHolder')
  assert.equal(
    (await send('/account/browsers/sign-out', stranger.cookie, { id: ids[0] ?? '' })).statusCode,
    404,
  )
  assert.equal((await send('/account/browsers/sign-out', cookie, { id: 'x' })).statusCode, 404)
  const ended = await send('/account/browsers/sign-out', cookie, { id: ids[0] ?? '' })
  assert.equal(ended.headers.location, '/account?done=browser-signed-out')
  assert.deepEqual(await Promise.all([phone, old, cookie].map(isSignedIn)), [false, true, true])
  await send('/account/sign-out-others', cookie)
  assert.deepEqual(await Promise.all([old, cookie].map(isSignedIn)), [false, true])
  assert.doesNotMatch((await open(cookie)).body, /Sign out all other browsers/)
})

test('rejects account forms and passkey requests from another site', async () => {
  const { cookie } = await newHolder()
  const foreign = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
  ]
  for (const headers of foreign) {
    for (const path of [
      'password',
      'passkeys/remove',
      'identities/remove',
      'sign-out-others',
      'browsers/sign-out',
    ])
      assert.equal((await send(`/account/${path}`, cookie, {}, headers)).statusCode, 400)
    for (const url of [
      '/sign-in/passkey/options',
      '/sign-in/passkey',
      '/account/passkeys/options',
      '/account/passkeys',
    ])
      assert.equal((await post(url, cookie, {}, headers)).statusCode, 400)
  }
})

test('serves the script under its version with permanent caching', async () => {
  const [, path = ''] =
    /src="(\/assets\/\w+\/islands\/passkeys\.ts)"/.exec((await open('', '/sign-in')).body) ?? []
  const response = await app.inject({ url: path })
  assert.deepEqual(
    [response.headers['content-type'], /immutable/.test(String(response.headers['cache-control']))],
    ['text/javascript; charset=utf-8', true],
  )
})
