import type { Visitor } from '../../../../auth/records/browser-session.ts'
import { html, type Html } from '../../html/html.ts'

export const HOME_PATH = '/balance'
export const CALLS_PATH = '/calls'
export const TRANSACTIONS_PATH = '/balance/transactions'

/**
 * The URL of an account page that keeps the mode which the holder selected. A session of a key has the
 * mode of the key. Empty values are omitted.
 */
export function accountUrl(
  path: string,
  visitor: Visitor,
  query: Readonly<Record<string, string>> = {},
): string {
  const given = Object.entries({ ...query, mode: selectedMode(visitor) }).filter(
    ([, value]) => value !== '',
  )
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`
}

/** Keeps the selected mode in a GET form. */
export function modeField(visitor: Visitor): Html {
  return html`${selectedMode(visitor) !== '' && html`<input type="hidden" name="mode" value="${selectedMode(visitor)}">`}`
}

function selectedMode({ caller, email }: Visitor): 'test' | '' {
  return email !== null && caller.mode === 'test' ? 'test' : ''
}
