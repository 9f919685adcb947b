import { html, type Html } from '../../html/html.ts'
import type { Site } from '../../html/layout/layout.ts'
import { nextField } from '../visitor/next-page.ts'
import { signInLayout } from './sign-in-layout.ts'

/** The button on the sign-in page. */
export function providerForm(name: string, next: string): Html {
  return html`<form class="stacked" action="/sign-in/provider" method="post">${nextField(next)}<button class="button quiet named" type="submit">Sign in with ${name}</button></form>`
}

/** Shown while the browser opens the provider's page. */
export function providerRedirectPage(site: Site, name: string, url: string): string {
  return signInLayout(
    site,
    `Sign in with ${name}`,
    html`<h1>Sign in with ${name}</h1>
<p class="lead">Redirecting to ${name}. You return here after you sign in.</p>
<div class="calls-to-action"><a class="button named" href="${url}">Continue to ${name}</a></div>`,
  )
}
