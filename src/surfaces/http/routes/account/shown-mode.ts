import type { Visitor } from '../../../../auth/records/browser-session.ts'
import { html, type Html } from '../../html/html.ts'

/**
 * An address of these pages that stays with the wallet that the holder of an account looks at. A key has a mode of its
 * own, so whoever signed in with one needs no word of it. Empty values are left out.
 */
export function address(
  path: string,
  visitor: Visitor,
  query: Readonly<Record<string, string>> = {},
): string {
  const given = Object.entries({ ...query, mode: keptMode(visitor) }).filter(
    ([, value]) => value !== '',
  )
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`
}

/** The same for forms that make an address of their fields. */
export function modeField(visitor: Visitor): Html {
  return html`${keptMode(visitor) !== '' && html`<input type="hidden" name="mode" value="${keptMode(visitor)}">`}`
}

/** For holders alone: between live and test. */
export function modeSwitch(path: string, { caller, email }: Visitor): Html {
  const choices = [
    [path, 'live', 'Live'],
    [`${path}?mode=test`, 'test', 'Test'],
  ] as const
  return html`${email !== null && html`<nav class="chips" aria-label="Live or test"><ul>${choices.map(([href, mode, label]) => html`<li><a href="${href}"${mode === caller.mode && html` aria-current="true"`}>${label}</a></li>`)}</ul></nav>`}`
}

function keptMode({ caller, email }: Visitor): 'test' | '' {
  return email !== null && caller.mode === 'test' ? 'test' : ''
}
