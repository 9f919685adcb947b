/** /team, the page of an invitation and /api/v1/members, over HTTP. */
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { openAppBed, type AppBed } from '../../../../../test/harness/beds/app.ts'
import { addMember, findOrCreatePerson } from '../../../../auth/records/add-member.ts'
import { openPersonSession } from '../../../../auth/records/browser-session.ts'
import { findCaller } from '../../../../keys/find-caller.ts'
import { hashSecret } from '../../../../keys/format.ts'
import type { Id } from '../../../../lib/ids.ts'
import type { Role } from '../../../../lib/permissions.ts'
import { newToken } from '../../../../lib/token.ts'

let bed: AppBed
let accountId: Id
let strangersAccountId: Id

async function accountOf(secret: string): Promise<Id> {
  return (await findCaller(bed.database, hashSecret(secret), bed.clock()))?.caller.accountId ?? ''
}

before(async () => {
  bed = await openAppBed()
  accountId = await accountOf(bed.liveKey)
  strangersAccountId = await accountOf(bed.strangerKey)
})

type Person = { readonly id: string; readonly session: string; readonly email: string }

let people = 0
async function join(account: Id, role: Role): Promise<Person> {
  people += 1
  const email = `${role}${people}@example.com`
  return bed.database.transaction(async (tx) => {
    const personId = await findOrCreatePerson(tx, email, bed.clock())
    await addMember(tx, { accountId: account, personId, role, nowMs: bed.clock() })
    const { session } = await openPersonSession({ database: tx, now: bed.clock }, personId)
    return { id: `mem_${personId}`, session, email }
  })
}

function open(url: string, person?: Person) {
  return bed.app.inject({ url, headers: cookieOf(person) })
}

function submit(url: string, fields: Readonly<Record<string, string>>, person?: Person) {
  return bed.app.inject({
    method: 'POST',
    url,
    headers: {
      ...cookieOf(person),
      origin: 'https://gate.example',
      'content-type': 'application/x-www-form-urlencoded',
    },
    payload: new URLSearchParams(fields).toString(),
  })
}

const cookieOf = (person: Person | undefined) => ({
  accept: 'text/html',
  ...(person === undefined ? {} : { cookie: `__Host-tollgate-page=${person.session}` }),
})

const LINK = /https:\/\/gate\.example(\/invitations\/[\w-]{43})/

async function invite(owner: Person, email = '', role: Role = 'viewer'): Promise<string> {
  const shown = await submit('/team/invitations', { email, role, once: newToken() }, owner)
  assert.equal(shown.statusCode, 201)
  return LINK.exec(shown.body)?.[1] ?? ''
}

describe('/team', () => {
  it('offers owners the forms, and others the list and the owners to ask', async () => {
    const [owner, viewer] = [await join(accountId, 'owner'), await join(accountId, 'viewer')]
    assert.match((await open('/team', owner)).body, /Create invitation/)
    const { body } = await open('/team', viewer)
    assert.doesNotMatch(body, /Create invitation|Remove member/)
    assert.match(body, /Only owners can change members/)
    assert.match((await open('/team')).body, /Sign in/)
  })

  it('rejects each form of a billing member', async () => {
    const [billing, viewer] = [await join(accountId, 'billing'), await join(accountId, 'viewer')]
    for (const [url, fields] of [
      ['/team/invitations', { role: 'viewer' }],
      [`/team/members/${viewer.id}/role`, { role: 'owner' }],
      [`/team/members/${viewer.id}/remove`, { sure: 'yes' }],
    ] as const)
      assert.equal((await submit(url, fields, billing)).statusCode, 403, url)
  })

  it('shows a link once, also for a double click, and marks the field of a wrong address', async () => {
    const owner = await join(accountId, 'owner')
    const form = { email: 'a@example.com', role: 'viewer', once: newToken() }
    const [first, second] = [
      await submit('/team/invitations', form, owner),
      await submit('/team/invitations', form, owner),
    ]
    assert.match(first.body, LINK)
    assert.equal(LINK.exec(second.body)?.[1], LINK.exec(first.body)?.[1])
    assert.doesNotMatch((await open('/team', owner)).body, LINK)
    const wrong = await submit(
      '/team/invitations',
      { ...form, email: '@', once: newToken() },
      owner,
    )
    assert.equal(wrong.statusCode, 400)
    assert.match(wrong.body, /id="email-error"/)
  })

  it('changes a role, and removes a member after confirmation', async () => {
    const [owner, member] = [await join(accountId, 'owner'), await join(accountId, 'viewer')]
    const url = `/team/members/${member.id}`
    const saved = await submit(`${url}/role`, { role: 'developer' }, owner)
    assert.equal(saved.headers.location, '/team?done=role')
    assert.equal((await submit(`${url}/remove`, {}, owner)).statusCode, 400)
    const strange = await submit(`${url}/remove`, { sure: 'yes', keys: 'mem_x' }, owner)
    assert.equal(strange.statusCode, 400)
    const removed = await submit(`${url}/remove`, { sure: 'yes' }, owner)
    assert.equal(removed.headers.location, '/team?done=removed')
    assert.match((await open('/team', member)).body, /Sign in/)
  })

  it('has no members of other accounts', async () => {
    const owner = await join(accountId, 'owner')
    const other = await join(strangersAccountId, 'viewer')
    const url = `/team/members/${other.id}`
    assert.equal((await submit(`${url}/role`, { role: 'owner' }, owner)).statusCode, 404)
    assert.equal((await submit(`${url}/remove`, { sure: 'yes' }, owner)).statusCode, 404)
    assert.doesNotMatch((await open('/team', owner)).body, new RegExp(other.email))
  })
})

describe('an operator who signed in more than an hour ago', () => {
  it('adds no owner and no passkey before they sign in again', async () => {
    const [operator, viewer] = [await join(accountId, 'owner'), await join(accountId, 'viewer')]
    const setOperator = (is: boolean) =>
      bed.database.query('update accounts set is_operator = $2 where id = $1', [accountId, is])
    const ageSession = (by: string) =>
      bed.database.query(
        `update page_sessions set expires_at = expires_at - $2::interval where person_id = $1`,
        [operator.id.slice('mem_'.length), by],
      )
    const sent = async (method: 'POST' | 'PATCH', url: string, payload: object) =>
      (
        await bed.app.inject({
          method,
          url,
          headers: { ...cookieOf(operator), accept: '*/*', origin: 'https://gate.example' },
          payload,
        })
      ).json()
    await setOperator(true)
    await ageSession('2 hours')
    const role = `/team/members/${viewer.id}/role`
    for (const [url, fields] of [
      ['/team/invitations', { role: 'owner', email: '', once: newToken() }],
      [role, { role: 'owner' }],
    ] as const) {
      const refused = await submit(url, fields, operator)
      assert.match(refused.body, /signed in more than an hour ago/, url)
    }
    for (const refused of [
      await sent('POST', '/api/v1/members/invitations', { role: 'owner' }),
      await sent('PATCH', `/api/v1/members/${viewer.id}`, { role: 'owner' }),
      await sent('POST', '/account/passkeys/options', {}),
      await sent('POST', '/account/passkeys', {}),
    ])
      assert.deepEqual([refused.ok, refused.error?.code], [false, 'sign_in_refused'])
    assert.equal((await submit(role, { role: 'billing' }, operator)).statusCode, 303)
    await ageSession('-2 hours')
    assert.equal((await submit(role, { role: 'owner' }, operator)).statusCode, 303)
    assert.equal((await sent('POST', '/account/passkeys/options', {})).ok, true)
    await setOperator(false)
  })
})

describe('the account in the frame', () => {
  it('is a choice on every page for a person with several accounts, and absent with one', async () => {
    const guest = await join(strangersAccountId, 'viewer')
    assert.doesNotMatch((await open('/keys', guest)).body, /account-switch/)
    await bed.database.query(
      "insert into members (account_id, person_id, role, joined_at) values ($1, $2, 'billing', now())",
      [accountId, guest.id.slice('mem_'.length)],
    )
    for (const url of [
      '/balance',
      '/calls',
      '/keys',
      '/credit',
      '/webhooks',
      '/team',
      '/account',
      '/changes',
    ]) {
      const { body, statusCode } = await open(url, guest)
      // Some beds have no cards, so no /credit.
      if (statusCode === 404) continue
      assert.match(body, new RegExp(`name="account" value="acc_${accountId}"`), url)
      assert.doesNotMatch(body, new RegExp(`name="account" value="acc_${strangersAccountId}"`), url)
    }
  })
})

describe('leaving an account', () => {
  it('needs the box, and opens the sign-in page after the only account', async () => {
    const viewer = await join(accountId, 'viewer')
    assert.match((await open('/team', viewer)).body, /Leave account/)
    assert.equal((await submit('/team/leave', {}, viewer)).statusCode, 400)
    const left = await submit('/team/leave', { sure: 'yes' }, viewer)
    assert.equal(left.headers.location, '/sign-in?done=left')
    assert.match((await open('/sign-in?done=left', viewer)).body, /You left the account/)
    assert.match((await open('/team', viewer)).body, /Sign in/)
  })

  it('opens another account of the person', async () => {
    const owner = await join(accountId, 'owner')
    const guest = await join(strangersAccountId, 'viewer')
    await submit(await invite(owner), {}, guest)
    const left = await submit('/team/leave', { sure: 'yes' }, guest)
    assert.equal(left.headers.location, '/team?done=left')
  })
})

describe('the page of an invitation', () => {
  it('names account and role, adds the person who accepts, and works once', async () => {
    const owner = await join(accountId, 'owner')
    const guest = await join(strangersAccountId, 'viewer')
    const path = await invite(owner, guest.email, 'billing')
    assert.match((await open(path, guest)).body, /Billing[\s\S]*Accept invitation/)
    const accepted = await submit(path, {}, guest)
    assert.equal(accepted.headers.location, '/team?done=joined')
    assert.match((await open('/keys', guest)).body, /Show another account/)
    const again = await open(path, guest)
    assert.equal(again.statusCode, 403)
    assert.match(again.body, /already used or revoked/)
  })

  it('lets a person switch between their accounts, and to no account of others', async () => {
    const owner = await join(accountId, 'owner')
    const guest = await join(strangersAccountId, 'viewer')
    await submit(await invite(owner), {}, guest)
    const to = (account: Id) => submit('/team/switch', { account: `acc_${account}` }, guest)
    const switched = await to(strangersAccountId)
    assert.equal(switched.headers.location, '/balance?done=switched')
    assert.match((await open('/balance?done=switched', guest)).body, /shows this account now/)
    assert.match((await open('/team', guest)).body, new RegExp(guest.email))
    assert.equal((await to('0'.repeat(32))).statusCode, 404)
  })

  it('accepts no other address, and no person without sign-in', async () => {
    const owner = await join(accountId, 'owner')
    const guest = await join(strangersAccountId, 'viewer')
    const path = await invite(owner, 'someone@example.com')
    assert.match((await open(path, guest)).body, /Sign in with another address/)
    assert.equal((await submit(path, {}, guest)).statusCode, 403)
    assert.match((await open(path)).body, /Sign in to accept/)
    const forced = await submit(`${path}/new`, { password: 'four words in a row' })
    assert.equal(forced.statusCode, 403)
  })

  it('of an emailed link sets a password and signs in', async () => {
    const texts: string[] = []
    const mailed = await openAppBed({
      people: {
        mailer: { send: async ({ text }) => void texts.push(text), close: () => {} },
      },
    })
    const made = await mailed.post('/api/v1/members/invitations', {
      role: 'developer',
      email: 'lea@example.com',
    })
    assert.equal(made.json().data.url, null)
    const path = LINK.exec(texts[0] ?? '')?.[1] ?? ''
    const page = await mailed.app.inject({ url: path, headers: { accept: 'text/html' } })
    assert.match(page.body, /Accept and sign in/)
    const headers = {
      origin: 'https://gate.example',
      'content-type': 'application/x-www-form-urlencoded',
    }
    const send = (password: string) =>
      mailed.app.inject({
        method: 'POST',
        url: `${path}/new`,
        headers,
        payload: new URLSearchParams({ password }).toString(),
      })
    assert.match((await send('short')).body, /id="password-error"/)
    const entered = await send('four words in a row')
    assert.equal(entered.headers.location, '/team?done=joined')
    assert.match(String(entered.headers['set-cookie']), /tollgate-page=/)
  })
})

describe('/api/v1/members', () => {
  it('serves primary keys, and no other key', async () => {
    const url = '/api/v1/members'
    assert.equal((await bed.get(url)).statusCode, 200)
    const made = await bed.post('/api/v1/agents', { label: 'x', scope: 'account' })
    const headers = { authorization: `Bearer ${made.json().data.key}` }
    for (const request of [
      { method: 'GET', url },
      { method: 'GET', url: `${url}/invitations` },
      { method: 'POST', url: `${url}/invitations`, payload: { role: 'owner' } },
      { method: 'DELETE', url: `${url}/mem_0` },
    ] as const)
      assert.equal((await bed.app.inject({ ...request, headers })).statusCode, 403, request.url)
  })

  it('changes nothing for a test key', async () => {
    const headers = { authorization: `Bearer ${bed.testKey}` }
    const sent = await bed.post('/api/v1/members/invitations', { role: 'owner' }, headers)
    assert.equal(sent.json().error.code, 'key_cannot_mint_keys')
  })
})
