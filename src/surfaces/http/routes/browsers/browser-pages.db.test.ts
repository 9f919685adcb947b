import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { describe, it } from 'node:test'
import { openAppBed } from '../../../../../test/harness/beds/app.ts'
import { formIn, sendForm } from '../../../../../test/harness/clients/forms.ts'
import {
  createFakeBrowsers,
  FIRST_FRAME,
  openFakeSession,
} from '../../../../../test/harness/fake-browsers.ts'
import { openOwnerSession } from '../../../../../test/harness/owner-session.ts'
import { addMember, findOrCreatePerson } from '../../../../auth/records/add-member.ts'
import { openKeySession, openPersonSession } from '../../../../auth/records/browser-session.ts'
import { findCaller } from '../../../../keys/find-caller.ts'
import { hashSecret } from '../../../../keys/format.ts'
import { FRAME_STREAM_TYPE } from '../../../../resources/browsers/in-house/view/frame-stream.ts'
import { newId } from '../../../../lib/ids.ts'
import type { Role } from '../../../../lib/permissions.ts'

const fake = createFakeBrowsers()
const bed = await openAppBed({ browsers: fake.own })
const address = await bed.app.listen({ port: 0, host: '127.0.0.1' })
const deps = { database: bed.database, now: bed.clock }
const callerOf = async (key: string) =>
  (await findCaller(bed.database, hashSecret(key), bed.clock()))?.caller ?? assert.fail('no caller')
const mine = await callerOf(bed.liveKey)
const cookieOf = (session: string): string => `__Host-tollgate-page=${session}`
const owner = cookieOf(await openOwnerSession(deps, mine.accountId))
const stranger = cookieOf(await openKeySession(deps, bed.strangerKey))
const HTTPS = { host: 'gate.example', origin: 'https://gate.example' }

const open = (url: string, cookie = owner) =>
  bed.app.inject({ url, headers: { ...HTTPS, cookie, accept: 'text/html' } })
const openSession = () => openFakeSession(fake, bed.database, mine, bed.clock())
const release = async (page: string, fields: object = { sure: 'yes' }) => {
  const { action, hidden } = formIn(await open(page), /\/release$/)
  return sendForm(bed.app, {
    url: action,
    fields: { ...hidden, ...fields },
    headers: { ...HTTPS, cookie: owner },
  })
}

async function cookieOfRole(role: Role): Promise<string> {
  const { accountId } = mine
  return bed.database.transaction(async (tx) => {
    const personId = await findOrCreatePerson(tx, `${role}@example.com`, bed.clock())
    await addMember(tx, { accountId, personId, role, nowMs: bed.clock() })
    return cookieOf((await openPersonSession({ database: tx, now: bed.clock }, personId)).session)
  })
}

/** Over a real connection, which can break. */
async function watch(session: string, headers: Record<string, string>): Promise<IncomingMessage> {
  const asked = get(`${address}/api/v1/browsers/${session}/live`, { headers, agent: false })
  asked.on('error', () => undefined)
  const [reply] = (await once(asked, 'response')) as [IncomingMessage]
  assert.equal(reply.statusCode, 200)
  assert.equal(reply.headers['content-type'], FRAME_STREAM_TYPE)
  return reply.on('error', () => undefined)
}
const isStart = (method: string): boolean => method === 'Page.startScreencast'

async function until(isTrue: () => boolean): Promise<void> {
  for (let turns = 0; !isTrue(); turns += 1) {
    assert.ok(turns < 100_000)
    await new Promise((done) => setImmediate(done))
  }
}
const bearer = { authorization: `Bearer ${bed.liveKey}` }

describe('the list of browser sessions', () => {
  it('is empty with a link to the action, and lists open sessions only', async () => {
    assert.match((await open('/browsers')).body, /No open browser sessions/)
    assert.match((await open('/browsers?mode=test')).body, /simulated sessions/)
    const [session, ended] = [await openSession(), await openSession()]
    await release(`/browsers/${ended}`)
    const { body } = await open('/browsers')
    assert.ok(body.includes(`href="/browsers/${session}"`) && !body.includes(ended))
    assert.match(body, />60 minutes</)
    assert.ok(!(await open('/browsers', stranger)).body.includes(session))
    await release(`/browsers/${session}`)
  })

  it('names where a session runs', async () => {
    const nowMs = bed.clock()
    await bed.database.query(
      "insert into browser_sessions (id, account_id, key_id, session, opened_ms, paid_until_ms, lasts_until_ms) values ($1, $2, $3, 'at-vendor', $4, $5, $5)",
      [newId(nowMs), mine.accountId, mine.keyId, nowMs, nowMs + 60_000],
    )
    assert.match((await open('/browsers')).body, /The vendor/)
    const { body } = await open('/browsers/at-vendor')
    assert.match(body, /cannot show its image/)
    assert.ok(!body.includes('<img src="/api/'))
    const live = await bed.get('/api/v1/browsers/at-vendor/live')
    assert.deepEqual(
      [live.statusCode, live.json<{ error: object }>().error],
      [400, { ...live.json<{ error: object }>().error, code: 'bad_request', param: 'session' }],
    )
  })
})

describe('the page of a browser session', () => {
  it('shows the image, the escaped title and address, and the time left', async () => {
    const session = await openSession()
    const { body } = await open(`/browsers/${session}`)
    assert.ok(body.includes(`<img src="/api/v1/browsers/${session}/live"`))
    assert.ok(body.includes('Cart &lt;of&gt; a shop'))
    assert.ok(body.includes('https://shop.example/cart?item=1'))
    assert.match(body, />60 minutes</)
    await release(`/browsers/${session}`)
  })

  it('is not found by other accounts, by test keys and for unknown sessions', async () => {
    const session = await openSession()
    for (const [url, cookie] of [
      [`/browsers/${session}`, stranger],
      [`/browsers/${session}?mode=test`, owner],
      ['/browsers/ses_00000000000000000000000000000000', owner],
      ['/browsers/%00', owner],
    ] as const) {
      const { statusCode, body } = await open(url, cookie)
      assert.equal(statusCode, 404, url)
      assert.match(body, /Unknown session/)
    }
    await release(`/browsers/${session}`)
  })

  it('leads a program with a key to the image, and a stranger to the sign-in', async () => {
    const page = await bed.get('/browsers/ses_1')
    assert.deepEqual([page.statusCode, page.headers.location], [303, '/api/v1/browsers/ses_1/live'])
    for (const url of ['/browsers', '/browsers/ses_1'])
      assert.match((await open(url, '')).body, /Sign in/)
  })

  it('releases the session once, after the box is ticked', async () => {
    const session = await openSession()
    const refused = await release(`/browsers/${session}`, {})
    assert.equal(refused.statusCode, 400)
    assert.match(refused.body, /aria-invalid="true"/)
    assert.ok(fake.started.has(session))
    const done = await release(`/browsers/${session}`)
    assert.deepEqual(
      [done.statusCode, done.headers.location],
      [303, `/browsers/${session}?done=released`],
    )
    assert.ok(!fake.started.has(session))
    const { body } = await open(`/browsers/${session}?done=released`)
    assert.match(body, /Session released/)
    assert.match(body, /This session has ended/)
    assert.ok(!body.includes('data-refresh') && !body.includes('/release'))
  })

  it('offers no release to roles that run no calls', async () => {
    const session = await openSession()
    for (const role of ['viewer', 'billing'] as const) {
      const cookie = await cookieOfRole(role)
      const { body } = await open(`/browsers/${session}`, cookie)
      assert.ok(body.includes('/live"') && !body.includes('/release'))
      const posted = await sendForm(bed.app, {
        url: `/browsers/${session}/release`,
        fields: { sure: 'yes' },
        headers: { ...HTTPS, cookie },
      })
      assert.equal(posted.statusCode, 403)
    }
    const foreign = await sendForm(bed.app, {
      url: `/browsers/${session}/release`,
      fields: { sure: 'yes' },
      headers: { ...HTTPS, origin: 'https://evil.example', cookie: owner },
    })
    assert.equal(foreign.statusCode, 400)
    assert.ok(fake.started.has(session))
    await release(`/browsers/${session}`)
  })
})

describe('the live image', () => {
  it('is streamed to keys and members of the account, and ends with the session', async () => {
    const session = await openSession()
    for (const headers of [bearer, { ...HTTPS, cookie: await cookieOfRole('developer') }]) {
      const stream = await watch(session, headers)
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      while (!Buffer.concat(chunks).includes(FIRST_FRAME)) await once(stream, 'data')
      assert.match(String(Buffer.concat(chunks)), /^--[\w-]+\r\ncontent-type: image\/jpeg\r\n\r\n/)
      if (headers !== bearer) {
        const ended = once(stream, 'close')
        await release(`/browsers/${session}`)
        await ended
      } else stream.destroy()
    }
  })

  it('answers 404 to other accounts and after the session', async () => {
    const session = await openSession()
    const path = `/api/v1/browsers/${session}/live`
    for (const key of [bed.strangerKey, bed.testKey]) {
      const { statusCode } = await bed.get(path, { authorization: `Bearer ${key}` })
      assert.equal(statusCode, 404)
    }
    await release(`/browsers/${session}`)
    assert.equal((await bed.get(path)).statusCode, 404)
  })

  it('starts no image for a request without a body', async () => {
    const session = await openSession()
    const path = `/api/v1/browsers/${session}/live`
    const head = await bed.app.inject({ method: 'HEAD', url: path, headers: bearer })
    assert.deepEqual([head.statusCode, head.headers['content-type']], [200, FRAME_STREAM_TYPE])
    assert.match((await open(`/browsers/${session}`)).body, />0 viewers</)
    await release(`/browsers/${session}`)
    const gone = await bed.app.inject({ method: 'HEAD', url: path, headers: bearer })
    assert.equal(gone.statusCode, 404)
  })

  it('has at most eight viewers, and stops when the last one leaves', async () => {
    const session = await openSession()
    const streams: IncomingMessage[] = []
    for (let at = 0; at < 8; at += 1) streams.push(await watch(session, bearer))
    assert.match((await open(`/browsers/${session}`)).body, />8 viewers</)
    const full = await bed.get(`/api/v1/browsers/${session}/live`)
    assert.deepEqual([full.statusCode, full.headers['retry-after']], [429, '10'])
    assert.equal(fake.started.get(session)?.sent.filter(isStart).length, 1)
    for (const stream of streams) stream.destroy()
    await until(() => fake.started.get(session)?.sent.at(-1) === 'Target.detachFromTarget')
    assert.match((await open(`/browsers/${session}`)).body, />0 viewers</)
    await release(`/browsers/${session}`)
  })
})
