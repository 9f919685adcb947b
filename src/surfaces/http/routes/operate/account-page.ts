import type { KeyRecord } from '../../../../keys/key-record.ts'
import { dollars } from '../../../../lib/money.ts'
import { TOTAL_DAYS, type AccountDetails } from '../../../../operate/accounts/read-account.ts'
import { badge } from '../../html/components/badge.ts'
import { card, stats } from '../../html/components/card.ts'
import { pageHeader } from '../../html/components/page-header.ts'
import { table } from '../../html/components/table.ts'
import { code, time } from '../../html/components/text.ts'
import { html, type Html } from '../../html/html.ts'
import type { Site } from '../../html/layout/layout.ts'
import { countText, moneyText } from '../account/account-components.ts'
import { actionCell, amountCell, durationText, STATUS_LABELS } from '../account/call-labels.ts'
import { accountActions } from './account-actions.ts'
import { ACCOUNTS_PATH, stateBadge } from './accounts-page.ts'
import { changeList } from './change-list.ts'
import { AUDIT_PATH } from './audit-page.ts'
import type { AccountView } from './account-view.ts'
import { consolePage, money, percent } from './console-page.ts'
import type { PageRequest } from './console.ts'

const NO_LINKS: ReadonlySet<string> = new Set()

export function accountPage(site: Site, request: PageRequest, view: AccountView): string {
  const { line, balance, totals, dailyCap } = view.details
  const crumbs = [{ label: 'Accounts', href: ACCOUNTS_PATH }, { label: line.email }]
  return consolePage(site, request, {
    path: `${ACCOUNTS_PATH}/${line.id}`,
    title: line.email,
    crumbs,
    main: html`${pageHeader({
      title: html`<bdi class="given">${line.email}</bdi>`,
      crumbs,
      meta: html`${stateBadge(line.state)} ${line.isOperator && badge('info', 'Operator')} <span>${line.tier}${line.owner && ', owner'}, since ${time(line.created_at)}</span> ${code(line.id)}`,
    })}
${stats([
  {
    label: 'Balance',
    value: moneyText(balance.balance_micros),
    note: balance.held_micros === 0 ? 'nothing held' : `${moneyText(balance.held_micros)} held`,
  },
  {
    label: `Revenue, ${TOTAL_DAYS} days`,
    value: money(totals.revenue),
    note: `${moneyText(balance.spent_today_micros)} today`,
  },
  {
    label: 'Failed calls',
    value: percent(totals.failed, totals.calls),
    note: `${countText(totals.failed)} of ${countText(totals.calls)}, not charged`,
  },
  {
    label: 'Daily cap, language models',
    value: money(dailyCap),
    note: 'resets daily',
  },
])}
<div class="split">
<div class="stack">${accountActions(request, view)}${lots(view.details)}${keys(view.details)}${calls(view.details)}${payments(view.details)}</div>
<div>${card({
      title: 'Audit trail',
      content: changeList(view.details.changes.changes, view.names),
      foot: html`<a href="${AUDIT_PATH}?account=${line.id}">All changes of this account</a>`,
    })}</div>
</div>`,
  })
}

function lots({ balance }: AccountDetails): Html {
  return card({
    title: 'Credit',
    aside: html`<span class="muted">Used in this order</span>`,
    content:
      balance.lots.length === 0
        ? html`<p class="muted">No credit left.</p>`
        : table(
            'Credit',
            ['Source', { figures: 'Remaining' }, { figures: 'Amount' }, 'Expires', 'Added'],
            balance.lots.map((lot) => [
              lot.source,
              moneyText(lot.remaining_micros),
              moneyText(lot.amount_micros),
              lot.expires_at === null ? 'never' : time(lot.expires_at),
              time(lot.created_at),
            ]),
          ),
  })
}

const KEY_STATES = {
  active: badge('live', 'Active'),
  paused: badge('pending', 'Paused'),
  expired: badge('free', 'Expired'),
  revoked: badge('free', 'Revoked'),
} as const satisfies Record<KeyRecord['status'], Html>

function keys({ keys: shown, hasMoreKeys }: AccountDetails): Html {
  return card({
    title: 'Keys',
    ...(hasMoreKeys ? { aside: html`<span class="muted">The newest ${shown.length}</span>` } : {}),
    content: table(
      'Keys',
      ['Key', 'Mode', 'State', { figures: 'Spent' }, 'Limit', 'Last used'],
      shown.map((key) => [
        html`<bdi class="given">${key.label ?? key.key_prefix}</bdi><br><span class="muted">${code(`${key.key_prefix}…`)}</span>`,
        key.mode === 'test' ? badge('test', 'Test') : 'Live',
        KEY_STATES[key.status],
        moneyText(key.spent_micros),
        key.ceiling_cents === null
          ? 'none'
          : `${money(dollars(String(key.ceiling_cents / 100)))} a ${key.ceiling_period}`,
        key.last_used_at === null ? '–' : time(key.last_used_at),
      ]),
    ),
  })
}

const STATUS_BADGES = {
  held: badge('pending', STATUS_LABELS.held),
  settled: badge('charged', STATUS_LABELS.settled),
  released: badge('free', STATUS_LABELS.released),
} as const

function calls({ calls: shown }: AccountDetails): Html {
  return card({
    title: 'Latest transactions',
    content:
      shown.length === 0
        ? html`<p class="muted">No transactions yet.</p>`
        : table(
            'Latest transactions',
            ['Time', 'Action', 'Status', { figures: 'Duration' }, { figures: 'Amount' }],
            shown.map((call) => [
              time(call.created_at),
              actionCell(call, NO_LINKS),
              html`${STATUS_BADGES[call.status]}${call.error_code !== null && html`<br>${code(call.error_code)}`}`,
              durationText(call.latency_ms),
              amountCell(call),
            ]),
          ),
  })
}

function payments({ payments: shown }: AccountDetails): Html | false {
  return (
    shown.length > 0 &&
    card({
      title: 'Card payments',
      content: table(
        'Card payments',
        ['Time', { figures: 'Amount' }, { figures: 'Refunded or disputed' }],
        shown.map(({ creditedAt, amount, reversed }) => [
          time(creditedAt.toISOString()),
          money(amount),
          reversed === 0n ? '–' : money(reversed),
        ]),
      ),
    })
  )
}
