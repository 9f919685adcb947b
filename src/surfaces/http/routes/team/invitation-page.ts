import type { Invitation } from '../../../../auth/members/read-invitation.ts'
import { LEAST_PASSWORD_CHARACTERS, MOST_PASSWORD_CHARACTERS } from '../../../../auth/password.ts'
import { ROLE_NAMES } from '../../../../lib/permissions.ts'
import { linkButton, submitButton } from '../../html/components/button.ts'
import { facts } from '../../html/components/card.ts'
import { field } from '../../html/components/field.ts'
import { note } from '../../html/components/note.ts'
import { time } from '../../html/components/text.ts'
import { html, type Html } from '../../html/html.ts'
import type { Site } from '../../html/layout/layout.ts'
import { signInLayout } from '../sign-in/sign-in-layout.ts'

export type InvitationView = {
  readonly invitation: Invitation
  readonly path: string
  /** The address of the signed-in person, or null. */
  readonly email: string | null
  /** Whether that address can accept. */
  readonly isFor: boolean
  /** Whether strangers can create an account. */
  readonly signUp: boolean
  readonly refusal?: string | undefined
  readonly passwordError?: string | undefined
}

export function invitationPage(site: Site, view: InvitationView): string {
  const { account, inviter, role, expiresAt } = view.invitation
  return signInLayout(
    site,
    'Invitation',
    html`<h1>Join an account</h1>
<p class="lead">${inviter === null ? 'You are invited' : html`<bdi class="given">${inviter}</bdi> invites you`} to an account on this gateway.</p>
${view.refusal !== undefined && note('bad', view.refusal)}
${facts([
  ['Account', html`<bdi class="given">${account}</bdi>`],
  ['Role', ROLE_NAMES[role]],
  ['Expires', time(expiresAt.toISOString())],
])}
${view.email === null ? forStranger(view) : forPerson(view, view.email)}`,
  )
}

function forPerson({ isFor, path, invitation }: InvitationView, email: string): Html {
  if (isFor)
    return html`<form action="${path}" method="post"><p>You are signed in as <bdi class="given">${email}</bdi>.</p>
${submitButton('Accept invitation', { block: true })}</form>`
  return html`<p>The invitation is for <bdi class="given">${invitation.email}</bdi>. You are signed in as <bdi class="given">${email}</bdi>.</p>
${linkButton(signInUrl(path, '/sign-in', { again: '1' }), 'Sign in with another address', { block: true })}`
}

function forStranger(view: InvitationView): Html {
  const { path, invitation, signUp, passwordError } = view
  if (invitation.provesEmail && !invitation.hasPerson)
    return html`<form class="stacked" action="${path}/new" method="post">
<label for="email">Email</label>
<input id="email" name="email" type="email" value="${invitation.email}" readonly autocomplete="username">
${field({ label: `Password (${LEAST_PASSWORD_CHARACTERS}+ characters)`, name: 'password', type: 'password', required: true, minLength: LEAST_PASSWORD_CHARACTERS, maxLength: MOST_PASSWORD_CHARACTERS, autocomplete: 'new-password', error: passwordError })}
${submitButton('Accept and sign in', { block: true })}</form>`
  return html`<p>${invitation.email === null ? 'Sign in to accept.' : html`Sign in as <bdi class="given">${invitation.email}</bdi> to accept.`}</p>
<p class="row">${linkButton(signInUrl(path, '/sign-in'), 'Sign in to accept')}${signUp && linkButton(signInUrl(path, '/sign-up'), 'Create account', { kind: 'quiet' })}</p>`
}

function signInUrl(
  next: string,
  page: string,
  query: Readonly<Record<string, string>> = {},
): string {
  return `${page}?${new URLSearchParams({ ...query, next }).toString()}`
}

/** The page of a link that was used or revoked, or has expired. */
export function endedInvitationPage(site: Site, reason: string): string {
  return signInLayout(
    site,
    'Invitation not valid',
    html`<h1>Invitation not valid</h1>
${note('bad', reason)}
<p>${linkButton('/balance', 'Open the console', { kind: 'quiet' })}</p>`,
  )
}
