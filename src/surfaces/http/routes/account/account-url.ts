import type { Visitor } from '../../../../auth/records/browser-session.ts'
import { html, type Html } from '../../html/html.ts'

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

/** The switch between live and test. Only holders see it. */
export function modeSwitch(path: string, { caller, email }: Visitor): Html {
  const choices = [
    [path, 'live', 'Live'],
    [`${path}?mode=test`, 'test', 'Test'],
  ] as const
  return html`${email !== null && html`<nav class="chips" aria-label="Live or test"><ul>${choices.map(([href, mode, label]) => html`<li><a href="${href}"${mode === caller.mode && html` aria-current="true"`}>${label}</a></li>`)}</ul></nav>`}`
}

function selectedMode({ caller, email }: Visitor): 'test' | '' {
  return email !== null && caller.mode === 'test' ? 'test' : ''
}
