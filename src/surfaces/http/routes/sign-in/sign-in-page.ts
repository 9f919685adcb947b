import { LONGEST_EMAIL } from '../../../../auth/records/email.ts'
import { MOST_PASSWORD_CHARACTERS } from '../../../../auth/password.ts'
import { html, type Html } from '../../html/html.ts'
import { layout, type Site } from '../../html/layout/layout.ts'
import { submitButton } from '../../html/components/button.ts'
import { facts } from '../../html/components/card.ts'
import { field } from '../../html/components/field.ts'
import { note } from '../../html/components/note.ts'
import { nextField, nextPage, withNext } from '../visitor/next-page.ts'
import { PASSKEY_ISLAND, passkeySignIn } from './passkey-forms.ts'
import { providerForm } from './provider-pages.ts'

/** The sign-in methods in addition to passwords and keys. */
export type SignInMethods = {
  /** Whether anyone can create an account. */
  readonly signUp: boolean
  /** Whether the gateway can send email links. */
  readonly mail: boolean
  /** The name of the OpenID provider, or null. */
  readonly provider: string | null
  /** Its issuer. */
  readonly issuer?: string | null
}

export type SignInView = {
  /** The page to open after sign-in, as the browser sent it. */
  readonly next?: string
  /** The error of the last attempt. */
  readonly refusal?: string
  /** The field that the error is about. Without it, the error is at the top. */
  readonly refusedField?: 'password' | 'key'
  /** The email address of the last attempt. */
  readonly email?: string
  /** Confirms the action that led here. */
  readonly confirmation?: string
}

export function signInPage(
  site: Site,
  methods: SignInMethods,
  { next: named = '', refusal, refusedField, email = '', confirmation }: SignInView,
): string {
  const next = nextPage(named)
  return layout(site, {
    path: next.split('?', 1)[0] ?? '',
    title: 'Sign in',
    description: 'Sign in to see your balance and calls, and to manage keys.',
    unlisted: true,
    islands: [PASSKEY_ISLAND],
    frame: 'bare',
    ...(confirmation === undefined ? {} : { confirmation }),
    main: html`<div class="sign-in" data-sign-in>
<div class="sign-in-form">
<h1>Sign in</h1>
<p class="muted">to ${new URL(site.publicUrl).host}</p>
${refusal !== undefined && refusedField === undefined && note('bad', refusal)}
${passkeySignIn(site, next)}
${methods.provider !== null && providerForm(methods.provider, next)}
<form class="stacked" action="/sign-in" method="post">${nextField(next)}
${field({ label: 'Email', name: 'email', type: 'email', required: true, maxLength: LONGEST_EMAIL, autocomplete: 'username webauthn', value: email })}${field({ label: 'Password', name: 'password', type: 'password', required: true, maxLength: MOST_PASSWORD_CHARACTERS, autocomplete: 'current-password', error: refusedField === 'password' ? refusal : undefined })}
${submitButton('Sign in', { block: true })}
</form>
${linkHint(methods, next)}
<p class="or">or with an API key</p>
<form class="stacked" action="/balance/sign-in" method="post">${nextField(next)}
${field({ label: 'API key', name: 'key', type: 'password', required: true, maxLength: 100, autocomplete: 'off', mono: true, placeholder: 'tg_live_…', error: refusedField === 'key' ? refusal : undefined, hint: 'The gateway does not store the key. You stay signed in for 12 hours, or until you sign out or the key is rotated or revoked. A test key shows the test balance.' })}
${submitButton('Sign in with a key', { kind: 'quiet', block: true })}
</form>
</div>
<aside class="sign-in-aside"><div><h2>You pay for answers.<br>Nothing else.</h2><p>Every call is priced before it runs and charged once. A call that fails, times out or is rejected is free.</p>
${facts([
  ['A call with an answer', 'its public price'],
  ['A call that times out', 'free'],
  ['A call above the limit of its key', 'free'],
  ['A repeated call with its Idempotency-Key', 'charged once'],
])}</div></aside>
</div>`,
  })
}

function linkHint({ mail, signUp }: SignInMethods, next: string): Html {
  if (!mail)
    return html`<p class="muted">Forgot your password, or first time here? Ask the operator of this gateway for a sign-in link.</p>`
  return html`<p><a href="${withNext(next, '/sign-in/link')}">Forgot your password, or first time here?</a>${signUp && html` No account? <a href="${withNext(next, '/sign-up')}">Create account</a>.`}</p>`
}
