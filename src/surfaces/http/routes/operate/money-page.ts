import { DAY_MS, toRfc3339 } from '../../../../lib/clock.ts'
import { publicId } from '../../../../lib/ids.ts'
import type { KnownCost } from '../../../../operate/money/read-costs.ts'
import type { CardPaymentRow, Pending } from '../../../../operate/money/read-pending.ts'
import type {
  AccountRevenue,
  CreditLine,
  ServiceDay,
} from '../../../../operate/totals/read-totals.ts'
import { linkButton } from '../../html/components/button.ts'
import { card, stats } from '../../html/components/card.ts'
import { field, selectField } from '../../html/components/field.ts'
import { pageHeader } from '../../html/components/page-header.ts'
import { segments } from '../../html/components/tabs.ts'
import { table } from '../../html/components/table.ts'
import { calendarDay, code, time } from '../../html/components/text.ts'
import { html, type Html } from '../../html/html.ts'
import type { Site } from '../../html/layout/layout.ts'
import { countOf, countText } from '../account/account-components.ts'
import { ACCOUNTS_PATH } from './accounts-page.ts'
import {
  consolePage,
  fieldErrorOf,
  foldedForm,
  money,
  OPERATOR_PATH,
  percent,
  reasonField,
  rejectionNote,
  typedIn,
} from './console-page.ts'
import type { PageRequest, Rejection } from './console.ts'
import { dayChart } from './day-chart.ts'
import { sumUp } from './margins.ts'
import { accountTable, costStat, marginStat } from './overview-page.ts'

export const MONEY_PATH = `${OPERATOR_PATH}/money`
export const MONEY_RANGES = [7, 30, 90] as const

export type MoneyView = {
  readonly range: number
  readonly today: number
  readonly days: readonly ServiceDay[]
  readonly costs: readonly KnownCost[]
  readonly top: readonly AccountRevenue[]
  readonly credit: readonly CreditLine[]
  readonly pending: Pending
  readonly cards: readonly CardPaymentRow[]
}

/** Revenue, known cost and margin; pending payments; payments and refunds. */
export function moneyPage(
  site: Site,
  request: PageRequest,
  view: MoneyView,
  rejection?: Rejection,
): string {
  const sums = sumUp(view.days, view.costs)
  return consolePage(site, request, {
    path: MONEY_PATH,
    title: 'Money',
    main: html`${pageHeader({
      title: 'Money',
      lead: 'Live calls by the day on which they began (UTC). The totals follow the books within a minute.',
      actions: html`${segments(
        'Period',
        MONEY_RANGES.map((days) => ({ href: hrefOf(days), label: `${days} days` })),
        hrefOf(view.range),
      )}${linkButton(`${MONEY_PATH}/csv?days=${view.range}`, 'CSV', { kind: 'quiet', icon: 'download' })}`,
    })}
${stats([
  {
    label: 'Revenue',
    value: money(sums.revenue),
    note: countOf(sums.calls - sums.failed, 'charged call'),
  },
  costStat(sums),
  marginStat(sums),
])}
${pending(view.pending, rejection)}
${card({ title: 'Revenue by day', content: dayChart({ days: view.days, last: view.today, count: view.range }) })}
${byService(view)}
${card({ title: 'By account', content: view.top.length === 0 ? html`<p class="muted">No revenue in this period.</p>` : accountTable(view.top) })}
${byDay(view)}
${creditCard(view)}
${cardPayments(view.cards)}`,
  })
}

function hrefOf(days: number): string {
  return days === 30 ? MONEY_PATH : `${MONEY_PATH}?days=${days}`
}

function byService({ days, costs }: MoneyView): Html {
  const services = [...Map.groupBy(days, ({ service }) => service)]
    .map(([service, own]) => ({
      service,
      ...sumUp(
        own,
        costs.filter((cost) => cost.service === service),
      ),
    }))
    .toSorted((one, other) => Number(other.revenue - one.revenue))
  return card({
    title: 'By service',
    content:
      services.length === 0
        ? html`<p class="muted">No calls in this period.</p>`
        : table(
            'By service',
            [
              'Service',
              { figures: 'Revenue' },
              { figures: 'Vendor cost' },
              { figures: 'Margin' },
              { figures: 'Calls' },
              { figures: 'Failed' },
            ],
            services.map(({ service, revenue, cost, margin, calls, failed }) => [
              html`<b>${service}</b>`,
              money(revenue),
              margin === null ? 'unknown' : money(cost),
              margin === null ? 'unknown' : money(margin),
              countText(calls),
              percent(failed, calls),
            ]),
          ),
  })
}

function byDay({ days, costs }: MoneyView): Html {
  const rows = [...Map.groupBy(days, ({ day }) => day)].toReversed()
  return card({
    title: 'By day',
    content:
      rows.length === 0
        ? html`<p class="muted">No calls in this period.</p>`
        : table(
            'By day',
            [
              'Day (UTC)',
              { figures: 'Revenue' },
              { figures: 'Known vendor cost' },
              { figures: 'Calls' },
              { figures: 'Failed' },
            ],
            rows.map(([day, own]) => {
              const { revenue, cost, margin, calls, failed } = sumUp(
                own,
                costs.filter((one) => one.day === day),
              )
              const date = toRfc3339(day * DAY_MS).slice(0, 10)
              return [
                calendarDay(date),
                money(revenue),
                margin === null ? 'unknown' : money(cost),
                countText(calls),
                percent(failed, calls),
              ]
            }),
          ),
  })
}

const CREDIT_NAMES: Readonly<Record<string, string>> = {
  topup: 'Paid in',
  grant: 'Granted',
  refund: 'Refunded to callers',
  adjustment: 'Taken back',
}

function creditCard({ credit }: MoneyView): Html {
  return card({
    title: 'Credit',
    content:
      credit.length === 0
        ? html`<p class="muted">No credit moved in this period.</p>`
        : table(
            'Credit',
            ['Kind', { figures: 'Count' }, { figures: 'Amount' }],
            credit.map(({ kind, count, amount }) => [
              CREDIT_NAMES[kind] ?? kind,
              countText(count),
              money(amount),
            ]),
          ),
  })
}

export const RESOLVE = 'resolve'

function pending({ payments, sales }: Pending, rejection: Rejection | undefined): Html {
  const rows = payments.map((payment) => [
    time(payment.created_at),
    html`${code(`${payment.service}/${payment.action}`)}<br><span class="muted">${payment.merchant}</span>`,
    html`${payment.reason ?? payment.reference ?? '–'}<br><span class="muted">${code(payment.id)}</span>`,
    money(BigInt(payment.amount_micros)),
    resolveForm(payment.id, rejection),
  ])
  return card({
    id: 'pending',
    title: 'Payments of unknown outcome',
    content: html`${rejectionNote(rejection, RESOLVE, ['note', 'as', 'reason'])}${
      payments.length === 0
        ? html`<p class="muted">No payment to a merchant waits for a decision.</p>`
        : table(
            'Payments to merchants',
            ['Time', 'For', 'Reason', { figures: 'Amount' }, 'Decision'],
            rows,
          )
    }${
      sales.length > 0 &&
      table(
        'Payments from buyers',
        ['Time', 'Call', 'Method', 'Reason', { figures: 'Amount' }],
        sales.map((sale) => [
          time(sale.created_at),
          code(sale.route),
          sale.method,
          sale.reason,
          money(BigInt(sale.amount_micros)),
        ]),
      )
    }`,
  })
}

function resolveForm(id: string, all: Rejection | undefined): Html {
  const rejection = all?.typed('id') === id ? all : undefined
  return foldedForm({
    summary: 'Resolve',
    form: `${RESOLVE}-${id}`,
    action: `${MONEY_PATH}/${RESOLVE}`,
    rejection: rejection === undefined ? undefined : { ...rejection, form: `${RESOLVE}-${id}` },
    submit: 'Record the outcome',
    content: html`<input type="hidden" name="id" value="${id}">
${selectField({
  label: 'Outcome',
  name: 'as',
  id: `${id}-as`,
  required: true,
  options: [
    ['', 'Choose after you looked it up'],
    ['paid', 'Paid: the transfer happened'],
    ['unpaid', 'Not paid: the caller is refunded'],
  ],
  chosen: typedIn(rejection, RESOLVE, 'as'),
  error: fieldErrorOf(rejection, RESOLVE, 'as'),
})}
${field({ label: 'Evidence', name: 'note', id: `${id}-note`, required: true, maxLength: 500, value: typedIn(rejection, RESOLVE, 'note'), error: fieldErrorOf(rejection, RESOLVE, 'note'), hint: 'Such as the hash of the transfer.' })}
${reasonField(rejection, RESOLVE, 'For the audit trail.')}`,
  })
}

function cardPayments(rows: readonly CardPaymentRow[]): Html {
  return card({
    title: 'Card payments and refunds',
    content:
      rows.length === 0
        ? html`<p class="muted">No card payments yet.</p>`
        : table(
            'Card payments and refunds',
            [
              'Time',
              'Account',
              { figures: 'Amount' },
              { figures: 'Refunded or disputed' },
              { figures: 'Still owed' },
            ],
            rows.map((row) => [
              time(row.credited_at.toISOString()),
              html`<a href="${ACCOUNTS_PATH}/${publicId('account', row.account_id)}"><bdi class="given">${row.email}</bdi></a>`,
              money(row.amount_micros),
              row.reversed_micros === 0n ? '–' : money(row.reversed_micros),
              row.reversed_micros > row.taken_back_micros
                ? money(row.reversed_micros - row.taken_back_micros)
                : '–',
            ]),
          ),
  })
}
