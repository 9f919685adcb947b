import type { Visitor } from '../../../../auth/records/browser-session.ts'
import { may } from '../../guards/requires.ts'
import { html, type Html } from '../../html/html.ts'
import { layout, type Site } from '../../html/layout/layout.ts'
import { linkButton } from '../../html/components/button.ts'
import { emptyState } from '../../html/components/note.ts'
import { pageHeader } from '../../html/components/page-header.ts'
import { callTable, type ShownCalls } from '../calls/call-table.ts'
import { accountUrl, CALLS_PATH, HOME_PATH, TRANSACTIONS_PATH } from '../account/account-url.ts'
import { homeCards, type HomeFigures } from './home-cards.ts'
import { spendChart, type SpendChartView } from './spend-chart.ts'

export type BalanceView = HomeFigures & {
  readonly chart: Omit<SpendChartView, 'visitor'>
  /** The first steps of a new account; null when they are done. */
  readonly firstSteps: Html | null
  /** The latest calls, or those of the days that the visitor chose in the chart. */
  readonly shown: ShownCalls
  /** Confirms the action that led here. */
  readonly confirmation?: string
}

export function balancePage(site: Site, view: BalanceView): string {
  const { visitor } = view
  return layout(site, {
    path: HOME_PATH,
    title: 'Home',
    description: 'Balance, spending and latest calls of the account.',
    unlisted: true,
    accountQuery: accountUrl('', visitor),
    viewer: visitor,
    ...(view.confirmation === undefined ? {} : { confirmation: view.confirmation }),
    islands: ['spend-chart', 'refresh'],
    main: html`${pageHeader({
      title: 'Home',
      ...(visitor.email === null ? { lead: signedInWithKey() } : {}),
      ...(visitor.caller.scope === 'own' || !mayBuy(visitor)
        ? {}
        : {
            actions: linkButton(accountUrl('/credit', visitor), 'Add credit', { icon: 'plus' }),
          }),
    })}
${visitor.caller.scope === 'own' && html`<p class="muted">This key sees only its own calls and its limit.</p>`}
${view.firstSteps}
${homeCards(view)}
${spendChart({ visitor, ...view.chart })}
${latestCalls(view)}`,
  })
}

/** A key that sees the whole account can buy credit, too. */
function mayBuy(visitor: Visitor): boolean {
  return visitor.role === null || may(visitor, 'credit.buy')
}

function signedInWithKey(): Html {
  return html`Signed in with a key. Members of the account can <a href="/sign-in?next=${HOME_PATH}">sign in with email</a>.`
}

function latestCalls({ visitor, shown, chart }: BalanceView): Html {
  const heading = chart.range.days === null ? 'Calls of these days' : 'Latest calls'
  return html`<div class="row between"><h2 id="history">${heading}</h2><span class="row"><a href="${accountUrl(TRANSACTIONS_PATH, visitor)}">Transactions</a>${linkButton(accountUrl(CALLS_PATH, visitor), 'See all calls', { kind: 'quiet', size: 'small' })}</span></div>
${shown.calls.length === 0 ? emptyState('calls', chart.range.days === null ? 'No calls in these days.' : 'No calls yet. They appear here, also when they are rejected.') : callTable({ visitor, shown })}
<p><a href="${accountUrl(`${CALLS_PATH}/find`, visitor)}">Find a call by its Idempotency-Key</a></p>`
}
