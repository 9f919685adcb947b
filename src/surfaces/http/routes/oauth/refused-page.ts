import { linkButton } from '../../html/components/button.ts'
import { note } from '../../html/components/note.ts'
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
${note('bad', reason)}
<p>${linkButton('/keys', 'Open Keys', { kind: 'quiet' })}</p>`,
  })
}
