import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openAppBed } from '../../../../../test/harness/beds/app.ts'
import { openOwnerSession } from '../../../../../test/harness/owner-session.ts'
import { createRoutesApp, type Reply } from '../../../../../test/harness/beds/routes-app.ts'
import { createWorld } from '../../../../../test/harness/beds/world.ts'
import {
  endPageSession,
  PERSON_SESSION_SECONDS,
  openKeySession,
} from '../../../../auth/records/browser-session.ts'
import { createKey } from '../../../../keys/create-key.ts'
import { newSecret } from '../../../../keys/format.ts'
import { pageCookie } from '../visitor/page-cookie.ts'

const world = await createWorld()
const { app, ask } = await createRoutesApp(world)
const sessions = { database: world.database, now: world.now }

const cookieOf = (token: string) => ({ cookie: `tollgate-page=${token}` })
const holder = async (accountId: string) => cookieOf(await openOwnerSession(sessions, accountId))
const secretOf = ({ body }: Reply): string => (body.data as { key: string }).key

/** Sessions do not update the last use of a key. */
const withoutUse = ({ text }: Reply): string => text.replaceAll(/"last_used_at":[^,]*,/g, '')

const READS = [
  '/api/v1/agents',
  '/api/v1/agents/me',
  '/api/v1/balance',
  '/api/v1/transactions',
  '/api/v1/transactions?format=csv',
]
const WRITES = [
  ['POST', '/api/v1/agents', { label: 'new' }],
  ['PATCH', '/api/v1/agents/ID', { label: 'other' }],
  ['POST', '/api/v1/agents/ID/rotate', undefined],
  ['DELETE', '/api/v1/agents/ID', undefined],
] as const

describe('the signed-in holder of an account', () => {
  test('reads keys, balance and history, and changes keys, as the live primary key', async () => {
    const { caller, live } = await world.account()
    const headers = await holder(caller.accountId)
    for (const url of READS) {
      const [signedIn, byKey] = [
        await ask('GET', url, null, { headers }),
        await ask('GET', url, live.key),
      ]
      assert.deepEqual([signedIn.status, withoutUse(signedIn)], [200, withoutUse(byKey)], url)
    }
    const made = await ask('POST', '/api/v1/agents', null, {
      headers,
      body: { label: 'of the page' },
    })
    const { id } = made.body.data as { id: string }
    const done = [made]
    for (const [method, url, body] of WRITES.slice(1))
      done.push(
        await ask(method, url.replace('ID', id), null, {
          headers,
          ...(body === undefined ? {} : { body }),
        }),
      )
    assert.deepEqual(
      done.map(({ status, headers: sent }) => [status, sent['cache-control']]),
      [
        [201, 'no-store'],
        [200, 'no-store'],
        [200, 'no-store'],
        [200, 'no-store'],
      ],
    )
  })

  test("cannot access another account's keys", async () => {
    const [{ caller }, other] = [await world.account(), await world.account()]
    const headers = await holder(caller.accountId)
    for (const [method, url, body] of WRITES.slice(1)) {
      const { status, body: answer } = await ask(method, url.replace('ID', other.live.id), null, {
        headers,
        ...(body === undefined ? {} : { body }),
      })
      assert.deepEqual([status, answer.error?.code], [404, 'unknown_key'], `${method} ${url}`)
    }
  })

  test('gets a new secret again with the same Idempotency-Key, unlike another browser', async () => {
    const { caller, live } = await world.account()
    const [mine, other] = [await holder(caller.accountId), await holder(caller.accountId)]
    const make = (headers: Record<string, string>, key: string | null = null) =>
      ask('POST', '/api/v1/agents', key, {
        headers: { ...headers, 'idempotency-key': 'once' },
        body: { label: 'once' },
      })
    const [first, again] = [await make(mine), await make(mine)]
    assert.deepEqual([first.status, secretOf(again)], [201, secretOf(first)])
    for (const refused of [await make(other), await make({}, live.key)])
      assert.deepEqual([refused.status, refused.body.error?.code], [422, 'idempotency_key_reused'])
  })

  test('is signed out after the session expires or ends', async () => {
    const { caller } = await world.account()
    const token = await openOwnerSession(sessions, caller.accountId)
    await endPageSession(world.database, token)
    const late = await holder(caller.accountId)
    world.now.advance(PERSON_SESSION_SECONDS * 1000)
    for (const headers of [cookieOf(token), late, cookieOf('nonsense')]) {
      const { status, body, headers: sent } = await ask('GET', '/api/v1/balance', null, { headers })
      assert.deepEqual(
        [status, body.error?.code, sent['www-authenticate']],
        [401, 'invalid_token', 'Bearer'],
      )
      assert.match(body.error?.fix ?? '', /Authorization: Bearer.*\/sign-in/)
    }
  })
})

test('prefers an Authorization header to the session, even an invalid one', async () => {
  const [{ caller }, other] = [await world.account(), await world.account()]
  const headers = await holder(caller.accountId)
  const own = (await ask('GET', '/api/v1/agents/me', other.live.key, { headers })).body.data as {
    id: string
  }
  assert.equal(own.id, other.live.id)
  for (const authorization of ['', 'Bearer', 'Basic eDp5', `Bearer ${newSecret('live')}`])
    assert.equal(
      (await ask('GET', '/api/v1/agents/me', null, { headers: { ...headers, authorization } }))
        .status,
      401,
      authorization,
    )
})

test('a session of an ordinary or test key has the permissions of that key', async () => {
  const { caller, live, test: testKey } = await world.account()
  const { key, id } = await createKey(world.keys, caller, { label: 'ordinary' })
  const ordinary = cookieOf(await openKeySession(sessions, key))
  assert.equal((await ask('GET', '/api/v1/balance', null, { headers: ordinary })).status, 200)
  for (const [method, url, body] of WRITES) {
    const { status, body: answer } = await ask(method, url.replace('ID', id), null, {
      headers: ordinary,
      ...(body === undefined ? {} : { body }),
    })
    assert.deepEqual(
      [status, answer.error?.code],
      [403, 'key_cannot_mint_keys'],
      `${method} ${url}`,
    )
  }
  const test = cookieOf(await openKeySession(sessions, testKey.key))
  assert.match(
    secretOf(await ask('POST', '/api/v1/agents', null, { headers: test, body: { label: 't' } })),
    /^tg_test_/,
  )
  assert.equal(
    (await ask('DELETE', `/api/v1/agents/${live.id}`, null, { headers: test })).status,
    404,
  )
})

describe('a page of another site', () => {
  const FOREIGN = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
  ]

  test('cannot write with the session of a visitor, for any origin header', async () => {
    const { caller, live } = await world.account()
    const headers = await holder(caller.accountId)
    for (const foreign of FOREIGN) {
      for (const [method, url, body] of WRITES) {
        const { status, body: answer } = await ask(method, url.replace('ID', live.id), null, {
          headers: { ...headers, ...foreign },
          ...(body === undefined ? {} : { body }),
        })
        assert.deepEqual(
          [status, answer.error?.code],
          [403, 'foreign_host'],
          JSON.stringify([foreign, method, url]),
        )
      }
    }
    assert.equal(((await ask('GET', '/api/v1/agents', live.key)).body.data as object[]).length, 2)
  })

  test('cannot read with it, because responses have no CORS headers', async () => {
    const { caller } = await world.account()
    const headers = await holder(caller.accountId)
    for (const url of READS) {
      for (const foreign of FOREIGN)
        assert.equal(
          (await ask('GET', url, null, { headers: { ...headers, ...foreign } })).status,
          403,
          url,
        )
      const own = await ask('GET', url, null, {
        headers: { ...headers, 'sec-fetch-site': 'same-origin' },
      })
      assert.deepEqual(
        [own.status, Object.keys(own.headers).filter((name) => name.startsWith('access-control-'))],
        [200, []],
        url,
      )
    }
    const asked = await app.inject({
      method: 'OPTIONS',
      url: '/api/v1/agents',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    })
    assert.deepEqual(
      Object.keys(asked.headers).filter((name) => name.startsWith('access-control-')),
      [],
    )
  })

  test('can send a key like any program', async () => {
    const { live } = await world.account()
    assert.equal(
      (
        await ask('GET', '/api/v1/balance', live.key, {
          headers: { 'sec-fetch-site': 'cross-site', origin: 'https://tool.example' },
        })
      ).status,
      200,
    )
  })

  test('cannot submit a form, because only JSON is accepted', async () => {
    const { caller, live } = await world.account()
    const headers = await holder(caller.accountId)
    for (const type of [
      'application/x-www-form-urlencoded',
      'text/plain',
      'multipart/form-data; boundary=x',
    ]) {
      for (const url of ['/api/v1/agents', `/api/v1/agents/${live.id}/rotate`])
        assert.equal(
          (
            await ask('POST', url, null, {
              headers: { ...headers, 'content-type': type },
              body: '{"label":"x"}',
            })
          ).status,
          415,
          type,
        )
    }
  })
})

test('requires a key for everything that spends: calls, models, tools and fetches', async () => {
  const bed = await openAppBed()
  const { rows } = await bed.database.query<{ id: string }>(
    "select id from accounts where email = 'mine@gate.example.com'",
  )
  const headers = {
    cookie: `${pageCookie('https://gate.example').name}=${await openOwnerSession({ database: bed.database, now: bed.clock }, rows[0]?.id ?? '')}`,
  }
  assert.equal(
    (await bed.app.inject({ method: 'GET', url: '/api/v1/balance', headers })).statusCode,
    200,
  )
  const spending = [
    ['POST', '/api/run/semantic/search'],
    ['POST', '/api/run/files/upload'],
    ['POST', '/api/run/core/result'],
    ['POST', '/api/llm/v1/chat/completions'],
    ['POST', '/api/llm/v1/messages'],
    ['POST', '/api/llm/v1/responses'],
    ['GET', '/api/llm/v1/models'],
    ['POST', '/api/fetch'],
    ['POST', '/mcp'],
  ] as const
  for (const [method, url] of spending) {
    const { statusCode, body } = await bed.app.inject({
      method,
      url,
      headers: { ...headers, ...(method === 'POST' ? { 'content-type': 'application/json' } : {}) },
      ...(method === 'POST' ? { payload: '{}' } : {}),
    })
    assert.equal(statusCode, 401, `${url}: ${body}`)
  }
})
