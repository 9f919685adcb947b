import { describeChange, type ChangeRecord } from '../../../../audit/change-record.ts'
import type { ChangePage } from '../../../../audit/list-changes.ts'
import type { Visitor } from '../../../../auth/records/browser-session.ts'
import { html, type Html } from '../../html/html.ts'
import { layout, type Site } from '../../html/layout.ts'
import { code, table, time, type Cell } from '../../html/components.ts'
import { accountHeading } from '../account/account-components.ts'
import { accountUrl } from '../account/account-url.ts'

export const CHANGES_PATH = '/changes'

export type ChangesView = {
  readonly visitor: Visitor
  /** Null for a visitor whose key may not read the audit log. */
  readonly page: ChangePage | null
  readonly isFirst: boolean
}

/** Who changed the keys, limits and sign-in methods of the account. */
export function changesPage(site: Site, view: ChangesView): string {
  const { visitor, page } = view
  return layout(site, {
    path: CHANGES_PATH,
    title: 'Changes',
    description: 'Who changed keys, limits and sign-in methods, when and from where.',
    unlisted: true,
    accountQuery: accountUrl('', visitor),
    main: html`<p><a href="${accountUrl('/keys', visitor)}">← Keys</a></p>
${accountHeading('Changes', CHANGES_PATH, visitor)}
<p class="lead">Who changed keys, limits and sign-in methods of this account, when and from where. Entries are kept for two years.</p>
${page === null ? html`<p class="notice">Only the account holder and the primary keys can see the changes. <a href="/sign-in?next=${CHANGES_PATH}">Sign in with email</a>.</p>` : list(view, page)}`,
  })
}

function list({ visitor, isFirst }: ChangesView, { changes, nextCursor }: ChangePage): Html {
  if (changes.length === 0) return html`<p>No changes yet.</p>`
  return html`<p class="calls-to-action"><a class="button quiet" href="/api/v1/changes?format=csv">Export as CSV</a> <a class="button quiet" href="/api/v1/changes?format=ndjson">Export as NDJSON</a></p>
${table('Changes', ['Time (UTC)', 'Who', 'From', 'What', 'Request'], changes.map(rowOf))}
<nav class="calls-to-action" aria-label="Pages of the changes">
${!isFirst && html`<a class="button quiet" href="${accountUrl(CHANGES_PATH, visitor)}">Newest</a>`}
${nextCursor !== null && html`<a class="button quiet" href="${accountUrl(CHANGES_PATH, visitor, { cursor: nextCursor })}">Older</a>`}</nav>`
}

function rowOf(change: ChangeRecord): Cell[] {
  return [
    time(change.changed_at),
    html`<bdi class="given">${change.author}</bdi>`,
    change.origin ?? '–',
    html`<bdi class="given">${describeChange(change)}</bdi>`,
    change.request_id === null ? '–' : code(change.request_id),
  ]
}
