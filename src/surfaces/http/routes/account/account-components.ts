/** Markup that the account pages share. */
import type { Visitor } from '../../../../auth/records/browser-session.ts'
import type { KeyRecord } from '../../../../keys/key-record.ts'
import { formatDollars } from '../../../../lib/money.ts'
import { html, type Html } from '../../html/html.ts'
import { modeSwitch } from './account-url.ts'

/** The title, the signed-in account and the sign-out button of the page at `path`. */
export function accountHeading(title: string, path: string, visitor: Visitor): Html {
  return html`<div class="heading-row"><h1>${title}${visitor.caller.mode === 'test' && html` <span class="badge idle">test credit</span>`}</h1>
<form action="/balance/sign-out" method="post"><button class="button quiet" type="submit">Sign out</button></form></div>
<p class="muted">${visitor.email === null ? html`Signed in with a key. Account holders can <a href="/sign-in?next=${path}">sign in with email</a>.` : html`Signed in as <bdi>${visitor.email}</bdi>`}</p>
${modeSwitch(path, visitor)}`
}

export function keyName({ label, key_prefix: prefix }: KeyRecord): string {
  return label === null ? `${prefix}…` : `${label} (${prefix}…)`
}

export function dollarText(micros: number): string {
  return formatDollars(BigInt(micros)).replace(THOUSANDS, ',')
}

export function countText(count: number): string {
  return String(count).replace(THOUSANDS, ',')
}

// The positions of thousands separators, which decimals do not have.
const THOUSANDS = /(?<=\d)(?<!\.\d*)(?=(?:\d{3})+(?!\d))/g

/** A select field. Each option is a value and its label. */
export function choice(
  name: string,
  label: string,
  options: readonly (readonly [string, string])[],
  chosen: string,
): Html {
  return html`<div><label for="${name}">${label}</label><select id="${name}" name="${name}">${options.map(([value, text]) => html`<option value="${value}"${value === chosen && html` selected`}>${text}</option>`)}</select></div>`
}
