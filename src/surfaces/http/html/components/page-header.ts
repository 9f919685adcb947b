import { html, type Html } from '../html.ts'

export type Crumb = { readonly label: string; readonly href?: string }

/** The way to this page. The last entry is the page itself. `name`: unique in the page. */
export function breadcrumb(crumbs: readonly Crumb[], name = 'Breadcrumb'): Html {
  return html`<nav aria-label="${name}" class="breadcrumb"><ol>${crumbs.map(({ label, href }) => (href === undefined ? html`<li aria-current="page">${label}</li>` : html`<li><a href="${href}">${label}</a></li>`))}</ol></nav>`
}

/** The title of a page with its buttons at the right. */
export function pageHeader(view: {
  readonly title: Html | string
  readonly crumbs?: readonly Crumb[]
  readonly lead?: Html | string
  /** Badges and facts below the title. */
  readonly meta?: Html
  readonly actions?: Html
}): Html {
  return html`<div class="page-header"><div>${view.crumbs !== undefined && breadcrumb(view.crumbs)}<h1>${view.title}</h1>${view.lead !== undefined && html`<p class="lead">${view.lead}</p>`}${view.meta !== undefined && html`<div class="meta">${view.meta}</div>`}</div>${view.actions !== undefined && html`<div class="actions">${view.actions}</div>`}</div>`
}
