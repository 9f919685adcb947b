import { LEAST_PASSWORD_CHARACTERS, MOST_PASSWORD_CHARACTERS } from '../../../../auth/password.ts'
import type { Visitor } from '../../../../auth/records/browser-session.ts'
import type { SignedInBrowser } from '../../../../auth/records/signed-in-browsers.ts'
import { toRfc3339 } from '../../../../lib/clock.ts'
import type { SignInMethods } from '../../../../auth/sign-in-methods.ts'
import { html, type Html } from '../../html/html.ts'
import type { Site } from '../../html/layout/layout.ts'
import { actionForm, linkButton, submitButton } from '../../html/components/button.ts'
import { badge } from '../../html/components/badge.ts'
import { card } from '../../html/components/card.ts'
import { field } from '../../html/components/field.ts'
import { note } from '../../html/components/note.ts'
import { pageHeader } from '../../html/components/page-header.ts'
import { table, type Cell } from '../../html/components/table.ts'
import { time } from '../../html/components/text.ts'
import type { FieldErrors } from '../visitor/field-errors.ts'
import { withNext } from '../visitor/next-page.ts'
import { PASSKEY_ISLAND, passkeyForm } from './passkey-forms.ts'
import { accountLayout } from './sign-in-layout.ts'

const DONE = {
  password: 'Password changed. Other sessions were signed out.',
  passkey: 'Passkey added. You can now sign in with it.',
  'passkey-removed': 'Passkey removed. If you lost the device, also sign out other sessions.',
  'identity-removed': 'Provider removed.',
  'signed-out': 'All other browsers were signed out.',
  'browser-signed-out': 'The browser was signed out.',
} as const
export type Done = keyof typeof DONE

export type AccountView = {
  readonly visitor: Visitor
  readonly email: string
  readonly waysIn: SignInMethods
  readonly browsers: readonly SignedInBrowser[]
  /** Whether the gateway can send an email link to set a password. */
  readonly mail: boolean
  /** The provider of the gateway, whose name stands for its issuer. */
  readonly provider?: { readonly name: string; readonly issuer: string } | null
  /** The completed change, from the query of the page. Unknown values show no message. */
  readonly done?: string
  /** The errors of the password form by the name of the field. */
  readonly errors?: FieldErrors
  /** The error of a form that is about no field. */
  readonly problem?: string
}

/** The account page for its holder. */
export function accountPage(site: Site, view: AccountView): string {
  const { email, waysIn } = view
  return accountLayout(site, view.visitor, {
    island: PASSKEY_ISLAND,
    ...(isDone(view.done) ? { confirmation: DONE[view.done] } : {}),
    main: html`${pageHeader({ title: 'Your account', lead: html`You are signed in as <bdi class="given">${email}</bdi>.` })}
${view.problem !== undefined && note('bad', view.problem)}
<div class="stack">
${card({
  title: 'Passkeys',
  id: 'passkeys',
  content: html`<p>A passkey on your phone, computer or security key signs you in without a password.</p>
${waysIn.passkeys.length > 0 && passkeyTable(waysIn.passkeys)}
${passkeyForm(site)}`,
})}
${card({ title: 'Password', id: 'password', content: passwordSection(view) })}
${waysIn.identities.length > 0 && card({ title: 'Providers', id: 'providers', content: identitySection(waysIn.identities, view.provider ?? null) })}
${card({ title: 'Signed-in browsers', id: 'browsers', content: browserSection(view.browsers) })}
</div>`,
  })
}

/** The account page for a session of a key. */
export function noHolderPage(site: Site, visitor: Visitor): string {
  return accountLayout(site, visitor, {
    main: html`<h1>Your account</h1>
<p class="lead">You are signed in with a key. Only people can see this page. Sign in with your email address.</p>
<p class="row">${linkButton('/sign-in?next=/account', 'Sign in with email')}${linkButton('/balance', 'Back to Balance', { kind: 'quiet' })}</p>`,
  })
}

function isDone(text: string | undefined): text is Done {
  return text !== undefined && Object.hasOwn(DONE, text)
}

function browserSection(browsers: readonly SignedInBrowser[]): Html {
  return html`<p>A browser stays signed in for 14 days. Sign out browsers that you do not recognize, then change your password.</p>
${table(
  'Signed-in browsers',
  ['Browser', 'Signed in', 'Last used', 'Sign out'],
  browsers.map(({ id, browser, signedInMs, lastUsedMs, isCurrent }): Cell[] => {
    const name = browser ?? 'Unknown browser'
    return [
      html`${name}${isCurrent && html` ${badge('live', 'This browser')}`}`,
      time(toRfc3339(signedInMs)),
      isCurrent ? 'Now' : lastUsedMs === null ? 'Never' : time(toRfc3339(lastUsedMs)),
      isCurrent
        ? '–'
        : html`<form action="/account/browsers/sign-out" method="post"><input type="hidden" name="id" value="${id}">${submitButton(html`Sign out<span class="visually-hidden"> ${name}</span>`, { kind: 'quiet', size: 'small' })}</form>`,
    ]
  }),
)}
${browsers.length > 1 && actionForm('/account/sign-out-others', 'Sign out all other browsers', { kind: 'quiet' })}`
}

function passkeyTable(passkeys: SignInMethods['passkeys']): Html {
  const rows = passkeys.map(({ id, label, createdAt, lastUsedAt }): Cell[] => [
    html`<bdi class="given">${label}</bdi>`,
    time(createdAt.toISOString()),
    lastUsedAt === null ? 'Never' : time(lastUsedAt.toISOString()),
    removeForm('/account/passkeys/remove', 'id', id, label),
  ])
  return table('Passkeys', ['Name', 'Added', 'Last used', 'Remove'], rows)
}

function passwordSection({
  email,
  waysIn: { passwordChangedAt },
  mail,
  errors = {},
}: AccountView): Html {
  if (passwordChangedAt === null)
    return html`<p>No password set. ${mail ? html`To set one, <a href="${withNext('/account', '/sign-in/link')}">email me a link</a>.` : 'To set one, ask the operator of this gateway for a link.'}</p>`
  return html`<p class="muted">Last changed ${time(passwordChangedAt.toISOString())}. Changing the password signs out other sessions.</p>
<form class="stacked" action="/account/password" method="post">
<input type="hidden" name="username" autocomplete="username" value="${email}">
${field({ label: 'Current password', name: 'present', type: 'password', required: true, error: errors['present'], maxLength: MOST_PASSWORD_CHARACTERS, autocomplete: 'current-password' })}${field({ label: `New password (${LEAST_PASSWORD_CHARACTERS}+ characters)`, name: 'password', id: 'new-password', type: 'password', required: true, error: errors['password'], minLength: LEAST_PASSWORD_CHARACTERS, maxLength: MOST_PASSWORD_CHARACTERS, autocomplete: 'new-password' })}<div>${submitButton('Change password')}</div>
</form>`
}

function identitySection(
  identities: SignInMethods['identities'],
  provider: NonNullable<AccountView['provider']> | null,
): Html {
  const rows = identities.map(({ issuer, createdAt }): Cell[] => {
    const name = issuer === provider?.issuer ? provider.name : issuer
    return [
      html`<span class="given">${name}</span>${name !== issuer && html`<br><span class="muted">${issuer}</span>`}`,
      time(createdAt.toISOString()),
      removeForm('/account/identities/remove', 'issuer', issuer, name),
    ]
  })
  return html`<p>You can sign in with these providers instead of a password.</p>
${table('Providers', ['Provider', 'Linked', 'Remove'], rows)}`
}

function removeForm(action: string, fieldName: string, value: string, name: string): Html {
  return html`<form action="${action}" method="post"><input type="hidden" name="${fieldName}" value="${value}"><button class="button quiet small" type="submit" aria-label="Remove ${name}">Remove</button></form>`
}
