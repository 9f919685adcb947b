import { html, type Html } from '../html.ts'

/** `free`: not charged. `setup`: needs operator setup. */
export type BadgeKind =
  | 'charged'
  | 'pending'
  | 'free'
  | 'error'
  | 'live'
  | 'test'
  | 'setup'
  | 'info'

/** A status with a dot and a word; the color never stands alone. */
export function badge(kind: BadgeKind, word: Html | string): Html {
  return html`<span class="badge ${kind}">${word}</span>`
}

/** A filter or a suggestion as a link. A selected filter is removed by its link. */
export function chip(href: string, label: string, { selected = false } = {}): Html {
  return html`<a class="chip${selected && ' selected'}" href="${href}"${selected && html` aria-label="Remove the filter ${label}"`}>${label}${selected && html`<span aria-hidden="true">×</span>`}</a>`
}
