/** Invitations, roles and removal of members, on PostgreSQL. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld } from '../../../test/harness/beds/world.ts'
import { TEST_PASSWORD_COST } from '../../../test/harness/password-cost.ts'
import type { AppError } from '../../errors/app-error.ts'
import type { Actor } from '../../keys/caller.ts'
import { createKey } from '../../keys/create-key.ts'
import { describeKey } from '../../keys/describe-key.ts'
import { findCaller } from '../../keys/find-caller.ts'
import { hashSecret } from '../../keys/format.ts'
import type { KeyDeps } from '../../keys/key-deps.ts'
import { DAY_MS, HOUR_MS } from '../../lib/clock.ts'
import { publicId, type Id } from '../../lib/ids.ts'
import type { Role } from '../../lib/permissions.ts'
import type { Mail } from '../auth-services.ts'
import { addMember, findOrCreatePerson } from '../records/add-member.ts'
import {
  openPersonSession,
  readPageSession,
  type PersonSession,
} from '../records/browser-session.ts'
import { createAccountLink } from '../create-account-link.ts'
import { acceptAsNewPerson, acceptInvitation } from './accept-invitation.ts'
import { changeRole } from './change-role.ts'
import { inviteMember, MOST_INVITATIONS } from './invite-member.ts'
import { createInviteDeps } from './invite-deps.ts'
import { leaveAccount } from './leave-account.ts'
import { listInvitations } from './list-invitations.ts'
import { listMembers } from './list-members.ts'
import { removeMember } from './remove-member.ts'
import { revokeInvitation } from './revoke-invitation.ts'

const world = await createWorld()
const { database } = world
const auth = { database, now: world.now, passwordCost: TEST_PASSWORD_COST }
const shown = createInviteDeps({
  database,
  now: world.now,
  publicUrl: 'https://gate.example',
  mailer: null,
})
const keys: KeyDeps = { database, now: world.now, forget: () => {} }
const PASSWORD = 'four words in a row'

const withCode = (code: string) => (error: AppError) => error.code === code

type Team = {
  readonly accountId: Id
  readonly owner: Actor
  readonly actor: (of: Person) => Actor
}
type Person = PersonSession & { readonly email: string; readonly role: Role }

let people = 0
async function joinAs(accountId: Id, role: Role): Promise<Person> {
  people += 1
  const email = `person${people}@example.com`
  return database.transaction(async (tx) => {
    const personId = await findOrCreatePerson(tx, email, world.now())
    await addMember(tx, { accountId, personId, role, nowMs: world.now() })
    return { ...(await openPersonSession({ database: tx, now: world.now }, personId)), email, role }
  })
}

async function createTeam(): Promise<Team> {
  const { caller } = await world.account()
  const actor = ({ personId, role }: Person): Actor => ({
    accountId: caller.accountId,
    mode: 'live',
    primary: true,
    scope: 'account',
    keyId: caller.keyId,
    member: { personId, role },
  })
  await database.query('delete from members where account_id = $1', [caller.accountId])
  const owner = await joinAs(caller.accountId, 'owner')
  return { accountId: caller.accountId, owner: actor(owner), actor }
}

const idOf = ({ member }: Actor): string => publicId('member', member?.personId ?? '')
const memberId = ({ personId }: Person): string => publicId('member', personId)
const tokenOf = ({ url }: { readonly url: string | null }): string => url?.split('/').at(-1) ?? ''

async function invite({ owner }: Team, role: Role = 'viewer', email: string | null = null) {
  return tokenOf(await inviteMember(shown, owner, { role, email }))
}

/** A person of another account. */
async function createStranger(): Promise<Person> {
  const { caller } = await world.account()
  return joinAs(caller.accountId, 'owner')
}

const roleOf = async ({ accountId }: Team, { email }: Person): Promise<string | undefined> =>
  (await listMembers(database, accountId)).find((one) => one.email === email)?.role

test('of two owners who demote each other concurrently, one is rejected as the last owner', async () => {
  const team = await createTeam()
  const other = await joinAs(team.accountId, 'owner')
  const results = await Promise.allSettled([
    changeRole(database, team.owner, memberId(other), 'viewer'),
    changeRole(database, team.actor(other), idOf(team.owner), 'viewer'),
  ])
  assert.deepEqual(results.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
  const rejected = results.find((one) => one.status === 'rejected')
  assert.equal((rejected?.reason as AppError).code, 'last_owner')
  assert.equal((rejected?.reason as AppError).spec.status, 409)
  const owners = (await listMembers(database, team.accountId)).filter(
    ({ role }) => role === 'owner',
  )
  assert.equal(owners.length, 1)
})

test('the last owner cannot be demoted or removed', async () => {
  const team = await createTeam()
  await assert.rejects(changeRole(database, team.owner, idOf(team.owner), 'billing'), /only owner/)
  await assert.rejects(
    removeMember(keys, team.owner, idOf(team.owner), { choice: 'pause' }),
    withCode('last_owner'),
  )
})

test('an owner who was demoted meanwhile changes no other member', async () => {
  const team = await createTeam()
  const other = await joinAs(team.accountId, 'owner')
  const viewer = await joinAs(team.accountId, 'viewer')
  await changeRole(database, team.owner, memberId(other), 'developer')
  for (const work of [
    () => changeRole(database, team.actor(other), memberId(viewer), 'owner'),
    () => removeMember(keys, team.actor(other), memberId(viewer), { choice: 'pause' }),
    () => inviteMember(shown, team.actor(other), { role: 'owner', email: null }),
  ])
    await assert.rejects(work(), withCode('role_not_allowed'))
})

test('a link works for one of two people who use it concurrently', async () => {
  const team = await createTeam()
  const token = await invite(team, 'developer')
  const strangers = [await createStranger(), await createStranger()]
  const results = await Promise.allSettled(
    strangers.map((person) => acceptInvitation(auth, token, person)),
  )
  assert.deepEqual(results.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
  const rejected = results.find((one) => one.status === 'rejected')
  assert.equal((rejected?.reason as AppError).code, 'invitation_invalid')
  assert.equal((await listMembers(database, team.accountId)).length, 2)
})

test('a link shows its account from then on, with the role that it names', async () => {
  const team = await createTeam()
  const stranger = await createStranger()
  await acceptInvitation(auth, await invite(team, 'billing'), stranger)
  const visitor = await readPageSession(auth, stranger.session)
  assert.deepEqual([visitor?.caller.accountId, visitor?.role], [team.accountId, 'billing'])
})

test('an expired, a revoked and an unknown link are rejected', async () => {
  const team = await createTeam()
  const stranger = await createStranger()
  const token = await invite(team)
  const expired = { ...auth, now: () => world.now() + 7 * DAY_MS }
  await assert.rejects(acceptInvitation(expired, token, stranger), /has expired/)
  const [open] = await listInvitations(database, team.accountId, world.now())
  await revokeInvitation(database, team.owner, open?.id ?? '')
  for (const text of [token, 'unknown', ''])
    await assert.rejects(acceptInvitation(auth, text, stranger), /used or revoked/)
})

test('an invitation of an address is for that address only', async () => {
  const team = await createTeam()
  const [invited, other] = [await createStranger(), await createStranger()]
  const token = await invite(team, 'viewer', invited.email.toUpperCase())
  await assert.rejects(acceptInvitation(auth, token, other), withCode('invitation_for_another'))
  await acceptInvitation(auth, token, invited)
  assert.equal(await roleOf(team, invited), 'viewer')
})

test('a member who opens a link leaves it open', async () => {
  const team = await createTeam()
  const viewer = await joinAs(team.accountId, 'viewer')
  const token = await invite(team, 'owner')
  await assert.rejects(acceptInvitation(auth, token, viewer), withCode('bad_request'))
  assert.equal(await roleOf(team, viewer), 'viewer')
  await acceptInvitation(auth, token, await createStranger())
})

test('an emailed link creates its person with a password, and no account or credit', async () => {
  const team = await createTeam()
  const mails: Mail[] = []
  const mailer = { send: async (mail: Mail) => void mails.push(mail), close: () => {} }
  const invited = await inviteMember({ ...shown, mailer }, team.owner, {
    role: 'developer',
    email: 'new@example.com',
  })
  assert.equal(invited.url, null)
  const token = /invitations\/([\w-]{43})/.exec(mails[0]?.text ?? '')?.[1] ?? ''
  const count = async () => (await database.query('select from accounts')).count
  const before = await count()
  await assert.rejects(acceptAsNewPerson(auth, token, 'short'), withCode('invalid_params'))
  const session = await acceptAsNewPerson(auth, token, PASSWORD)
  assert.deepEqual([session.accountId, await count()], [team.accountId, before])
  await assert.rejects(acceptAsNewPerson(auth, token, PASSWORD), withCode('invitation_invalid'))
})

test('a link that was shown to the owner creates no person', async () => {
  const team = await createTeam()
  const token = await invite(team, 'viewer', 'victim@example.com')
  await assert.rejects(acceptAsNewPerson(auth, token, PASSWORD), withCode('invitation_invalid'))
  const { count } = await database.query("select from people where email = 'victim@example.com'")
  assert.equal(count, 0)
})

test('an emailed link does not replace the password of a person', async () => {
  const team = await createTeam()
  const known = await createStranger()
  const token = await invite(team, 'viewer', known.email)
  await database.query('update invitations set proves_email = true where email = $1', [known.email])
  await assert.rejects(acceptAsNewPerson(auth, token, PASSWORD), withCode('sign_in_refused'))
})

test('an email that is not accepted leaves no invitation', async () => {
  const team = await createTeam()
  const mailer = { send: () => Promise.reject(new Error('no')), close: () => {} }
  await assert.rejects(
    inviteMember({ ...shown, mailer }, team.owner, { role: 'viewer', email: 'no@example.com' }),
  )
  assert.deepEqual(await listInvitations(database, team.accountId, world.now()), [])
})

test('an account emails 20 invitations a day, revoked ones included; others continue', async () => {
  const [team, other] = [await createTeam(), await createTeam()]
  const mails: Mail[] = []
  const mailer = { send: async (mail: Mail) => void mails.push(mail), close: () => {} }
  const deps = createInviteDeps({ ...world, publicUrl: shown.publicUrl, mailer })
  const inviteAndRevoke = async (at: number): Promise<void> => {
    const email = `stranger${at}@example.org`
    const request = { role: 'viewer', email, address: `192.0.2.${at % 9}` } as const
    const { id } = await inviteMember(deps, team.owner, request)
    await revokeInvitation(world.database, team.owner, id)
  }
  for (let at = 0; at < 20; at += 1) await inviteAndRevoke(at)
  await assert.rejects(inviteAndRevoke(20), withCode('rate_limited'))
  world.now.advance(HOUR_MS)
  for (let at = 0; at < 300; at += 1)
    await assert.rejects(inviteAndRevoke(at), withCode('rate_limited'))
  assert.equal(mails.length, 20)
  await inviteMember(deps, other.owner, { role: 'viewer', email: 'friend@example.org' })
  assert.equal(mails.at(-1)?.to, 'friend@example.org')
})

test('other members can be invited while the email server does not answer', async () => {
  const team = await createTeam()
  const sending = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  const mailer = {
    send: () => {
      asked.resolve()
      return sending.promise
    },
    close: () => {},
  }
  const invited = inviteMember({ ...shown, mailer }, team.owner, {
    role: 'viewer',
    email: 'slow@example.com',
  })
  await asked.promise
  await invite(team)
  sending.resolve()
  assert.equal((await invited).email, 'slow@example.com')
})

test('an account has a limited number of open invitations', async () => {
  const team = await createTeam()
  for (let made = 0; made < MOST_INVITATIONS; made += 1) await invite(team)
  await assert.rejects(invite(team), withCode('member_quota_exceeded'))
})

test('members and people with an open invitation are not invited again', async () => {
  const team = await createTeam()
  const viewer = await joinAs(team.accountId, 'viewer')
  await assert.rejects(invite(team, 'owner', viewer.email), /a member of the account already/)
  await invite(team, 'viewer', 'twice@example.com')
  await assert.rejects(invite(team, 'viewer', 'Twice@example.com'), /has an open invitation/)
})

test('removal ends the sessions of the member and pauses their keys', async () => {
  const team = await createTeam()
  const developer = await joinAs(team.accountId, 'developer')
  const made = await createKey(keys, team.actor(developer), { label: 'ci' })
  await invite(team)
  await removeMember(keys, team.owner, memberId(developer), { choice: 'pause' })
  assert.equal(await readPageSession(auth, developer.session), null)
  const found = await findCaller(database, hashSecret(made.key), world.now())
  assert.ok(found !== null)
  const key = await describeKey(keys, found.caller)
  assert.deepEqual([key.status, key.member_id], ['paused', null])
  const { count } = await database.query('select from people where id = $1', [developer.personId])
  assert.equal(count, 0, 'a person without an account is deleted')
})

test('a link for an account goes to another owner after the person with its address has left', async () => {
  const team = await createTeam()
  const { rows } = await database.query<{ id: string; email: string }>(
    "select members.person_id as id, people.email from members join people on people.id = person_id where account_id = $1 and role = 'owner' order by joined_at",
    [team.accountId],
  )
  const next = await joinAs(team.accountId, 'owner')
  const link = (): Promise<string> =>
    createAccountLink(auth, publicId('account', team.accountId)).then(
      ({ account }) => account.email,
    )
  assert.equal(await link(), rows[0]?.email)
  await removeMember(keys, team.actor(next), publicId('member', rows[0]?.id as Id), {
    choice: 'pause',
  })
  assert.equal(await link(), next.email)
})

test('removal ends a session that the member opened meanwhile', async () => {
  const team = await createTeam()
  const member = await joinAs(team.accountId, 'viewer')
  const { caller } = await world.account()
  await database.query(
    "insert into members (account_id, person_id, role, joined_at) values ($1, $2, 'viewer', now())",
    [caller.accountId, member.personId],
  )
  let opened = false
  const meanwhile: KeyDeps['database'] = {
    ...database,
    transaction: (work) =>
      database.transaction((tx) =>
        work({
          ...tx,
          query: async (...asked: Parameters<typeof tx.query>) => {
            if (!opened && asked[0].startsWith('select from people where id = any')) {
              opened = true
              await openPersonSession(auth, member.personId)
            }
            return tx.query(...asked)
          },
        }),
      ),
  }
  await removeMember({ ...keys, database: meanwhile }, team.owner, memberId(member), {
    choice: 'pause',
  })
  assert.ok(opened)
  const { count } = await database.query(
    'select from page_sessions where account_id = $1 and person_id = $2',
    [team.accountId, member.personId],
  )
  assert.equal(count, 0)
})

test('only a person adds owners to an operator account, and vouches for an address', async () => {
  const team = await createTeam()
  await database.query('update accounts set is_operator = true where id = $1', [team.accountId])
  const viewer = await joinAs(team.accountId, 'viewer')
  const { member: _member, ...key } = team.owner
  const email = 'vouched@example.com'
  for (const work of [
    () => inviteMember(shown, key, { role: 'owner', email }),
    () => inviteMember(shown, key, { role: 'owner', email: null }),
    () => changeRole(database, key, memberId(viewer), 'owner'),
  ])
    await assert.rejects(work(), withCode('key_cannot_mint_keys'))
  assert.equal(await roleOf(team, viewer), 'viewer')
  const byKey = tokenOf(await inviteMember(shown, key, { role: 'viewer', email }))
  await assert.rejects(acceptAsNewPerson(auth, byKey, PASSWORD), withCode('invitation_invalid'))
  await changeRole(database, team.owner, memberId(viewer), 'owner')
  const byPerson = await invite(team, 'owner', 'by-person@example.com')
  await acceptAsNewPerson(auth, byPerson, PASSWORD)
})

test('removal hands keys over to the remover', async () => {
  const team = await createTeam()
  const developer = await joinAs(team.accountId, 'developer')
  const made = await createKey(keys, team.actor(developer), { label: 'ci' })
  await removeMember(keys, team.owner, memberId(developer), { choice: 'hand_over' })
  const found = await findCaller(database, hashSecret(made.key), world.now())
  assert.ok(found !== null)
  const key = await describeKey(keys, found.caller)
  assert.deepEqual([key.status, key.member_id], ['active', idOf(team.owner)])
})

test('removal hands keys over to a third member who can own keys', async () => {
  const team = await createTeam()
  const [developer, heir, viewer] = [
    await joinAs(team.accountId, 'developer'),
    await joinAs(team.accountId, 'developer'),
    await joinAs(team.accountId, 'viewer'),
  ]
  const stranger = await createStranger()
  const made = await createKey(keys, team.actor(developer), { label: 'ci' })
  const remove = (to: Person) =>
    removeMember(keys, team.owner, memberId(developer), {
      choice: 'hand_over',
      to: memberId(to),
    })
  await assert.rejects(remove(viewer), withCode('invalid_params'))
  await assert.rejects(remove(developer), withCode('invalid_params'))
  await assert.rejects(remove(stranger), withCode('not_found'))
  await remove(heir)
  const found = await findCaller(database, hashSecret(made.key), world.now())
  assert.ok(found !== null)
  const key = await describeKey(keys, found.caller)
  assert.deepEqual([key.status, key.member_id], ['active', memberId(heir)])
})

test('a member leaves: keys pause, and the browser shows another account or is signed out', async () => {
  const team = await createTeam()
  const developer = await joinAs(team.accountId, 'developer')
  const { caller } = await world.account()
  await database.query(
    "insert into members (account_id, person_id, role, joined_at) values ($1, $2, 'viewer', now())",
    [caller.accountId, developer.personId],
  )
  const made = await createKey(keys, team.actor(developer), { label: 'ci' })
  const elsewhere = await openPersonSession(auth, developer.personId)
  assert.equal(await leaveAccount(keys, team.actor(developer), developer), caller.accountId)
  const here = await readPageSession(auth, developer.session)
  assert.deepEqual([here?.caller.accountId, here?.role], [caller.accountId, 'viewer'])
  assert.equal(await readPageSession(auth, elsewhere.session), null)
  const found = await findCaller(database, hashSecret(made.key), world.now())
  assert.ok(found !== null)
  const key = await describeKey(keys, found.caller)
  assert.deepEqual([key.status, key.member_id], ['paused', null])

  const only = await joinAs(team.accountId, 'viewer')
  assert.equal(await leaveAccount(keys, team.actor(only), only), null)
  assert.equal(await readPageSession(auth, only.session), null)
})

test('of two owners who leave concurrently, one is rejected as the last owner', async () => {
  const team = await createTeam()
  const [first, other] = [
    await joinAs(team.accountId, 'owner'),
    await joinAs(team.accountId, 'owner'),
  ]
  await removeMember(keys, team.actor(first), idOf(team.owner), { choice: 'pause' })
  const results = await Promise.allSettled(
    [first, other].map((one) => leaveAccount(keys, team.actor(one), one)),
  )
  assert.deepEqual(results.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
  const rejected = results.find((one) => one.status === 'rejected')
  assert.equal((rejected?.reason as AppError).code, 'last_owner')
})

test('a removed or demoted owner’s open invitations end', async () => {
  const team = await createTeam()
  for (const end of [
    (id: string) => removeMember(keys, team.owner, id, { choice: 'pause' }),
    (id: string) => changeRole(database, team.owner, id, 'viewer'),
  ]) {
    const other = await joinAs(team.accountId, 'owner')
    await inviteMember(shown, team.actor(other), { role: 'owner', email: null })
    await end(memberId(other))
    assert.deepEqual(await listInvitations(database, team.accountId, world.now()), [])
  }
})

test('members and invitations of other accounts do not exist', async () => {
  const [team, other] = [await createTeam(), await createTeam()]
  await invite(other)
  const [open] = await listInvitations(database, other.accountId, world.now())
  for (const work of [
    () => changeRole(database, team.owner, idOf(other.owner), 'viewer'),
    () => removeMember(keys, team.owner, idOf(other.owner), { choice: 'pause' }),
    () => revokeInvitation(database, team.owner, open?.id ?? ''),
  ])
    await assert.rejects(work(), withCode('not_found'))
})

test('test keys, other keys and members who are no owners create no invitation', async () => {
  const team = await createTeam()
  const { member: _member, ...key } = team.owner
  const request = { role: 'viewer', email: null } as const
  for (const actor of [
    { ...key, mode: 'test' as const },
    { ...key, primary: false },
  ])
    await assert.rejects(inviteMember(shown, actor, request), withCode('key_cannot_mint_keys'))
  for (const role of ['billing', 'developer', 'viewer'] as const)
    await assert.rejects(
      inviteMember(shown, team.actor(await joinAs(team.accountId, role)), request),
      withCode('role_not_allowed'),
    )
  assert.equal((await inviteMember(shown, key, request)).invited_by, null)
})
