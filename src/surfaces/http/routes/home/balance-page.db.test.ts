import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify, { type FastifyInstance, type LightMyRequestResponse } from 'fastify'
import { cleanUp } from '../../../../../test/harness/clean-up.ts'
import { cookieOf, sendForm } from '../../../../../test/harness/clients/forms.ts'
import { createWorld } from '../../../../../test/harness/beds/world.ts'
import { openHistories } from '../../../../history/histories.ts'
import { createAccount } from '../../../../accounts/create-account.ts'
import { createCatalog } from '../../../../catalog/index.ts'
import { createValidator } from '../../../../catalog/validate/validate.ts'
import { createAuthenticator } from '../../../../keys/authenticate.ts'
import { createKey } from '../../../../keys/create-key.ts'
import { newSecret } from '../../../../keys/format.ts'
import { revokeKey } from '../../../../keys/revoke-key.ts'
import { rotateKey } from '../../../../keys/rotate-key.ts'
import { newId } from '../../../../lib/ids.ts'
import { cents } from '../../../../lib/money.ts'
import { acceptJsonBodies } from '../../bodies/json-body.ts'
import { renderError } from '../../render-error.ts'
import { acceptForms } from '../visitor/forms.ts'
import { createPageDeps } from '../visitor/page-deps.ts'
import { balancePageRoutes } from './balance-page-routes.ts'

const world = await createWorld()
const authenticator = createAuthenticator({
  database: world.database,
  now: world.now,
  cacheSize: 100,
  cacheMs: 30_000,
})
await authenticator.ready
cleanUp(() => authenticator.close())

const app = await createPages('http://127.0.0.1:4020')

async function createPages(publicUrl: string): Promise<FastifyInstance> {
  const pages = Fastify({ genReqId: () => newId(world.now()) })
  cleanUp(() => pages.close())
  pages.setErrorHandler(renderError)
  acceptJsonBodies(pages)
  acceptForms(pages)
  await pages.register(balancePageRoutes, {
    pages: await createPageDeps({ database: world.database, now: world.now, publicUrl }),
    histories: openHistories(world.database),
    methods: { signUp: false, mail: false, provider: null },
    validator: createValidator(),
    catalog: createCatalog(),
    authenticator,
    callLog: { flush: async () => {} },
  })
  return pages
}

async function signIn(
  key: string,
  pages = app,
  headers: Record<string, string> = {},
): Promise<LightMyRequestResponse> {
  return sendForm(pages, { url: '/balance/sign-in', fields: { key }, headers })
}

async function signedIn(key: string): Promise<string> {
  const response = await signIn(key)
  assert.equal(response.statusCode, 303)
  return cookieOf(response)
}

const open = (url: string, cookie = ''): Promise<LightMyRequestResponse> =>
  app.inject({ method: 'GET', url, headers: cookie === '' ? {} : { cookie } })
const isForm = (response: LightMyRequestResponse): boolean =>
  response.body.includes('action="/balance/sign-in"')

test('redirects a request with a key to the API, with its filter', async () => {
  const { live } = await world.account()
  for (const query of ['', '?service=files&status=settled']) {
    const redirect = await app.inject({
      method: 'GET',
      url: `/balance${query}`,
      headers: { authorization: `Bearer ${live.key}` },
    })
    assert.deepEqual(
      [redirect.statusCode, redirect.headers.location],
      [303, `/api/v1/transactions${query}`],
    )
  }
  const spent = await app.inject({
    method: 'GET',
    url: '/balance/spending?days=7',
    headers: { authorization: `Bearer ${live.key}` },
  })
  assert.deepEqual([spent.statusCode, spent.headers.location], [303, '/api/v1/spending?days=7'])
  const byProxy = await app.inject({
    method: 'GET',
    url: '/balance',
    headers: { authorization: 'Basic b3BlcmF0b3I6cHJveHk=' },
  })
  assert.ok(isForm(byProxy))
})

test('shows the sign-in form and no figures to a stranger', async () => {
  const response = await open('/balance')
  assert.deepEqual(
    [response.statusCode, response.headers['cache-control'], isForm(response)],
    [200, 'no-store', true],
  )
  assert.ok(!response.body.includes('Available'))
})

test('signs in with a key by an HttpOnly, SameSite=Lax cookie and shows the balance', async () => {
  const { live } = await world.account()
  const response = await signIn(` ${live.key} `)
  assert.deepEqual([response.statusCode, response.headers.location], [303, '/balance'])
  assert.match(
    String(response.headers['set-cookie']),
    /^tollgate-page=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax$/,
  )
  const page = await open('/balance', cookieOf(response))
  assert.ok(page.body.includes('<dd class="value">$2.00</dd>'))
  assert.ok(!page.body.includes(live.key))
})

test('binds the cookie to host and secure connections over https', async () => {
  const { live } = await world.account()
  const secure = await createPages('https://tollgate.example')
  const response = await signIn(live.key, secure)
  assert.match(
    String(response.headers['set-cookie']),
    /^__Host-tollgate-page=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
  )
  const page = await secure.inject({
    method: 'GET',
    url: '/balance',
    headers: { cookie: `a=b; ${cookieOf(response)}` },
  })
  assert.equal(isForm(page), false)
})

test('rejects a wrong key on the form without a cookie', async () => {
  for (const key of ['', 'nonsense', newSecret('live')]) {
    const response = await signIn(key)
    assert.deepEqual(
      [response.statusCode, response.headers['set-cookie'], isForm(response)],
      [401, undefined, true],
      key,
    )
    const [, problem] = /role="alert">([^<]*)</.exec(response.body) ?? []
    assert.match(problem ?? '', /key/)
    assert.doesNotMatch(problem ?? '', /header/, 'people do not send headers')
  }
})

test('rejects sign-in and sign-out forms from another site', async () => {
  const { live } = await world.account()
  const response = await signIn(live.key, app, { 'sec-fetch-site': 'cross-site' })
  assert.deepEqual([response.statusCode, response.headers['set-cookie']], [400, undefined])
  assert.equal((await signIn(live.key, app, { 'sec-fetch-site': 'same-origin' })).statusCode, 303)
})

test('accepts a form with only an Origin header if it names the gateway', async () => {
  const { live } = await world.account()
  const host = 'gateway.example:4020'
  for (const origin of [
    'http://elsewhere.example',
    'http://gateway.example',
    'null',
    'gateway.example:4020',
    '',
  ]) {
    const response = await signIn(live.key, app, { host, origin })
    assert.deepEqual(
      [response.statusCode, response.headers['set-cookie']],
      [400, undefined],
      origin,
    )
  }
  for (const origin of [
    'http://gateway.example:4020',
    'https://gateway.example:4020',
    'http://127.0.0.1:4020',
  ])
    assert.equal((await signIn(live.key, app, { host, origin })).statusCode, 303, origin)
})

test('redirects a GET of a form address to the page', async () => {
  for (const url of ['/balance/sign-in', '/balance/sign-out']) {
    const response = await open(url)
    assert.deepEqual([response.statusCode, response.headers.location], [303, '/balance'], url)
  }
})

test('ends the session on the server at sign-out', async () => {
  const { live } = await world.account()
  const cookie = await signedIn(live.key)
  const response = await app.inject({
    method: 'POST',
    url: '/balance/sign-out',
    headers: { cookie },
  })
  assert.equal(response.statusCode, 303)
  assert.match(String(response.headers['set-cookie']), /^tollgate-page=; Max-Age=0;/)
  assert.equal(isForm(await open('/balance', cookie)), true)
})

test('ends a session after twelve hours and deletes its row at the next sign-in', async () => {
  const { live } = await world.account()
  const cookie = await signedIn(live.key)
  const start = world.now()
  world.now.set(start + 12 * 3_600_000 - 1)
  assert.equal(isForm(await open('/balance', cookie)), false)
  world.now.set(start + 12 * 3_600_000)
  assert.equal(isForm(await open('/balance', cookie)), true)
  await signedIn(live.key)
  const { rows } = await world.database.query<{ count: bigint }>(
    'select count(*) as count from page_sessions',
  )
  assert.equal(rows[0]?.count, 1n)
})

test('ends the sessions of a key when it is revoked or rotated', async () => {
  const { caller } = await world.account()
  for (const end of [
    revokeKey,
    (...[context, actor, id]: Parameters<typeof revokeKey>) =>
      rotateKey(context, actor, id, { graceSeconds: 0 }),
  ]) {
    const { id, key } = await createKey(world.keys, caller, {})
    const cookie = await signedIn(key)
    assert.equal(isForm(await open('/balance', cookie)), false)
    await end(world.keys, caller, id)
    assert.equal(isForm(await open('/balance', cookie)), true)
  }
})

test('stores no session token and accepts no other token', async () => {
  const { live } = await world.account()
  const token = (await signedIn(live.key)).split('=')[1] ?? ''
  const { rows } = await world.database.query<{ line: string }>(
    'select page_sessions::text as line from page_sessions',
  )
  assert.ok(
    rows.length > 0 &&
      rows.every(
        ({ line }) =>
          !line.includes(Buffer.from(token, 'base64url').toString('hex')) && !line.includes(token),
      ),
  )
  for (const value of ['', 'x', 'A'.repeat(43), token.slice(1), `${token}A`])
    assert.equal(isForm(await open('/balance', `tollgate-page=${value}`)), true, value)
})

test('filters and pages the history and keeps the filter in links', async () => {
  const { live, caller } = await world.account()
  for (let count = 0; count < 52; count += 1)
    await world.call(caller, { hold: '0.1', service: 'render', action: 'map' })
  await world.call(caller, { service: 'semantic' })
  const cookie = await signedIn(live.key)
  const first = await open(
    `/balance/transactions?service=render&status=&key=${live.id}&from=2027-03-01`,
    cookie,
  )
  assert.equal(first.statusCode, 200)
  assert.equal(rowsOf(first), 50)
  assert.ok(first.body.includes('Calls of free actions are not listed.'))
  assert.ok(
    first.body.includes('value="render"') &&
      first.body.includes(`<option value="${live.id}" selected>Primary (${live.key_prefix}…)`),
  )
  const older =
    /href="(\/balance\/transactions\?[^"]*cursor=[^"]*)">Older/
      .exec(first.body)?.[1]
      ?.replaceAll('&amp;', '&') ?? ''
  assert.match(older, /service=render/)
  const second = await open(older, cookie)
  assert.equal(rowsOf(second), 2)
  assert.ok(second.body.includes('>Newest</a>') && !second.body.includes('>Older</a>'))
})

test('links a transaction to its action page, unless it is a model, fetch or credit', async () => {
  const { live, caller } = await world.account()
  for (const named of [
    { service: 'render', action: 'map' },
    { service: 'llm', action: 'core/mid' },
    { service: 'web', action: 'fetch' },
    { service: 'render', action: 'gone' },
  ])
    await world.call(caller, { hold: '0.1', ...named })
  const { body } = await open('/balance/transactions', await signedIn(live.key))
  assert.deepEqual(
    [...body.matchAll(/href="\/catalog\/([^"]+)"/g)].map(([, id]) => id),
    ['render/map'],
  )
  for (const id of ['llm/core/mid', 'web/fetch', 'render/gone'])
    assert.ok(body.includes(`<code>${id}</code>`), id)
})

test('shows long durations in seconds', async () => {
  const { live, caller } = await world.account()
  for (const latencyMs of [9_999, 542_632]) await world.call(caller, { hold: '0.1', latencyMs })
  const { body } = await open('/balance/transactions', await signedIn(live.key))
  for (const text of ['9999\u00a0ms', '543\u00a0s']) assert.ok(body.includes(text), text)
})

test('sorts the history so that each balance follows from the one below', async () => {
  const { live, caller } = await world.account()
  const job = newId(world.now())
  const held = await world.ledger.hold({
    id: job,
    walletId: caller.walletId,
    budgetId: caller.budgetId,
    amount: cents('5'),
    deadlineMs: world.now() + 60_000,
    kind: 'job',
    service: 'core',
    action: 'onefind-deep',
    externalId: null,
    claim: null,
  })
  await world.call(caller, { hold: '2' })
  assert.ok(held.opened)
  await world.ledger.resolve({
    hold: held,
    charge: cents('3'),
    latencyMs: 5_000,
    errorCode: null,
    hops: null,
  })
  await world.call(caller, { hold: '1', open: true })
  const { body } = await open('/balance/transactions', await signedIn(live.key))
  const table = body.slice(body.indexOf('id="history"'))
  assert.deepEqual(
    [...table.matchAll(/\$1\.9\d|\$2\.00/g)].map(([text]) => text),
    ['$1.95', '$1.98', '$2.00', '$2.00'],
  )
  assert.ok(table.indexOf('up&nbsp;to') < table.indexOf('$1.95'), 'a pending call is first')
})

function rowsOf(response: LightMyRequestResponse): number {
  return response.body.split('href="/catalog/render/map"').length - 1
}

test('shows the ten latest calls on the home page, with links to them and to all calls', async () => {
  const { live, caller } = await world.account()
  const cookie = await signedIn(live.key)
  assert.match((await open('/balance', cookie)).body, /No calls yet\./)
  for (let count = 0; count < 12; count += 1)
    await world.call(caller, { hold: '0.1', service: 'render', action: 'map' })
  const { body } = await open('/balance', cookie)
  const rows = [...body.matchAll(/href="\/calls\/(req_\w+)"/g)].map(([, id]) => id)
  assert.deepEqual([rows.length, rows.toSorted((a = '', b = '') => b.localeCompare(a))], [10, rows])
  assert.ok(body.includes('href="/calls">See all calls</a>'))
})

test('shows the calls of the days that are chosen in the chart', async () => {
  const { live, caller } = await world.account()
  await world.call(caller, { service: 'render', action: 'map' })
  const cookie = await signedIn(live.key)
  const day = new Date(world.now()).toISOString().slice(0, 10)
  const chosen = await open(`/balance?since=${day}&until=${day}`, cookie)
  assert.match(chosen.body, /Calls of these days<[^]*href="\/calls\/req_/)
  const other = await open('/balance?since=2020-01-01&until=2020-01-02', cookie)
  assert.match(other.body, /No calls in these days\./)
})

test('redirects a filter of an earlier version to the transactions', async () => {
  const { live } = await world.account()
  const response = await open('/balance?service=render&from=2027-03-01', await signedIn(live.key))
  assert.deepEqual(
    [response.statusCode, response.headers.location],
    [303, '/balance/transactions?service=render&from=2027-03-01'],
  )
  const stranger = await open('/balance/transactions?service=render')
  assert.ok(isForm(stranger) && stranger.body.includes('/balance/transactions?service=render'))
})

test('distinguishes an empty history from a filter without matches', async () => {
  const { live } = await createAccount(world, {
    email: 'no-credit@example.com',
    tier: 'personal',
    welcomeCreditsPerDay: 0,
  })
  const cookie = await signedIn(live.key)
  assert.match(
    (await open('/balance/transactions', cookie)).body,
    /No transactions yet\. Paid calls and added credit appear here\./,
  )
  assert.match(
    (await open('/balance/transactions?service=semantic', cookie)).body,
    /No matching calls\./,
  )
})

test('shows the error of an invalid filter on the page', async () => {
  const { live } = await world.account()
  const cookie = await signedIn(live.key)
  for (const query of ['key=invalidSetting', 'from=someday', 'cursor=x', 'status=open', 'serv=x']) {
    const response = await open(`/balance/transactions?${query}`, cookie)
    assert.deepEqual(
      [
        response.statusCode,
        response.body.includes('role="alert"'),
        response.body.includes('Apply filter'),
      ],
      [400, true, true],
      query,
    )
  }
})

test('escapes text from callers', async () => {
  const { caller } = await world.account()
  const { key } = await createKey(world.keys, caller, { label: '<script>alert(1)</script>' })
  await world.call(await world.callerOf(key), {})
  const page = await open('/balance/transactions?service=%3Cscript%3E', await signedIn(key))
  assert.ok(
    !/<script(?! (?:type="module" )?src="\/assets\/)|<style|style=|onclick/i.test(page.body),
  )
  assert.ok(
    page.body.includes('&lt;script&gt;alert(1)&lt;/script&gt;') &&
      page.body.includes('value="&lt;script&gt;"'),
  )
})

test('exports the filtered history as CSV for a signed-in browser only', async () => {
  const { live, caller } = await world.account()
  await world.call(caller, { service: 'render' })
  const response = await open(
    '/balance/transactions.csv?service=render&status=',
    await signedIn(live.key),
  )
  assert.deepEqual(
    [response.statusCode, response.headers['content-type'], response.body.split('\r\n').length],
    [200, 'text/csv; charset=utf-8; header=present', 3],
  )
  const stranger = await open('/balance/transactions.csv')
  assert.deepEqual([stranger.statusCode, stranger.headers.location], [303, '/balance'])
})

test('shows spending by day, action and key, with links to the calls', async () => {
  const { live, caller } = await world.account()
  const cookie = await signedIn(live.key)
  assert.ok(
    (await open('/balance/spending', cookie)).body.includes('No paid calls in this period.'),
  )
  assert.ok((await open('/balance', cookie)).body.includes('href="/balance/spending"'))
  await world.call(caller, { hold: '1.5' })
  await world.call(caller, { service: 'render', action: 'map', errorCode: 'upstream_error' })
  const { body, headers } = await open('/balance/spending?days=7', cookie)
  assert.equal(headers['cache-control'], 'no-store')
  assert.ok(body.includes('<dt>Spent in 7 days</dt><dd class="value">1.5¢</dd>'))
  assert.ok(body.includes('href="/balance/transactions?service=render&amp;action=map"'))
  assert.ok(body.includes(`href="/balance/transactions?key=${live.id}"`))
  assert.equal(body.match(/<rect /g)?.length, 2 * 7)
  assert.equal(body.match(/height="100"\/>/g)?.length, 7 + 1, 'the peak fills the height')
  assert.ok((await open('/balance/spending?days=1000', cookie)).body.includes('Spent in 30 days'))
})

test('date fields have no maxlength, which HTML does not allow', async () => {
  const { live } = await world.account()
  const { body } = await open('/balance/transactions', await signedIn(live.key))
  assert.deepEqual(
    body.match(/<input[^>]* type="date"[^>]*>/g)?.filter((input) => input.includes('maxlength')),
    [],
  )
})

test('finds any of many keys by id, label, external id or part of them', async () => {
  const { live, caller } = await world.account()
  const oldest = await createKey(world.keys, caller, { label: 'the oldest', external_id: 'crew-1' })
  await world.call(await world.callerOf(oldest.key))
  for (let count = 0; count < 101; count += 1)
    await createKey(world.keys, caller, { label: count < 2 ? 'twin' : `later ${count}` })
  const cookie = await signedIn(live.key)
  assert.match(
    (await open('/balance/transactions', cookie)).body,
    /<bdi class="given">the oldest \(/,
  )
  assert.match((await open('/balance/spending', cookie)).body, /<bdi class="given">the oldest \(/)
  for (const typed of [oldest.id, 'the oldest', 'OLDE', 'crew-1', oldest.key_prefix]) {
    const { statusCode, body } = await open(
      `/balance/transactions?key=${encodeURIComponent(typed)}`,
      cookie,
    )
    assert.deepEqual(
      [
        statusCode,
        body.split('href="/catalog/semantic/search"').length - 1,
        /Showing calls of the key <bdi class="given">the oldest \(/.test(body),
        body.includes(`value="${typed}"`),
      ],
      [200, 1, true, true],
      typed,
    )
    assert.match(
      (await open(`/balance/transactions.csv?key=${encodeURIComponent(typed)}`, cookie)).body,
      new RegExp(`settled,semantic,search,${oldest.id}`),
    )
  }
  const several = await open('/balance/transactions?key=twin&status=settled', cookie)
  assert.match(several.body, /2 keys match\. Choose one/)
  assert.equal(
    [...several.body.matchAll(/href="\/balance\/transactions\?key=agk_\w+&amp;status=settled"/g)]
      .length,
    2,
  )
  assert.match(
    (await open('/balance/transactions?key=later', cookie)).body,
    /20 or more keys match/,
  )
  assert.match((await open('/balance/transactions?key=nothing', cookie)).body, /No matching key\./)
  assert.equal((await open('/balance/transactions.csv?key=twin', cookie)).statusCode, 400)
})

test('asks a stranger to sign in and returns to the spending page', async () => {
  const response = await open('/balance/spending?days=7')
  assert.ok(isForm(response))
  assert.ok(response.body.includes('/balance/spending?days=7'))
})
