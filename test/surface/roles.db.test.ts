/** The access of people with each role, over HTTP, with browser sessions. */
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { openPersonSession, switchAccount } from '../../src/auth/records/browser-session.ts'
import { addMember, findOrCreatePerson } from '../../src/auth/records/add-member.ts'
import { endMemberships } from '../../src/auth/records/end-memberships.ts'
import { createAccount } from '../../src/accounts/create-account.ts'
import { findCaller } from '../../src/keys/find-caller.ts'
import { hashSecret } from '../../src/keys/format.ts'
import type { KeyRecord, KeyWithSecret } from '../../src/keys/key-record.ts'
import { parsePublicId, type Id } from '../../src/lib/ids.ts'
import type { Role } from '../../src/lib/permissions.ts'
import { newToken } from '../../src/lib/token.ts'
import { openAppBed, type AppBed } from '../harness/beds/app.ts'

let bed: AppBed
let accountId: Id

before(async () => {
  bed = await openAppBed()
  const found = await findCaller(bed.database, hashSecret(bed.liveKey), bed.clock())
  accountId = found?.caller.accountId ?? ''
})

type Person = { readonly personId: Id; readonly session: string }

let people = 0
async function join(role: Role): Promise<Person> {
  people += 1
  return bed.database.transaction(async (tx) => {
    const personId = await findOrCreatePerson(tx, `${role}${people}@example.com`, bed.clock())
    await addMember(tx, { accountId, personId, role, nowMs: bed.clock() })
    return openPersonSession({ database: tx, now: bed.clock }, personId)
  })
}

async function ask(
  { session }: Pick<Person, 'session'>,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  url: string,
  payload?: object,
) {
  const reply = await bed.app.inject({
    method,
    url,
    headers: { cookie: `__Host-tollgate-page=${session}` },
    ...(payload === undefined ? {} : { payload }),
  })
  return { status: reply.statusCode, body: reply.body, json: () => reply.json() }
}

/** Submits a form of a page. */
async function submit(
  { session }: Pick<Person, 'session'>,
  url: string,
  fields: Readonly<Record<string, string>>,
) {
  return bed.app.inject({
    method: 'POST',
    url,
    headers: {
      accept: 'text/html',
      cookie: `__Host-tollgate-page=${session}`,
      origin: 'https://gate.example',
      'content-type': 'application/x-www-form-urlencoded',
    },
    payload: new URLSearchParams({ once: newToken(), ...fields }).toString(),
  })
}

/** The forms of a key, by the end of their address. */
const KEY_FORMS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '': { label: 'changed', ceiling: '1', period: 'day' },
  '/children': { label: 'below', period: 'total' },
  '/alerts': { percents: '10' },
  '/pause': { paused: 'yes' },
  '/rotate': { grace_seconds: '0' },
  '/end-former': {},
  '/revoke': { sure: 'yes' },
}

async function allKeys(): Promise<readonly KeyRecord[]> {
  return (await bed.get('/api/v1/agents?limit=100')).json().data
}

async function createKey(person: Person, label: string): Promise<KeyWithSecret> {
  return (await ask(person, 'POST', '/api/v1/agents', { label })).json().data
}

describe('a member of an account', () => {
  it('sees its calls, keys and balance with every role', async () => {
    for (const role of ['owner', 'billing', 'developer', 'viewer'] as const) {
      const member = await join(role)
      for (const url of ['/api/v1/agents', '/api/v1/balance', '/api/v1/calls', '/api/v1/changes'])
        assert.equal((await ask(member, 'GET', url)).status, 200, `${role} ${url}`)
    }
  })

  it('learns the missing role and the owner who can grant it', async () => {
    const refused = await ask(await join('viewer'), 'POST', '/api/v1/agents', { label: 'x' })
    const { error } = refused.json()
    assert.deepEqual(
      [refused.status, error.code, error.details],
      [403, 'role_not_allowed', { role: 'viewer', required_roles: ['owner', 'developer'] }],
    )
    assert.match(error.message, /"viewer" cannot create keys.* Owners and developers can\./)
    assert.match(error.fix, /@/)
  })

  it('with the role developer changes only their own keys', async () => {
    const [developer, other] = [await join('developer'), await join('developer')]
    const [mine, theirs] = [await createKey(developer, 'mine'), await createKey(other, 'theirs')]
    assert.equal(mine.member_id, `mem_${developer.personId}`)
    const patch = (id: string) =>
      ask(developer, 'PATCH', `/api/v1/agents/${id}`, { label: 'changed' })
    assert.equal((await patch(mine.id)).status, 200)
    for (const url of [theirs.id, (await bed.get('/api/v1/agents/me')).json().data.id])
      assert.equal((await patch(url)).json().error.code, 'role_not_allowed')
    const wide = await ask(developer, 'POST', '/api/v1/agents', { label: 'w', scope: 'account' })
    assert.deepEqual([wide.status, wide.json().error.param], [403, 'scope'])
    assert.equal(
      (await ask(await join('owner'), 'PATCH', `/api/v1/agents/${theirs.id}`, { label: 'o' }))
        .status,
      200,
    )
  })

  it('with the role developer is rejected by each form of a foreign or primary key', async () => {
    const developer = await join('developer')
    const foreign = await createKey(await join('developer'), 'foreign')
    const primary: KeyRecord = (await bed.get('/api/v1/agents/me')).json().data
    const before = await allKeys()
    for (const { id } of [primary, foreign]) {
      const alert = (await bed.get(`/api/v1/agents/${id}/alerts`)).json()
      for (const [form, fields] of Object.entries(KEY_FORMS)) {
        const refused = await submit(developer, `/keys/${id}${form}`, fields)
        assert.equal(refused.statusCode, 403, form)
        assert.match(refused.body, /only your own keys/, form)
      }
      assert.deepEqual((await bed.get(`/api/v1/agents/${id}/alerts`)).json().data, alert.data)
    }
    assert.deepEqual(await allKeys(), before)
  })

  it('with the role developer creates keys below their own, which belong to them', async () => {
    const developer = await join('developer')
    const { id } = await createKey(developer, 'above')
    await ask(developer, 'PATCH', `/api/v1/agents/${id}`, { may_mint: true })
    const wide = await submit(developer, `/keys/${id}/children`, { label: 'w', scope: 'account' })
    assert.equal(wide.statusCode, 403)
    const created = await submit(developer, `/keys/${id}/children`, { label: 'b', period: 'total' })
    assert.equal(created.statusCode, 201)
    const child = (await allKeys()).find(({ parent_id: parentId }) => parentId === id)
    assert.equal(child?.member_id, `mem_${developer.personId}`)
    assert.equal(
      (await submit(developer, `/keys/${id}/alerts`, { percents: '10' })).statusCode,
      303,
    )
  })

  it('with the role billing changes no key', async () => {
    const billing = await join('billing')
    assert.equal((await ask(billing, 'POST', '/api/v1/agents', { label: 'x' })).status, 403)
    assert.equal((await ask(billing, 'PATCH', '/api/v1/agents/agk_0', { label: 'x' })).status, 403)
  })

  it('gets no access from a session after the membership ends', async () => {
    const member = await join('viewer')
    assert.equal((await ask(member, 'GET', '/api/v1/balance')).status, 200)
    await bed.database.transaction((tx) => endMemberships(tx, accountId, member.personId))
    assert.equal((await ask(member, 'GET', '/api/v1/balance')).status, 401)
    await assert.rejects(
      openPersonSession({ database: bed.database, now: bed.clock }, member.personId),
      { code: 'sign_in_refused' },
    )
  })

  it('switches to another of their accounts, and to no account of others', async () => {
    const parts = { database: bed.database, now: bed.clock }
    const make = async (email: string): Promise<Id> =>
      parsePublicId(
        'account',
        (await createAccount(parts, { email, tier: 'personal' })).account.id,
      ) ?? ''
    const [own, foreign] = [await make('two@example.com'), await make('foreign@example.com')]
    const person = await bed.database.transaction(async (tx) => {
      const personId = await findOrCreatePerson(tx, 'two@example.com', bed.clock())
      await addMember(tx, { accountId, personId, role: 'viewer', nowMs: bed.clock() })
      return openPersonSession({ database: tx, now: bed.clock }, personId)
    })
    const to = (id: Id) => switchAccount(parts, { ...person, accountId: id })
    await to(own)
    assert.equal((await ask(person, 'POST', '/api/v1/agents', { label: 'own' })).status, 201)
    await to(accountId)
    assert.equal((await ask(person, 'POST', '/api/v1/agents', { label: 'x' })).status, 403)
    await assert.rejects(to(foreign), { code: 'not_found' })
  })
})
