import { html, type Html } from '../html.ts'
import { icon, type IconName } from './icon.ts'

export type NoteKind = 'info' | 'ok' | 'warn' | 'bad' | 'test'

const ICONS = {
  info: 'info',
  ok: 'done',
  warn: 'warning',
  bad: 'error',
  test: 'info',
} as const satisfies Record<NoteKind, IconName>

/** A box with an icon. `bad` interrupts screen readers unless `isQuiet`, so use it for errors only. */
export function note(
  kind: NoteKind,
  content: Html | string,
  { isQuiet = false }: { readonly isQuiet?: boolean } = {},
): Html {
  return html`<div class="note ${kind}">${icon(ICONS[kind])}<div${kind === 'bad' && !isQuiet && html` role="alert"`}>${content}</div></div>`
}

/** Confirms an action on the page that follows it. Scripts let it fade after four seconds. */
export function toast(message: string): Html {
  return html`<div class="toast" data-toast>${icon('done')}<span role="status">${message}</span></div>`
}

/** Stands where a list would: an icon, one sentence and one action. */
export function emptyState(name: IconName, sentence: Html | string, action?: Html): Html {
  return html`<div class="empty">${icon(name)}<p>${sentence}</p>${action}</div>`
}
