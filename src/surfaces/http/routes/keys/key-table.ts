import type { Visitor } from '../../../../auth/records/browser-session.ts'
import { hostOfClient } from '../../../../auth/oauth/client.ts'
import type { KeyRecord } from '../../../../keys/key-record.ts'
import type { ListedKey } from '../../../../keys/list-key-trees.ts'
import { html, type Html } from '../../html/html.ts'
import { table, type Cell } from '../../html/components/table.ts'
import { code, time } from '../../html/components/text.ts'
import { countText, dollarText } from '../account/account-components.ts'
import { accountUrl } from '../account/account-url.ts'
import { periodLabel, scopeLabel } from './key-form.ts'

const HEAD = ['Key', 'Spent', 'Last used', 'Status', 'Access', 'External ID']

/** Keys with their spending. A key below another one is indented by its level. */
export function keyTable(keys: readonly ListedKey[], visitor: Visitor): Html {
  return table(
    'Keys',
    HEAD,
    keys.map((listed) => cells(listed, visitor)),
  )
}

function cells(listed: ListedKey, visitor: Visitor): Cell[] {
  const { key } = listed
  return [
    nameCell(listed, visitor),
    spendingCell(key),
    key.last_used_at === null ? 'Never' : time(key.last_used_at),
    html`${statusOf(key)}${key.former_key_valid_until !== null && html`<br><span class="muted">former secret until ${time(key.former_key_valid_until)}</span>`}`,
    scopeLabel(key.scope),
    key.external_id === null ? '–' : html`<bdi class="given">${key.external_id}</bdi>`,
  ]
}

function nameCell({ key, level, children }: ListedKey, visitor: Visitor): Html {
  const to = (id: string): string => accountUrl(`/keys/${id}`, visitor)
  const name = html`<a class="given" href="${to(key.id)}">${key.label ?? 'No label'}</a><br>${code(`${key.key_prefix}…`)}${key.client_id !== null && html`<br><span class="muted">Connected client: <bdi>${clientOf(key.client_id)}</bdi></span>`}${key.parent_id !== null && html`<br><a class="muted" href="${to(key.parent_id)}">Child key, level ${key.depth}</a>`}${children > 0 && html`<br><a class="muted" href="${to(key.id)}#children">${childCountText(children)}</a>`}`
  return level === 0 ? name : html`<div class="below level-${level}">${name}</div>`
}

function childCountText(count: number): string {
  return count === 1 ? '1 child key' : `${countText(count)} child keys`
}

function spendingCell(key: KeyRecord): Html {
  const { ceiling_cents: ceiling, window_resets_at: resetsAt } = key
  if (ceiling === null) return html`${spentOf(key)}<br><span class="muted">No limit</span>`
  return html`${spentOf(key)} <span class="muted">of ${limitTextOf(key)}</span>${limitBar(key, ceiling * 10_000)}<span class="muted">${resetsAt === null ? 'never resets' : html`resets ${time(resetsAt)}`}</span>`
}

/** The shares of a limit that are spent and pending, as a bar. */
function limitBar({ spent_micros: spent, held_micros: held }: KeyRecord, limit: number): Html {
  const shareOf = (micros: number): number =>
    limit === 0 ? 100 : Math.min(100, Math.round((micros / limit) * 1000) / 10)
  const [spentShare, usedShare] = [shareOf(spent), shareOf(spent + held)]
  return html`<svg class="limit-bar" viewBox="0 0 100 6" preserveAspectRatio="none" role="meter" aria-label="Spent and pending share of the limit" aria-valuemin="0" aria-valuemax="100" aria-valuenow="${usedShare}" aria-valuetext="${usedShare}%"><rect class="whole" width="100" height="6"/><rect class="pending" width="${usedShare}" height="6"/><rect class="${spentShare === 100 ? 'full' : 'spent'}" width="${spentShare}" height="6"/></svg>`
}

/** The verified host of a connected client. */
export function clientOf(clientId: string): string {
  return hostOfClient(clientId) ?? 'registered itself'
}

const STATUS_LABELS = {
  active: 'Active',
  paused: 'Paused',
  expired: 'Expired',
  revoked: 'Revoked',
} as const satisfies Record<KeyRecord['status'], string>

export function statusOf({ status, primary }: KeyRecord): Html {
  return html`<span class="badge ${status === 'active' ? 'live' : 'idle'}">${STATUS_LABELS[status]}</span>${primary && ' Primary key'}`
}

export function limitTextOf({ ceiling_cents: ceiling, ceiling_period: period }: KeyRecord): string {
  return ceiling === null
    ? 'No limit'
    : `${dollarText(ceiling * 10_000)} ${periodLabel(period).toLowerCase()}`
}

export function spentOf({ spent_micros: spent, held_micros: held }: KeyRecord): string {
  return held === 0 ? dollarText(spent) : `${dollarText(spent)} + ${dollarText(held)} pending`
}
