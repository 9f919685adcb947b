import { html } from '../../html/html.ts'
import { layout, type Site } from '../../html/layout.ts'

/** `refusal`: why the last attempt did not work. */
export function signInPage(site: Site, refusal?: string): string {
  return layout(site, {
    path: '/balance',
    title: 'Balance',
    description: 'Sign in with a key to see the balance and every call.',
    unlisted: true,
    main: html`<h1>Balance</h1>
<p class="lead">Sign in with any key of your account to see what is left, and every call that has a price with what it cost.</p>
${refusal !== undefined && html`<p class="notice" role="alert">${refusal}</p>`}
<form class="stacked" action="/balance/sign-in" method="post">
<label for="key">API key</label>
<div class="search-row"><input id="key" name="key" type="password" required maxlength="100" autocomplete="off" spellcheck="false" placeholder="tg_live_…"><button type="submit">Sign in</button></div>
</form>
<p class="muted">The key is checked and not kept. This browser stays signed in for 12 hours, or until you sign out or the key is rotated or revoked. A test key shows the test balance.</p>`,
  })
}
