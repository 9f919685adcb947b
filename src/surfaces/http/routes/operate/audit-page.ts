import {
  describeChange,
  CHANGE_SUBJECTS,
  type ChangeRecord,
} from '../../../../audit/change-record.ts'
import type { ChangePage } from '../../../../audit/list-changes.ts'
import { linkButton, submitButton } from '../../html/components/button.ts'
import { field, selectField } from '../../html/components/field.ts'
import { emptyState, note } from '../../html/components/note.ts'
import { pageHeader } from '../../html/components/page-header.ts'
import { table, type Cell } from '../../html/components/table.ts'
import { time } from '../../html/components/text.ts'
import { html } from '../../html/html.ts'
import type { Site } from '../../html/layout/layout.ts'
import { ACCOUNTS_PATH } from './accounts-page.ts'
import { authorName } from './change-list.ts'
import { consolePage, OPERATOR_PATH } from './console-page.ts'
import type { PageRequest } from './console.ts'

export const AUDIT_PATH = `${OPERATOR_PATH}/audit`

export type AuditView = {
  readonly page: ChangePage
  readonly names: ReadonlyMap<string, string>
  /** A rejected filter. */
  readonly problem: string | null
}

const FILTERS = ['account', 'by', 'subject', 'from', 'to'] as const

/** The audit log of all accounts, with filters. */
export function auditPage(site: Site, request: PageRequest, view: AuditView): string {
  const { changes, nextCursor } = view.page
  const value = (name: string): string => request.query(name)
  const csv = `${AUDIT_PATH}/csv${queryOf(request, '')}`
  return consolePage(site, request, {
    path: AUDIT_PATH,
    title: 'Audit trail',
    main: html`${pageHeader({ title: 'Audit trail', lead: 'Who changed accounts, keys, limits, credit, prices and settings of vendors. Stored for two years.', actions: linkButton(csv, 'CSV', { kind: 'quiet', icon: 'download' }) })}
${view.problem !== null && note('bad', view.problem)}
<form action="${AUDIT_PATH}" method="get" class="filters">
${field({ label: 'Account', name: 'account', value: value('account'), placeholder: 'acc_… or email' })}
${selectField({
  label: 'Author',
  name: 'by',
  options: [
    ['', 'anyone'],
    ['operators', 'operators'],
  ],
  chosen: value('by'),
})}
${selectField({ label: 'Subject', name: 'subject', options: [['', 'everything'], ...CHANGE_SUBJECTS.map((one) => [one, one.replaceAll('_', ' ')] as const)], chosen: value('subject') })}
${field({ label: 'From', name: 'from', type: 'date', value: value('from') })}
${field({ label: 'To (excluded)', name: 'to', type: 'date', value: value('to') })}
${submitButton('Filter', { kind: 'quiet' })}</form>
${
  changes.length === 0
    ? emptyState(
        'history',
        nextCursor === null
          ? 'No matching changes.'
          : 'No matching changes in this part of the log. There may be older ones.',
      )
    : table(
        'Changes',
        ['Time', 'Who', 'Account', 'What', 'Reason'],
        changes.map((change) => rowOf(change, view.names)),
      )
}
<nav class="calls-to-action" aria-label="Pages of the audit trail">
${value('cursor') !== '' && linkButton(`${AUDIT_PATH}${queryOf(request, '')}`, 'Newest', { kind: 'quiet' })}
${nextCursor !== null && linkButton(`${AUDIT_PATH}${queryOf(request, nextCursor)}`, 'Older', { kind: 'quiet' })}</nav>`,
  })
}

function queryOf(request: PageRequest, cursor: string): string {
  const fields = {
    ...Object.fromEntries(FILTERS.map((name) => [name, request.query(name)])),
    cursor,
  }
  const query = new URLSearchParams(
    Object.entries(fields).filter(([, text]) => text !== ''),
  ).toString()
  return query === '' ? '' : `?${query}`
}

function rowOf(change: ChangeRecord, names: ReadonlyMap<string, string>): Cell[] {
  const { account_id: account } = change
  return [
    time(change.changed_at),
    html`<bdi class="given">${authorName(change.author, names)}</bdi>${change.origin !== null && html`<br><span class="muted">${change.origin}</span>`}`,
    account === null
      ? '–'
      : html`<a href="${ACCOUNTS_PATH}/${account}"><bdi class="given">${names.get(account) ?? account}</bdi></a>`,
    html`<bdi class="given">${describeChange(change)}</bdi>${change.request_id !== null && html`<br><span class="muted">${change.request_id}</span>`}`,
    change.reason === null ? '–' : html`<bdi class="given">${change.reason}</bdi>`,
  ]
}
