import { html } from '../html.ts'
import { layout, type Site } from '../layout/layout.ts'

/** `suggestions`: actions with a similar name, as "service/action". */
export function notFoundPage(site: Site, suggestions: readonly string[] = []): string {
  return layout(site, {
    path: '/404',
    title: 'Page not found',
    description: 'This page does not exist.',
    unlisted: true,
    main: html`<div class="not-found">
<h1>Page not found</h1>
<p class="lead">This address does not exist.</p>
${suggestions.length > 0 && html`<p>Did you mean ${suggestions.map((name, at) => html`${at > 0 ? ' or ' : ''}<a href="/catalog/${name}"><code>${name}</code></a>`)}?</p>`}
<p>See the <a href="/catalog">catalog</a> of all actions, or <a href="/guide">get started</a> with the guide.</p>
</div>`,
  })
}
