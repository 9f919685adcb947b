import type { Visitor } from '../../../../auth/records/browser-session.ts'
import type { EventRecord } from '../../../../events/event-record.ts'
import type { ListedKey } from '../../../../keys/list-key-trees.ts'
import { KEY_STATUSES, type KeyStatus } from '../../../../keys/key-record.ts'
import type { Spendable } from '../../../../keys/spendable.ts'
import { describeAllowed } from '../../../../lib/permissions.ts'
import { linkButton, submitButton } from '../../html/components/button.ts'
import { emptyState, note } from '../../html/components/note.ts'
import { pageHeader } from '../../html/components/page-header.ts'
import { segments } from '../../html/components/tabs.ts'
import { html, type Html } from '../../html/html.ts'
import { layout, type Site } from '../../html/layout/layout.ts'
import { keySessionNote } from '../account/account-components.ts'
import { accountUrl, modeField } from '../account/account-url.ts'
import { mayCreateKeys } from './may-change-key.ts'
import { loopNote } from './loop-note.ts'
import { keyTree } from './key-tree.ts'

export type KeysView = {
  readonly visitor: Visitor
  readonly keys: readonly ListedKey[]
  readonly bounds: ReadonlyMap<string, Spendable>
  /** Events of the loop breaker, by the id of the key that it paused. */
  readonly loops: ReadonlyMap<string, EventRecord>
  readonly isFirstPage: boolean
  /** The search text, or empty. */
  readonly search: string
  /** The only status shown; null: every one. */
  readonly status: KeyStatus | null
  readonly nextCursor: string | null
  /** The error of a form or of the address. */
  readonly problem?: string
}

export function keysPage(site: Site, view: KeysView): string {
  const { visitor } = view
  const canChange = mayCreateKeys(visitor)
  return layout(site, {
    path: '/keys',
    title: 'Keys',
    description: 'The keys of the account.',
    unlisted: true,
    accountQuery: accountUrl('', visitor),
    viewer: visitor,
    main: html`${pageHeader({
      title: 'Keys',
      lead: 'A key can never spend more than its limit, nor more than the keys above it. Give each program its own.',
      ...(canChange
        ? {
            actions: linkButton(accountUrl('/keys/new', visitor), 'New key', { icon: 'plus' }),
          }
        : {}),
    })}
${keySessionNote('/keys', visitor)}
${view.problem !== undefined && note('bad', view.problem)}
${!canChange && readOnlyNotice(visitor)}
${loopNotes(view)}
${visitor.caller.scope !== 'own' && searchForm(view)}
<div id="keys">${list(view)}</div>
${pages(view)}
${canChange && html`<p><a href="${accountUrl('/changes', visitor)}">Who changed keys and limits</a></p>`}`,
  })
}

/** Why the visitor cannot create keys, or not change this one. */
export function readOnlyNotice({ caller, role }: Visitor): Html {
  if (role !== null)
    return html`<p class="muted">${role === 'developer' ? 'Developers change only their own keys.' : `${describeAllowed('keys.own')} of this account can create and change keys.`}</p>`
  const access =
    caller.scope === 'own'
      ? 'You are signed in with a key that sees only its own data.'
      : 'You are signed in with another key, which can only read them.'
  return html`<p class="muted">Only members of the account and its primary key can create and change keys. ${access}</p>`
}

function loopNotes({ keys, loops, visitor }: KeysView): Html {
  const paused = keys.flatMap(({ key }) => {
    const event = loops.get(key.id)
    return event === undefined ? [] : [{ key, event }]
  })
  return html`${paused.map(({ key, event }) => loopNote(key, event, visitor))}`
}

/** Searches label, external id, id and the beginning of the secret. */
function searchForm({ visitor, search, status }: KeysView): Html {
  return html`<form class="key-search" role="search" action="/keys#keys" method="get">${modeField(visitor)}${status !== null && html`<input type="hidden" name="status" value="${status}">`}
<label class="visually-hidden" for="q">Search keys</label>
<input id="q" name="q" type="search" value="${search}" maxlength="255" placeholder="Label, external ID or ID" autocomplete="off">
${submitButton('Search', { kind: 'quiet', icon: 'search' })}
${search !== '' && html`<a href="${listUrl({ visitor, search: '', status })}">Clear search</a>`}</form>
${statusFilter({ visitor, search, status })}`
}

const STATUS_LABELS = {
  active: 'Active',
  paused: 'Paused',
  revoked: 'Revoked',
  expired: 'Expired',
} as const satisfies Record<KeyStatus, string>

type Shown = Pick<KeysView, 'visitor' | 'search' | 'status'>

function statusFilter(shown: Shown): Html {
  const to = (status: KeyStatus | null): string => listUrl({ ...shown, status })
  return html`<div class="key-status">${segments(
    'Status',
    [
      { href: to(null), label: 'All' },
      ...KEY_STATUSES.map((status) => ({ href: to(status), label: STATUS_LABELS[status] })),
    ],
    to(shown.status),
  )}</div>`
}

function listUrl({ visitor, search, status }: Shown, cursor = ''): string {
  return `${accountUrl('/keys', visitor, { q: search, status: status ?? '', cursor })}#keys`
}

function list(view: KeysView): Html {
  const { keys, search, status, loops } = view
  if (keys.length === 0)
    return search === ''
      ? noKeys(view)
      : emptyState(
          'search',
          html`No ${status === null ? 'keys' : `${status} keys`} match “<bdi>${search}</bdi>”.`,
          linkButton(accountUrl('/keys', view.visitor), 'All keys', { kind: 'quiet' }),
        )
  return keyTree({ ...view, looping: new Set(loops.keys()) })
}

function noKeys({ visitor, status }: KeysView): Html {
  if (status === null) return emptyState('key', 'No keys.')
  return emptyState(
    'key',
    `No ${status} keys.`,
    linkButton(accountUrl('/keys', visitor), 'All keys', { kind: 'quiet' }),
  )
}

function pages(view: KeysView): Html {
  const { isFirstPage, nextCursor } = view
  return html`${(!isFirstPage || nextCursor !== null) && html`<nav class="row" aria-label="Pages of the keys">${!isFirstPage && linkButton(listUrl(view), 'Newest', { kind: 'quiet' })}${nextCursor !== null && linkButton(listUrl(view, nextCursor), 'Older', { kind: 'quiet' })}</nav>`}`
}
