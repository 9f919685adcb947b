import { html, type Html } from '../html.ts'

export type Tab = { readonly href: string; readonly label: string }

/** Underlined links between the parts of a page. `current`: the href of the open one. */
export function tabs(label: string, items: readonly Tab[], current?: string): Html {
  return html`<nav aria-label="${label}"><ul class="tabs">${items.map((item) => html`<li>${link(item, current)}</li>`)}</ul></nav>`
}

/** A choice inside a card, as links. */
export function segments(label: string, items: readonly Tab[], current?: string): Html {
  return html`<nav class="seg" aria-label="${label}">${items.map((item) => link(item, current))}</nav>`
}

function link({ href, label }: Tab, current?: string): Html {
  return html`<a href="${href}"${href === current && html` aria-current="true"`}>${label}</a>`
}
