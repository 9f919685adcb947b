import type { Visitor } from '../../../../auth/records/browser-session.ts'
import type { ListedKey } from '../../../../keys/list-key-trees.ts'
import { html, type Html } from '../../html/html.ts'
import { layout, type Site } from '../../html/layout/layout.ts'
import { accountHeading } from '../account/account-components.ts'
import { accountUrl, modeField } from '../account/account-url.ts'
import { onceField } from '../visitor/answer-form-once.ts'
import { keyFields, type KeyFormValues } from './key-form.ts'
import { keyTable } from './key-table.ts'

export type KeysView = {
  readonly visitor: Visitor
  readonly keys: readonly ListedKey[]
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
    viewer: visitor,
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

function pages({ visitor, isFirstPage, search, nextCursor }: KeysView): Html {
  return html`<nav class="calls-to-action" aria-label="Pages of the keys">
${!isFirstPage && html`<a class="button quiet" href="${accountUrl('/keys', visitor, { q: search })}#keys">Newest</a>`}
${nextCursor !== null && html`<a class="button quiet" href="${accountUrl('/keys', visitor, { q: search, cursor: nextCursor })}#keys">Older</a>`}</nav>`
}
