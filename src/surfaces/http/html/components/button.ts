import { html, type Html } from '../html.ts'
import { icon, type IconName } from './icon.ts'

export type ButtonLook = {
  /** Primary without a kind: one per view. `test` runs with a test key. */
  readonly kind?: 'quiet' | 'plain' | 'danger' | 'test'
  readonly size?: 'small' | 'large'
  readonly icon?: IconName
  /** As wide as its container. */
  readonly block?: boolean
}

/** A button that submits its form. `name` and `value` are sent with it. */
export function submitButton(
  label: Html | string,
  look: ButtonLook & { readonly name?: string; readonly value?: string | number } = {},
): Html {
  return html`<button class="${classOf(look)}" type="submit"${look.name !== undefined && html` name="${look.name}" value="${look.value ?? ''}"`}>${look.icon !== undefined && icon(look.icon)}${label}</button>`
}

/** A link that looks like a button. */
export function linkButton(href: string, label: Html | string, look: ButtonLook = {}): Html {
  return html`<a class="${classOf(look)}" href="${href}">${look.icon !== undefined && icon(look.icon)}${label}</a>`
}

/** A form of one button, for an action without fields. `hidden` are further fields, such as the once token. */
export function actionForm(
  action: string,
  label: string,
  { hidden, ...look }: ButtonLook & { readonly hidden?: Html } = {},
): Html {
  return html`<form action="${action}" method="post">${hidden}${submitButton(label, look)}</form>`
}

function classOf({ kind, size, block }: ButtonLook): string {
  return ['button', kind, size, block === true && 'block'].filter(Boolean).join(' ')
}
