/** Markup that the account pages share. */
import type { Visitor } from '../../../../auth/records/browser-session.ts'
import type { KeyRecord } from '../../../../keys/key-record.ts'
import { amountText } from '../../../../catalog/published/price-block.ts'
import { html, type Html } from '../../html/html.ts'

/** How members sign in, for a session of a key. */
export function keySessionNote(path: string, { email }: Visitor): Html | false {
  return (
    email === null &&
    html`<p class="muted">Signed in with a key. Members of the account can <a href="/sign-in?next=${path}">sign in with email</a>.</p>`
  )
}

/** Choices for the time until a former secret expires, in seconds. */
export const GRACE_OPTIONS = [
  ['0', 'Immediately'],
  ['3600', 'In 1 hour'],
  ['86400', 'In 1 day'],
] as const

export function keyName({ label, key_prefix: prefix }: KeyRecord): string {
  return label === null ? `${prefix}…` : `${label} (${prefix}…)`
}

/**
 * An amount on pages of the console, by one rule: cents below a dollar, dollars from there, and "$0.00" for nothing.
 * Such as "0.1842¢", "-4¢" and "$1,001.575".
 */
export function moneyText(micros: number): string {
  if (micros === 0) return '$0.00'
  const text = amountText(BigInt(Math.abs(micros))).replace(THOUSANDS, ',')
  return micros < 0 ? `-${text}` : text
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
