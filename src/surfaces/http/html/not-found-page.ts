import { html } from './html.ts'
import { layout, type Site } from './layout.ts'

/** `suggestions`: actions with a name like the one asked for, as "service/action". */
export function notFoundPage(site: Site, suggestions: readonly string[] = []): string {
  return layout(site, {
    path: '/404',
    title: 'Nothing here',
    description: 'There is no page at this address.',
    unlisted: true,
    main: html`<div class="not-found">
<h1>There is nothing here</h1>
<p class="lead">The address leads nowhere. Nothing was charged for looking.</p>
${suggestions.length > 0 && html`<p>Did you mean ${suggestions.map((name, at) => html`${at > 0 ? ' or ' : ''}<a href="/catalog/${name}"><code>${name}</code></a>`)}?</p>`}
<p>The <a href="/catalog">catalog</a> lists every action, and the <a href="/guide">guide</a> shows the first call.</p>
</div>`,
  })
}
