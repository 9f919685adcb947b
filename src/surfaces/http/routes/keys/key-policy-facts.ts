import type { KeyRecord } from '../../../../keys/key-record.ts'
import { code } from '../../html/components/text.ts'
import { html, type Html } from '../../html/html.ts'
import { moneyText } from '../account/account-components.ts'
import { limitTextOf } from './key-status.ts'
import { BREAKER_WORDS } from './key-policy-form.ts'

/** The restrictions of a key as names and values, for visitors that cannot change them. */
export function policyFacts(key: KeyRecord): readonly (readonly [string, Html | string])[] {
  const { max_call_cents: maxCall, rate_limit_per_minute: rate } = key
  const patterns = (texts: readonly string[] | null, none: string): Html =>
    html`${texts === null ? none : texts.length === 0 ? 'Nothing' : texts.map((text) => html`${code(text)} `)}`
  return [
    ['Spending limit', limitTextOf(key)],
    ['Limit per call', maxCall === null ? 'No limit' : moneyText(maxCall * 10_000)],
    ['Allowed actions', patterns(key.allow, 'Every action')],
    ['Denied actions', patterns(key.deny, 'None')],
    ['Requests per minute', rate === null ? 'No limit' : String(rate)],
    ['Allowed client addresses', patterns(key.allowed_ips, 'Any')],
    ['Repeated calls', BREAKER_WORDS.find(([name]) => name === key.breaker)?.[1] ?? key.breaker],
  ]
}
