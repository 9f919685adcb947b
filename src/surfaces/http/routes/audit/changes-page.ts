import { describeChange, type ChangeRecord } from '../../../../audit/change-record.ts'
import type { ChangePage } from '../../../../audit/list-changes.ts'
import type { Visitor } from '../../../../auth/records/browser-session.ts'
import { html, type Html } from '../../html/html.ts'
import { layout, type Site } from '../../html/layout/layout.ts'
import { table, type Cell } from '../../html/components/table.ts'
import { time } from '../../html/components/text.ts'
import type { KeyRecord } from '../../../../keys/key-record.ts'
import { accountHeading, keyName } from '../account/account-components.ts'
import { accountUrl } from '../account/account-url.ts'

export const CHANGES_PATH = '/changes'

export type ChangesView = {
  readonly visitor: Visitor
  /** Null for a visitor whose key may not read the audit log. */
  readonly page: ChangePage | null
  readonly isFirst: boolean
  /** The keys whose names the page shows. */
  readonly keys: readonly KeyRecord[]
}

/** The page of the account's audit log. */
export function changesPage(site: Site, view: ChangesView): string {
  const { visitor, page } = view
  return layout(site, {
    path: CHANGES_PATH,
    title: 'Changes',
    description: 'Who changed keys, limits and sign-in methods, when and from where.',
    unlisted: true,
    accountQuery: accountUrl('', visitor),
    viewer: visitor,
    main: html`<p><a href="${accountUrl('/keys', visitor)}">← Keys</a></p>
${accountHeading('Changes', CHANGES_PATH, visitor)}
<p class="lead">Who changed keys, limits and sign-in methods of this account, when and from where. Entries are stored for two years.</p>
${page === null ? html`<p class="notice">Only the account holder and the primary keys can see the changes. <a href="/sign-in?next=${CHANGES_PATH}">Sign in with email</a>.</p>` : list(view, page)}`,
  })
}

function list({ visitor, isFirst, keys }: ChangesView, { changes, nextCursor }: ChangePage): Html {
  const names = new Map(keys.map((key) => [key.id, keyName(key)]))
  if (changes.length === 0) return html`<p>No changes yet.</p>`
  return html`<p class="calls-to-action"><a class="button quiet" href="/api/v1/changes?format=csv">Export as CSV</a> <a class="button quiet" href="/api/v1/changes?format=ndjson">Export as NDJSON</a></p>
${table(
  'Changes',
  ['Time', 'Who', 'From', 'What'],
  changes.map((change) => rowOf(change, names)),
)}
<nav class="calls-to-action" aria-label="Pages of the changes">
${!isFirst && html`<a class="button quiet" href="${accountUrl(CHANGES_PATH, visitor)}">Newest</a>`}
${nextCursor !== null && html`<a class="button quiet" href="${accountUrl(CHANGES_PATH, visitor, { cursor: nextCursor })}">Older</a>`}</nav>`
}

function rowOf(change: ChangeRecord, names: ReadonlyMap<string, string>): Cell[] {
  const named = (text: string): string => text.replaceAll(KEY_ID, (id) => names.get(id) ?? id)
  return [
    time(change.changed_at),
    html`<bdi class="given">${named(change.author)}</bdi>`,
    change.origin ?? '–',
    html`<bdi class="given">${named(describeChange(change))}</bdi>${change.request_id !== null && html`<br><span class="muted">${change.request_id}</span>`}`,
  ]
}

const KEY_ID = /agk_[0-9a-f]{32}/g

/** The ids of the keys in the entries, for their names. */
export function keyIdsIn(changes: readonly ChangeRecord[]): string[] {
  return changes.flatMap(
    (change) => `${change.author} ${describeChange(change)}`.match(KEY_ID) ?? [],
  )
}
