import type { Visitor } from '../../../../auth/records/browser-session.ts'
import { hostOfClient } from '../../../../auth/oauth/client.ts'
import type { KeyRecord } from '../../../../keys/key-record.ts'
import { html, type Html } from '../../html/html.ts'
import { layout, type Site } from '../../html/layout.ts'
import { code, table, time, type Cell } from '../../html/components.ts'
import { accountHeading, dollarText } from '../account/account-components.ts'
import { accountUrl, modeField } from '../account/account-url.ts'
import { onceField } from '../visitor/answer-form-once.ts'
import { keyFields, periodLabel, scopeLabel, type KeyFormValues } from './key-form.ts'

export type KeysView = {
  readonly visitor: Visitor
  readonly keys: readonly KeyRecord[]
  readonly isFirstPage: boolean
  /** The search text, or empty. */
  readonly search: string
  readonly nextCursor: string | null
  /** The submitted values of the form for a new key. */
  readonly typed: KeyFormValues
  /** The token of a form that must be sent again. */
  readonly onceToken?: string
  /** The error of a form. */
  readonly problem?: string
}

export function keysPage(site: Site, view: KeysView): string {
  const { visitor, keys } = view
  return layout(site, {
    path: '/keys',
    title: 'Keys',
    description: 'The keys of the account.',
    unlisted: true,
    accountQuery: accountUrl('', visitor),
    main: html`${accountHeading('Keys', '/keys', visitor)}
${view.problem !== undefined && html`<p class="notice" role="alert">${view.problem}</p>`}
${visitor.caller.primary ? newKeyForm(view) : readOnlyNotice(visitor)}
<h2 id="keys">${visitor.caller.scope === 'own' ? 'Your key' : 'Keys of the account'}</h2>
${visitor.caller.scope !== 'own' && searchForm(view)}
${keys.length === 0 ? html`<p>${view.search === '' ? 'No keys.' : html`No keys match “<bdi>${view.search}</bdi>”.`}</p>` : keyTable(keys, visitor)}
${pages(view)}
${visitor.caller.primary && html`<p><a href="${accountUrl('/changes', visitor)}">Who changed keys and limits</a></p>`}`,
  })
}

export function readOnlyNotice({ caller }: Visitor): Html {
  const access =
    caller.scope === 'own'
      ? 'You are signed in with a key that sees only its own data.'
      : 'You are signed in with another key, which can only read them.'
  return html`<p class="muted">Only the holder of the account and its primary key can create and change keys. ${access}</p>`
}

/** Searches label, external id, id and the beginning of the secret. */
function searchForm({ visitor, search }: KeysView): Html {
  return html`<form class="search" role="search" action="/keys#keys" method="get">${modeField(visitor)}
<label for="q">Search keys</label>
<div class="search-row"><input id="q" name="q" type="search" value="${search}" maxlength="255" placeholder="Label, external ID or ID" autocomplete="off"><button type="submit">Search</button></div>
${search !== '' && html`<p><a href="${accountUrl('/keys', visitor)}#keys">All keys</a></p>`}</form>`
}

function newKeyForm({ visitor, typed, onceToken }: KeysView): Html {
  return html`<h2 id="new">New key</h2>
<p class="muted">Create a separate key for each program. A spending limit resets daily, weekly or monthly; without one, a key can spend the whole balance. A key reads its own data or the whole account: choose the whole account only for trusted programs. An external ID is your own identifier for the user of the key, and a filter of the history.</p>
<form class="filters" action="${accountUrl('/keys', visitor)}" method="post">${onceField(onceToken)}
${keyFields(typed)}
<div class="calls-to-action"><button type="submit">Create ${visitor.caller.mode} key</button></div>
</form>`
}

const HEAD = [
  'Key',
  'Status',
  'Access',
  'Limit',
  'Spent',
  'Resets (UTC)',
  'Last used (UTC)',
  'External ID',
]

export function keyTable(keys: readonly KeyRecord[], visitor: Visitor): Html {
  return table(
    'Keys',
    HEAD,
    keys.map((key) => cells(key, visitor)),
  )
}

function cells(key: KeyRecord, visitor: Visitor): Cell[] {
  return [
    html`<a class="given" href="${accountUrl(`/keys/${key.id}`, visitor)}">${key.label ?? 'No label'}</a><br>${code(`${key.key_prefix}…`)}${key.client_id !== null && html`<br><span class="muted">Connected client: <bdi>${clientOf(key.client_id)}</bdi></span>`}${key.parent_id !== null && html`<br><a class="muted" href="${accountUrl(`/keys/${key.parent_id}`, visitor)}">Child key, level ${key.depth}</a>`}`,
    html`${statusOf(key)}${key.former_key_valid_until !== null && html`<br><span class="muted">former secret until ${time(key.former_key_valid_until)}</span>`}`,
    scopeLabel(key.scope),
    limitTextOf(key),
    spentOf(key),
    key.window_resets_at === null ? 'Never' : time(key.window_resets_at),
    key.last_used_at === null ? 'Never' : time(key.last_used_at),
    key.external_id === null ? '–' : html`<bdi class="given">${key.external_id}</bdi>`,
  ]
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

function pages({ visitor, isFirstPage, search, nextCursor }: KeysView): Html {
  return html`<nav class="calls-to-action" aria-label="Pages of the keys">
${!isFirstPage && html`<a class="button quiet" href="${accountUrl('/keys', visitor, { q: search })}#keys">Newest</a>`}
${nextCursor !== null && html`<a class="button quiet" href="${accountUrl('/keys', visitor, { q: search, cursor: nextCursor })}#keys">Older</a>`}</nav>`
}
