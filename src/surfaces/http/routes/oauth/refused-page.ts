import { html } from '../../html/html.ts'
import { layout, type Site } from '../../html/layout/layout.ts'

/** The page for a request that must not be answered at the client's address. */
export function refusedPage(site: Site, reason: string): string {
  return layout(site, {
    path: '/oauth/authorize',
    title: 'Not connected',
    description: 'A client could not be connected.',
    unlisted: true,
    main: html`<h1>Not connected</h1>
<p class="notice" role="alert">${reason}</p>
<p class="calls-to-action"><a class="button quiet" href="/keys">Open Keys</a></p>`,
  })
}
