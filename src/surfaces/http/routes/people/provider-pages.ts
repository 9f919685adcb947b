import type { CreatedAccount } from '../../../../accounts/create-account.ts'
import { html, type Html } from '../../html/html.ts'
import { layout, type Site } from '../../html/layout.ts'
import { code, table } from '../../html/pieces.ts'

/** The button on the sign-in page. */
export function providerForm(name: string): Html {
  return html`<form class="stacked" action="/sign-in/provider" method="post"><button class="button quiet named" type="submit">Sign in with ${name}</button></form>`
}

/** Stands until the provider's page is there; the browser goes there by itself. */
export function leavingPage(site: Site, name: string, url: string): string {
  return layout(site, {
    path: '/balance',
    title: `To ${name}`,
    description: 'Sign in with somebody who knows you.',
    unlisted: true,
    main: html`<h1>On to ${name}</h1>
<p class="lead">You sign in there and come back here.</p>
<div class="calls-to-action"><a class="button named" href="${url}">Go on to ${name}</a></div>`,
  })
}

/** The secrets of a new account, which are told this once. */
export function firstKeysPage(site: Site, { account, live, test }: CreatedAccount): string {
  return layout(site, {
    path: '/balance',
    title: 'Your account',
    description: 'The first keys of your account.',
    unlisted: true,
    main: html`<h1>Your account is ready</h1>
<p class="lead">It is the account of ${account.email}. These are its first two keys.</p>
<p class="notice">Keep them in a safe place now: they are shown this once.</p>
${table('Your keys', ['Key', 'Secret', 'What for'], [
      ['Live', code(live.key), 'spends your credit'],
      ['Test', code(test.key), 'costs nothing: every service is a simulation'],
    ])}
<div class="calls-to-action"><a class="button" href="/balance">Go on to your balance</a></div>`,
  })
}
