import { LONGEST_EMAIL } from '../../../../auth/records/email.ts'
import { MOST_PASSWORD_CHARACTERS } from '../../../../auth/password.ts'
import { html, type Html } from '../../html/html.ts'
import { layout, type Site } from '../../html/layout/layout.ts'
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
}

export type SignInView = {
  /** The page to open after sign-in, as the browser sent it. */
  readonly next?: string
  /** The error of the last attempt. */
  readonly refusal?: string
  /** The email address of the last attempt. */
  readonly email?: string
}

export function signInPage(
  site: Site,
  methods: SignInMethods,
  { next: named = '', refusal, email = '' }: SignInView,
): string {
  const next = nextPage(named)
  return layout(site, {
    path: next.split('?', 1)[0] ?? '',
    title: 'Sign in',
    description: 'Sign in to see your balance and calls, and to manage keys.',
    unlisted: true,
    islands: [PASSKEY_ISLAND],
    main: html`<h1>Sign in</h1>
<p class="lead">See your balance and the cost of every call, and manage your keys.</p>
${refusal !== undefined && html`<p class="notice" role="alert">${refusal}</p>`}
${methods.provider !== null && providerForm(methods.provider, next)}
<form class="stacked" action="/sign-in" method="post">${nextField(next)}
<label for="email">Email</label>
<input id="email" name="email" type="email" required maxlength="${LONGEST_EMAIL}" autocomplete="username webauthn" value="${email}">
<label for="password">Password</label>
<input id="password" name="password" type="password" required maxlength="${MOST_PASSWORD_CHARACTERS}" autocomplete="current-password">
<div class="calls-to-action"><button type="submit">Sign in</button></div>
</form>
${linkHint(methods, next)}
${passkeySignIn(site, next)}
<h2>Sign in with a key</h2>
<form class="stacked" action="/balance/sign-in" method="post">${nextField(next)}
<label for="key">API key</label>
<div class="search-row"><input id="key" name="key" type="password" required maxlength="100" autocomplete="off" spellcheck="false" placeholder="tg_live_…"><button type="submit">Sign in</button></div>
</form>
<p class="muted">The gateway does not store the key. You stay signed in for 12 hours, or until you sign out or the key is rotated or revoked. A test key shows the test balance.</p>`,
  })
}

function linkHint({ mail, signUp }: SignInMethods, next: string): Html {
  if (!mail)
    return html`<p class="muted">Forgot your password, or first time here? Ask the operator of this gateway for a sign-in link.</p>`
  return html`<p><a href="${withNext(next, '/sign-in/link')}">Forgot your password, or first time here?</a>${signUp && html` No account? <a href="${withNext(next, '/sign-up')}">Create account</a>.`}</p>`
}
