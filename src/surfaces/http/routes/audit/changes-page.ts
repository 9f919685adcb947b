import { describeChange, type ChangeRecord } from '../../../../audit/change-record.ts'
import type { ChangePage } from '../../../../audit/list-changes.ts'
import type { Visitor } from '../../../../auth/records/browser-session.ts'
import { html, type Html } from '../../html/html.ts'
import { layout, type Site } from '../../html/layout/layout.ts'
import { linkButton } from '../../html/components/button.ts'
import { emptyState, note } from '../../html/components/note.ts'
import { pageHeader } from '../../html/components/page-header.ts'
import { table, type Cell } from '../../html/components/table.ts'
import { time } from '../../html/components/text.ts'
import type { KeyRecord } from '../../../../keys/key-record.ts'
import { keyName } from '../account/account-components.ts'
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
    main: html`${pageHeader({
      title: 'Changes',
      lead: 'Who changed keys, limits and sign-in methods of this account, when and from where. Entries are stored for two years.',
      ...(page === null || page.changes.length === 0 ? {} : { actions: exportButtons() }),
    })}
${page === null ? note('info', html`Only members of the account and its live primary key can see the changes. <a href="/sign-in?next=${CHANGES_PATH}">Sign in with email</a>.`) : list(view, page)}`,
  })
}

function list({ visitor, isFirst, keys }: ChangesView, { changes, nextCursor }: ChangePage): Html {
  const names = new Map(keys.map((key) => [key.id, keyName(key)]))
  if (changes.length === 0) return emptyState('history', 'No changes yet.')
  return html`${table(
    'Changes',
    ['Time', 'Who', 'From', 'What'],
    changes.map((change) => rowOf(change, names)),
  )}
${(!isFirst || nextCursor !== null) && html`<nav class="row" aria-label="Pages of the changes">${!isFirst && linkButton(accountUrl(CHANGES_PATH, visitor), 'Newest', { kind: 'quiet' })}${nextCursor !== null && linkButton(accountUrl(CHANGES_PATH, visitor, { cursor: nextCursor }), 'Older', { kind: 'quiet' })}</nav>`}`
}

function exportButtons(): Html {
  return html`${linkButton('/api/v1/changes?format=csv', 'Export as CSV', { kind: 'quiet', icon: 'download' })}${linkButton('/api/v1/changes?format=ndjson', 'Export as NDJSON', { kind: 'quiet', icon: 'download' })}`
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
