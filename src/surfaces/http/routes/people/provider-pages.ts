import { html, type Html } from '../../html/html.ts'
import type { Site } from '../../html/layout.ts'
import { nextField } from '../visitor/next-page.ts'
import { peoplePage } from './people-page.ts'

/** The button on the sign-in page. */
export function providerForm(name: string, next: string): Html {
  return html`<form class="stacked" action="/sign-in/provider" method="post">${nextField(next)}<button class="button quiet named" type="submit">Sign in with ${name}</button></form>`
}

/** Stands until the provider's page is there; the browser goes there by itself. */
export function leavingPage(site: Site, name: string, url: string): string {
  return peoplePage(
    site,
    `To ${name}`,
    html`<h1>On to ${name}</h1>
<p class="lead">You sign in there and come back here.</p>
<div class="calls-to-action"><a class="button named" href="${url}">Go on to ${name}</a></div>`,
  )
}
