/** The state and the spending of a key, as text and markup. */
import type { Visitor } from '../../../../auth/records/browser-session.ts'
import { hostOfClient } from '../../../../auth/oauth/client.ts'
import type { KeyRecord } from '../../../../keys/key-record.ts'
import type { Spendable } from '../../../../keys/spendable.ts'
import { badge } from '../../html/components/badge.ts'
import { html, type Html } from '../../html/html.ts'
import { time } from '../../html/components/text.ts'
import { moneyText } from '../account/account-components.ts'
import { periodLabel } from './key-form.ts'

/** The verified host of a connected client. */
export function clientOf(clientId: string): string {
  return hostOfClient(clientId) ?? 'registered itself'
}

/** `isLooping`: the loop breaker paused it. */
export function keyBadge(key: KeyRecord, isLooping = false): Html {
  const { status } = key
  if (status === 'paused')
    return isLooping ? badge('error', 'Paused: loop') : badge('pending', 'Paused')
  if (status === 'expired') return badge('free', 'Expired')
  if (status === 'revoked') return badge('free', 'Revoked')
  if (key.remaining_micros === 0 && key.held_micros === 0) return badge('pending', 'Limit reached')
  return key.primary ? badge('info', 'Primary key') : badge('live', 'Active')
}

export function limitTextOf({ ceiling_cents: ceiling, ceiling_period: period }: KeyRecord): string {
  return ceiling === null
    ? 'No limit'
    : `${moneyText(ceiling * 10_000)} ${periodLabel(period).toLowerCase()}`
}

export function spentOf({ spent_micros: spent, held_micros: held }: KeyRecord): string {
  return held === 0 ? moneyText(spent) : `${moneyText(spent)} + ${moneyText(held)} pending`
}

/** The amount spent of the limit, with a bar and the next reset. */
export function spending(key: KeyRecord): Html {
  const { ceiling_cents: ceiling, window_resets_at: resetsAt } = key
  if (ceiling === null)
    return html`<div class="spend"><div class="spend-line"><span><strong>${spentOf(key)}</strong> of no limit</span><span>since ${time(key.window_started_at)}</span></div></div>`
  return html`<div class="spend"><div class="spend-line"><span><strong>${spentOf(key)}</strong> of ${limitTextOf(key)}</span><span>${resetsAt === null ? 'never resets' : html`resets ${time(resetsAt)}`}</span></div>${limitBar(key, ceiling * 10_000)}</div>`
}

/** The shares of a limit that are spent and pending, as a bar. */
function limitBar({ spent_micros: spent, held_micros: held }: KeyRecord, limit: number): Html {
  const shareOf = (micros: number): number =>
    limit === 0 ? 100 : Math.min(100, Math.round((micros / limit) * 1000) / 10)
  const [spentShare, usedShare] = [shareOf(spent), shareOf(spent + held)]
  return html`<svg class="limit-bar" viewBox="0 0 100 6" preserveAspectRatio="none" role="meter" aria-label="Spent and pending share of the limit" aria-valuemin="0" aria-valuemax="100" aria-valuenow="${usedShare}" aria-valuetext="${usedShare}%"><rect class="whole" width="100" height="6"/><rect class="pending" width="${usedShare}" height="6"/><rect class="${spentShare === 100 ? 'full' : 'spent'}" width="${spentShare}" height="6"/></svg>`
}

/** The most that the key can spend now, and the limit that binds. Nothing for a key that makes no calls. */
export function spendableNow(key: KeyRecord, bound: Spendable | undefined, visitor: Visitor): Html {
  if (key.status !== 'active' || bound === undefined)
    return html`–${key.status === 'paused' && html` <small>until resumed</small>`}`
  return html`${moneyText(Number(bound.amount))} <small>${boundText(bound, visitor)}</small>`
}

export function boundText({ by, key }: Spendable, visitor: Visitor): Html {
  if (by === 'balance') return html`limited by the balance`
  return html`limited by ${by === 'key' || key === null ? 'this key' : nameOfKeyAbove(key, visitor)}`
}

/** A key that sees only itself does not learn the names of the keys above it. */
export function nameOfKeyAbove(
  { label, key_prefix: prefix }: KeyRecord,
  { caller }: Visitor,
): Html {
  return caller.scope === 'own' ? html`a key above` : html`<bdi>${label ?? `${prefix}…`}</bdi>`
}
