import { LONGEST_EMAIL } from '../../../../auth/records/email.ts'
import { MOST_PASSWORD_CHARACTERS } from '../../../../auth/password.ts'
import { html, type Html } from '../../html/html.ts'
import { layout, type Site } from '../../html/layout.ts'
import { nextField, nextPage, withNext } from '../visitor/next-page.ts'
import { PASSKEY_SCRIPT, passkeySignIn } from './passkey-forms.ts'
import { providerForm } from './provider-pages.ts'

/** How findVisitor can sign in here, beside a password and a key. */
export type SignInMethods = {
  /** Whether strangers can make an account. */
  readonly signUp: boolean
  /** Whether links can be mailed. */
  readonly mail: boolean
  /** What the provider is called that vouches for people; null where there is none. */
  readonly provider: string | null
}

export type SignInView = {
  /** Where it leads, as the browser named it. */
  readonly next?: string
  /** Why the last attempt did not work. */
  readonly refusal?: string
  /** The address that it was made with. */
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
    description: 'Sign in to see the balance and every call, and to manage keys.',
    unlisted: true,
    script: PASSKEY_SCRIPT,
    main: html`<h1>Sign in</h1>
<p class="lead">See what is left, what every call cost, and manage the keys of your account.</p>
${refusal !== undefined && html`<p class="notice" role="alert">${refusal}</p>`}
${methods.provider !== null && providerForm(methods.provider, next)}
<form class="stacked" action="/sign-in" method="post">${nextField(next)}
<label for="email">E-mail address</label>
<input id="email" name="email" type="email" required maxlength="${LONGEST_EMAIL}" autocomplete="username webauthn" value="${email}">
<label for="password">Password</label>
<input id="password" name="password" type="password" required maxlength="${MOST_PASSWORD_CHARACTERS}" autocomplete="current-password">
<div class="calls-to-action"><button type="submit">Sign in</button></div>
</form>
${linkHint(methods, next)}
${passkeySignIn(site, next)}
<h2>With a key</h2>
<form class="stacked" action="/balance/sign-in" method="post">${nextField(next)}
<label for="key">API key</label>
<div class="search-row"><input id="key" name="key" type="password" required maxlength="100" autocomplete="off" spellcheck="false" placeholder="tg_live_…"><button type="submit">Sign in</button></div>
</form>
<p class="muted">The key is checked and not kept. This browser stays signed in for 12 hours, or until you sign out or the key is rotated or revoked. A test key shows the test balance.</p>`,
  })
}

function linkHint({ mail, signUp }: SignInMethods, next: string): Html {
  if (!mail)
    return html`<p class="muted">Forgot your password, or first time here? The operator of this gateway gives you a link.</p>`
  return html`<p><a href="${withNext(next, '/sign-in/link')}">Forgot your password, or first time here?</a>${signUp && html` No account yet? <a href="${withNext(next, '/sign-up')}">Make an account</a>.`}</p>`
}
