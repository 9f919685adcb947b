import { INVITATION_DAYS } from '../../../../auth/members/invitation-record.ts'
import type { MemberRecord } from '../../../../auth/members/member-record.ts'
import { LONGEST_EMAIL } from '../../../../auth/records/email.ts'
import { publicId } from '../../../../lib/ids.ts'
import {
  PERMISSIONS,
  ROLE_NAMES,
  ROLES,
  roleMay,
  type Permission,
} from '../../../../lib/permissions.ts'
import { actionForm, submitButton } from '../../html/components/button.ts'
import { card } from '../../html/components/card.ts'
import { checkField, field, selectField } from '../../html/components/field.ts'
import { note } from '../../html/components/note.ts'
import { pageHeader } from '../../html/components/page-header.ts'
import { table, type Cell } from '../../html/components/table.ts'
import { time } from '../../html/components/text.ts'
import { html, type Html } from '../../html/html.ts'
import { layout, type Site } from '../../html/layout/layout.ts'
import { accountUrl } from '../account/account-url.ts'
import { onceField } from '../visitor/answer-form-once.ts'
import { TEAM_PATH, type TeamView } from './team-view.ts'

const ROLE_OPTIONS = ROLES.map((role) => [role, ROLE_NAMES[role]] as const)

export function teamPage(site: Site, view: TeamView): string {
  const { visitor, members, problem, done } = view
  return layout(site, {
    path: TEAM_PATH,
    title: 'Team',
    description: 'The members of the account and their roles.',
    unlisted: true,
    accountQuery: accountUrl('', visitor),
    viewer: visitor,
    ...(done === undefined ? {} : { confirmation: done }),
    main: html`${pageHeader({ title: 'Team', lead: 'All members share one balance. Each signs in with their own address and has their own keys.' })}
${problem !== undefined && note('bad', problem)}
${members === null ? note('info', html`Only people of the account and its live primary key can see members. <a href="/sign-in?next=${TEAM_PATH}">Sign in with email</a>.`) : html`${!view.canManage && readOnlyNote(members)}${memberTable(view, members)}${invitationList(view)}${view.canManage && inviteCard(view)}`}
${roleCard()}
${members !== null && leaveCard(view, members)}`,
  })
}

function readOnlyNote(members: readonly MemberRecord[]): Html {
  const owners = members.filter(({ role }) => role === 'owner').map(({ email }) => email)
  return note(
    'info',
    html`Only owners can change members: <bdi>${owners.slice(0, 3).join(', ')}</bdi>.`,
  )
}

function memberTable(view: TeamView, members: readonly MemberRecord[]): Html {
  const ownId = ownIdOf(view.visitor)
  const head = ['Member', 'Role', { figures: 'Keys' }, 'Last seen']
  return table(
    'Members',
    view.canManage ? [...head, 'Remove'] : head,
    members.map((member): Cell[] => [
      html`<bdi class="given">${member.email}</bdi>${member.id === ownId && html` <span class="muted">you</span>`}`,
      view.canManage ? roleForm(member) : ROLE_NAMES[member.role],
      member.keys,
      member.last_seen_at === null ? 'Never' : time(member.last_seen_at),
      ...(view.canManage ? [removeForm(member, members)] : []),
    ]),
    members.map(({ id }) => id),
  )
}

function roleForm({ id, email, role }: MemberRecord): Html {
  return html`<form class="row" action="${TEAM_PATH}/members/${id}/role" method="post"><select name="role" aria-label="Role of ${email}">${ROLE_OPTIONS.map(([value, label]) => html`<option value="${value}"${value === role && html` selected`}>${label}</option>`)}</select>${submitButton(html`Save<span class="visually-hidden"> the role of ${email}</span>`, { kind: 'quiet', size: 'small' })}</form>`
}

/** The members who can own keys, as choices. */
function heirsOf(members: readonly MemberRecord[], leaving: string): (readonly [string, string])[] {
  return members
    .filter(({ id, role }) => id !== leaving && roleMay(role, 'keys.own'))
    .map(({ id, email }) => [id, `Hand over to ${email}, still active`] as const)
}

function removeForm({ id, email, keys }: MemberRecord, members: readonly MemberRecord[]): Html {
  return html`<details class="folded-form"><summary>Remove<span class="visually-hidden"> ${email}</span></summary><form class="stack" action="${TEAM_PATH}/members/${id}/remove" method="post">
<p class="hint">Ends their sessions of this account immediately.</p>
${
  keys > 0 &&
  selectField({
    label: `Their keys (${keys})`,
    name: 'keys',
    id: `keys-${id}`,
    options: [['pause', 'Pause until an owner resumes them'], ...heirsOf(members, id)],
    chosen: 'pause',
  })
}${checkField({ label: `Remove ${email}`, name: 'sure', value: 'yes', required: true })}
${submitButton('Remove member', { kind: 'danger', size: 'small' })}</form></details>`
}

function inviteCard({ typed, errors, sendsEmail, onceToken }: TeamView): Html {
  return card({
    title: 'Invite a member',
    id: 'invite',
    content: html`<form class="stack" action="${TEAM_PATH}/invitations" method="post">${onceField(onceToken)}
<div class="field-columns">${field({
      label: 'Email (optional)',
      name: 'email',
      type: 'email',
      value: typed.email,
      maxLength: LONGEST_EMAIL,
      autocomplete: 'off',
      error: errors['email'],
      hint: sendsEmail
        ? 'We email the link to this address, and only it can accept. Without an address, the next page shows a link for one person who can sign in.'
        : 'Only this address can accept. The next page shows the link once.',
    })}${selectField({ label: 'Role', name: 'role', options: ROLE_OPTIONS, chosen: typed.role, error: errors['role'], hint: `The link works once, for ${INVITATION_DAYS} days.` })}</div>
<div>${submitButton('Create invitation', { icon: 'plus' })}</div></form>`,
  })
}

function invitationList({ invitations, canManage }: TeamView): Html | false {
  if (invitations.length === 0) return false
  const head = ['Invited', 'Role', 'By', 'Expires']
  return html`<h2>Open invitations</h2>
${table(
  'Open invitations',
  canManage ? [...head, 'Revoke'] : head,
  invitations.map((open): Cell[] => [
    open.email === null ? 'Anyone with the link' : html`<bdi class="given">${open.email}</bdi>`,
    ROLE_NAMES[open.role],
    open.invited_by === null ? 'A key' : html`<bdi class="given">${open.invited_by}</bdi>`,
    time(open.expires_at),
    ...(canManage
      ? [
          actionForm(`${TEAM_PATH}/invitations/${open.id}/revoke`, 'Revoke', {
            kind: 'quiet',
            size: 'small',
          }),
        ]
      : []),
  ]),
)}`
}

/** Every member may leave, except the only owner. */
function leaveCard({ visitor }: TeamView, members: readonly MemberRecord[]): Html | false {
  const own = ownIdOf(visitor)
  const me = members.find(({ id }) => id === own)
  if (me === undefined) return false
  const isLastOwner =
    me.role === 'owner' && members.filter(({ role }) => role === 'owner').length === 1
  return card({
    title: 'Leave this account',
    id: 'leave',
    content: isLastOwner
      ? html`<p>You are its only owner. Make another member an owner first.</p>`
      : html`<p>Your sessions of this account end. ${me.keys > 0 ? `Your keys (${me.keys}) are paused, and belong to the account.` : 'You have no keys here.'}</p>
<form class="stack" action="${TEAM_PATH}/leave" method="post">${checkField({ label: 'Leave this account', name: 'sure', value: 'yes', required: true })}
<div>${submitButton('Leave account', { kind: 'danger', size: 'small' })}</div></form>`,
  })
}

function ownIdOf({ caller: { member } }: TeamView['visitor']): string | null {
  return member === undefined ? null : publicId('member', member.personId)
}

function roleCard(): Html {
  const rows = Object.entries(PERMISSIONS).filter(([permission]) => permission !== 'operate')
  return html`<h2>Roles</h2>
${table(
  'Permissions of each role',
  ['Permission', ...ROLES.map((role) => ROLE_NAMES[role])],
  rows.map(([permission, { does }]) => [
    `${does.charAt(0).toUpperCase()}${does.slice(1)}`,
    ...ROLES.map((role) => (roleMay(role, permission as Permission) ? 'Yes' : '–')),
  ]),
)}`
}
