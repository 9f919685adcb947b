import type { Visitor } from '../../../../auth/records/browser-session.ts'
import type { KeyRecord } from '../../../../keys/key-record.ts'
import { html, type Html } from '../../html/html.ts'
import { layout, type Site } from '../../html/layout.ts'
import { code, table, time, type Cell } from '../../html/components.ts'
import { accountHeading, dollarText } from '../account/account-pieces.ts'
import { address, modeField } from '../account/shown-mode.ts'
import { onceField } from '../visitor/answer-form-once.ts'
import { keyFields, periodWords, scopeWords, type TypedKey } from './key-form.ts'

export type KeysView = {
  readonly visitor: Visitor
  readonly keys: readonly KeyRecord[]
  readonly isFirstPage: boolean
  /** What the list was searched for; empty: nothing. */
  readonly search: string
  readonly nextCursor: string | null
  /** What the form for a new key was sent with. */
  readonly typed: TypedKey
  /** That of a form which is to be sent again. */
  readonly onceToken?: string
  /** What came of a wish, where it was not fulfilled. */
  readonly problem?: string
}

export function keysPage(site: Site, view: KeysView): string {
  const { visitor, keys } = view
  return layout(site, {
    path: '/keys',
    title: 'Keys',
    description: 'The keys of the account.',
    unlisted: true,
    accountQuery: address('', visitor),
    main: html`${accountHeading('Keys', '/keys', visitor)}
${view.problem !== undefined && html`<p class="notice" role="alert">${view.problem}</p>`}
${visitor.caller.primary ? newKeyForm(view) : whyReadOnly(visitor)}
<h2 id="keys">${visitor.caller.scope === 'own' ? 'Your key' : 'Keys of the account'}</h2>
${visitor.caller.scope !== 'own' && searchForm(view)}
${keys.length === 0 ? html`<p>${view.search === '' ? 'No key is here.' : html`No key matches “<bdi>${view.search}</bdi>”.`}</p>` : keyTable(keys, visitor)}
${pages(view)}`,
  })
}

export function whyReadOnly({ caller }: Visitor): Html {
  const sees =
    caller.scope === 'own'
      ? 'You signed in with a key that sees only itself and its own data.'
      : 'You signed in with another key, so you can look at them.'
  return html`<p class="muted">Keys are created and changed by the holder of the account and by its primary key. ${sees}</p>`
}

/** By label, external id, id or the beginning of the secret. */
function searchForm({ visitor, search }: KeysView): Html {
  return html`<form class="search" role="search" action="/keys#keys" method="get">${modeField(visitor)}
<label for="q">Find a key</label>
<div class="search-row"><input id="q" name="q" type="search" value="${search}" maxlength="255" placeholder="label, external id or id" autocomplete="off"><button type="submit">Search</button></div>
${search !== '' && html`<p><a href="${address('/keys', visitor)}#keys">All keys</a></p>`}</form>`
}

function newKeyForm({ visitor, typed, onceToken }: KeysView): Html {
  return html`<h2 id="new">New key</h2>
<p class="muted">Give every program a key of its own. A ceiling is the most that it may spend in a day, a week or a month; without one it may spend the whole balance. A key sees its own data, which is what it made itself, or the whole account: choose the account only for programs that you trust with everything in it. An external id is your own name for the user of the key; the history can be filtered by it.</p>
<form class="filters" action="${address('/keys', visitor)}" method="post">${onceField(onceToken)}
${keyFields(typed)}
<div class="calls-to-action"><button type="submit">Create ${visitor.caller.mode} key</button></div>
</form>`
}

const HEAD = [
  'Key',
  'Status',
  'Sees',
  'Ceiling',
  'Spent',
  'Starts anew (UTC)',
  'Last used (UTC)',
  'External id',
]

function keyTable(keys: readonly KeyRecord[], visitor: Visitor): Html {
  return table(
    'Keys',
    HEAD,
    keys.map((key) => cells(key, visitor)),
  )
}

function cells(key: KeyRecord, visitor: Visitor): Cell[] {
  return [
    html`<a class="given" href="${address(`/keys/${key.id}`, visitor)}">${key.label ?? 'no label'}</a><br>${code(`${key.key_prefix}…`)}`,
    html`${statusOf(key)}${key.former_key_valid_until !== null && html`<br><span class="muted">former secret until ${time(key.former_key_valid_until)}</span>`}`,
    scopeWords(key.scope),
    ceilingOf(key),
    spentOf(key),
    time(key.window_resets_at),
    key.last_used_at === null ? 'never' : time(key.last_used_at),
    key.external_id === null ? '–' : html`<bdi class="given">${key.external_id}</bdi>`,
  ]
}

export function statusOf({ status, primary }: KeyRecord): Html {
  return html`<span class="badge ${status === 'active' ? 'live' : 'idle'}">${status}</span>${primary && ' primary'}`
}

export function ceilingOf({ ceiling_cents: ceiling, ceiling_period: period }: KeyRecord): string {
  return ceiling === null ? 'none' : `${dollarText(ceiling * 10_000)} ${periodWords(period)}`
}

export function spentOf({ spent_micros: spent, held_micros: held }: KeyRecord): string {
  return held === 0 ? dollarText(spent) : `${dollarText(spent)} and ${dollarText(held)} held`
}

function pages({ visitor, isFirstPage, search, nextCursor }: KeysView): Html {
  return html`<nav class="calls-to-action" aria-label="Pages of the keys">
${!isFirstPage && html`<a class="button quiet" href="${address('/keys', visitor, { q: search })}#keys">Newest</a>`}
${nextCursor !== null && html`<a class="button quiet" href="${address('/keys', visitor, { q: search, cursor: nextCursor })}#keys">Older</a>`}</nav>`
}
