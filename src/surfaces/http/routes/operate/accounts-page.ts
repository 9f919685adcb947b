import { TIERS } from '../../../../accounts/account.ts'
import type {
  AccountLine,
  AccountState,
  FoundAccounts,
} from '../../../../operate/accounts/search-accounts.ts'
import { badge } from '../../html/components/badge.ts'
import { linkButton, submitButton } from '../../html/components/button.ts'
import { card } from '../../html/components/card.ts'
import { field, selectField } from '../../html/components/field.ts'
import { emptyState } from '../../html/components/note.ts'
import { pageHeader } from '../../html/components/page-header.ts'
import { table } from '../../html/components/table.ts'
import { time } from '../../html/components/text.ts'
import { html, type Html } from '../../html/html.ts'
import type { Site } from '../../html/layout/layout.ts'
import {
  consolePage,
  fieldErrorOf,
  foldedForm,
  money,
  OPERATOR_PATH,
  reasonField,
  rejectionNote,
  signInAgain,
  timeOf,
  typedIn,
} from './console-page.ts'
import type { PageRequest, Rejection } from './console.ts'

export const ACCOUNTS_PATH = `${OPERATOR_PATH}/accounts`

/** The list of accounts with its search. */
export function accountsPage(
  site: Site,
  request: PageRequest,
  { accounts, nextCursor }: FoundAccounts,
  rejection?: Rejection,
): string {
  const [search, cursor] = [request.query('q'), request.query('cursor')]
  return consolePage(site, request, {
    path: ACCOUNTS_PATH,
    title: 'Accounts',
    main: html`${pageHeader({ title: 'Accounts', lead: 'Balances, credit, sign-in links and pauses. Every change is in the audit trail.' })}
<form class="row search-row" action="${ACCOUNTS_PATH}" method="get" role="search">${field({ label: 'Search accounts', name: 'q', type: 'search', value: search, placeholder: 'Part of the email address, acc_… or agk_…', maxLength: 200 })}${submitButton('Search', { kind: 'quiet', icon: 'search' })}</form>
${accounts.length === 0 ? emptyState('people', search === '' ? 'No accounts yet.' : html`No account matches <bdi class="given">${search}</bdi>.`, linkButton(ACCOUNTS_PATH, 'Show all accounts', { kind: 'quiet' })) : list(accounts)}
<nav class="calls-to-action" aria-label="Pages of accounts">
${cursor !== '' && linkButton(pageUrl(search, ''), 'Newest', { kind: 'quiet' })}
${nextCursor !== null && linkButton(pageUrl(search, nextCursor), 'Older', { kind: 'quiet' })}</nav>
${card({ title: 'New account', content: newAccount(request, rejection) })}`,
  })
}

function pageUrl(q: string, cursor: string): string {
  const query = new URLSearchParams(
    Object.entries({ q, cursor }).filter(([, value]) => value !== ''),
  ).toString()
  return query === '' ? ACCOUNTS_PATH : `${ACCOUNTS_PATH}?${query}`
}

function list(accounts: readonly AccountLine[]): Html {
  return table(
    'Accounts',
    ['Account', 'State', { figures: 'Balance' }, { figures: 'Held' }, 'Last call', 'Created'],
    accounts.map((line) => [
      html`<a href="${ACCOUNTS_PATH}/${line.id}"><bdi class="given">${line.email}</bdi></a>${line.isOperator && html` <span class="muted">operator</span>`}`,
      stateBadge(line.state),
      money(line.balance),
      money(line.held),
      timeOf(line.lastUsedMs),
      time(line.created_at),
    ]),
  )
}

const STATES = {
  active: badge('live', 'Active'),
  paused: badge('pending', 'Paused'),
  closed: badge('free', 'Closed'),
} as const satisfies Record<AccountState, Html>

export function stateBadge(state: AccountState): Html {
  return STATES[state]
}

const CREATE = 'create'

function newAccount({ operator }: PageRequest, rejection: Rejection | undefined): Html {
  const again = signInAgain(operator, ACCOUNTS_PATH)
  if (again !== false) return again
  return foldedForm({
    summary: 'Create an account for a person or a team',
    form: CREATE,
    action: `${ACCOUNTS_PATH}/${CREATE}`,
    rejection,
    submit: 'Create account',
    content: html`${rejectionNote(rejection, CREATE, ['email', 'reason'])}
${field({ label: 'Email', name: 'email', type: 'email', required: true, value: typedIn(rejection, CREATE, 'email'), error: fieldErrorOf(rejection, CREATE, 'email'), hint: 'The account gets its welcome credit. Send its owner a sign-in link from the next page.' })}
${selectField({ label: 'Tier', name: 'tier', options: TIERS.map((tier) => [tier, tier]), chosen: typedIn(rejection, CREATE, 'tier') })}
${reasonField(rejection, CREATE)}`,
  })
}
