import { html, type Html } from '../../html/html.ts'
import type { Site } from '../../html/layout.ts'
import { nextField } from '../visitor/next-page.ts'
import { signInLayout } from './sign-in-layout.ts'

/** The button on the sign-in page. */
export function providerForm(name: string, next: string): Html {
  return html`<form class="stacked" action="/sign-in/provider" method="post">${nextField(next)}<button class="button quiet named" type="submit">Sign in with ${name}</button></form>`
}

/** Stands until the provider's page is there; the browser goes there by itself. */
export function providerRedirectPage(site: Site, name: string, url: string): string {
  return signInLayout(
    site,
    `To ${name}`,
    html`<h1>On to ${name}</h1>
<p class="lead">You sign in there and come back here.</p>
<div class="calls-to-action"><a class="button named" href="${url}">Go on to ${name}</a></div>`,
  )
}
