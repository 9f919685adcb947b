/** Markup that the account pages share. */
import type { Visitor } from '../../../../auth/records/browser-session.ts'
import type { KeyRecord } from '../../../../keys/key-record.ts'
import { formatDollars } from '../../../../lib/money.ts'
import { html, type Html } from '../../html/html.ts'

/** The title of the page at `path`. A session of a key learns how the holder signs in. */
export function accountHeading(title: string, path: string, { email }: Visitor): Html {
  return html`<h1>${title}</h1>
${email === null && html`<p class="muted">Signed in with a key. Account holders can <a href="/sign-in?next=${path}">sign in with email</a>.</p>`}`
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

/** "1 call", "2 calls". */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : many}`
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
