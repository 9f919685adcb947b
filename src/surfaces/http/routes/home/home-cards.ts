import type { Balance } from '../../../../accounts/balance.ts'
import type { TopupSettings } from '../../../../accounts/cards/topup-settings.ts'
import type { Visitor } from '../../../../auth/records/browser-session.ts'
import { CALL_OUTCOMES, type CallCounts } from '../../../../history/calls/count-calls.ts'
import { sum, type DailyStack } from '../../../../history/read-daily-stack.ts'
import { html, type Html } from '../../html/html.ts'
import { badge } from '../../html/components/badge.ts'
import { stats } from '../../html/components/card.ts'
import { countOf, countText, moneyText } from '../account/account-components.ts'
import { accountUrl } from '../account/account-url.ts'
import { sparkline } from './spend-chart.ts'

const MICROS_PER_CENT = 10_000

export type HomeFigures = {
  readonly visitor: Visitor
  readonly balance: Balance
  /** The last 31 days, the last of which is today. */
  readonly month: DailyStack
  /** All calls of today, also those without a charge. */
  readonly today: CallCounts
  /** Null for visitors who may not change it, and when the gateway sells no credit. */
  readonly topup: TopupSettings | null
}

/** The three figures of the home page: balance, this month, and calls today. */
export function homeCards(view: HomeFigures): Html {
  const { balance, month, today } = view
  const daily = month.dates.map((_, day) =>
    sum(month.groups.map(({ charged }) => charged[day] ?? 0)),
  )
  return stats([
    {
      label: 'Available balance',
      aside: topupBadge(view),
      value: moneyText(balance.available_micros),
      note: balanceNote(view),
    },
    {
      label: 'This month',
      value: html`${moneyText(balance.spent_month_micros)}${sparkline(daily)}`,
      note: `${countOf(paidCallsOf(month), 'paid call')} since the 1st (UTC)`,
    },
    {
      label: 'Calls today',
      value: html`${countText(sum(CALL_OUTCOMES.map((name) => sum(today.counts[name]))))}${!today.complete && '+'}`,
      note: html`${unchargedText(today)}. Spent today: ${moneyText(balance.spent_today_micros)}`,
    },
  ])
}

function unchargedText({ counts }: CallCounts): string {
  const [failed, rejected] = [sum(counts.failed), sum(counts.rejected)]
  if (failed + rejected === 0) return 'None failed'
  const parts = [
    ...(failed === 0 ? [] : [`${countText(failed)} failed`]),
    ...(rejected === 0 ? [] : [`${countText(rejected)} rejected`]),
  ]
  return `${parts.join(', ')}, not charged`
}

/** Failed calls are not paid. */
function paidCallsOf(month: DailyStack): number {
  return sum(
    month.calls.map((calls, day) =>
      isThisMonth(month, day) ? calls - (month.released[day] ?? 0) : 0,
    ),
  )
}

/** The last 31 days hold every day of this month. */
function isThisMonth({ dates }: DailyStack, day: number): boolean {
  return dates[day]?.slice(0, 7) === dates.at(-1)?.slice(0, 7)
}

function topupBadge({ topup }: HomeFigures): Html {
  if (topup === null) return html``
  if (topup.isPaying) return badge('pending', 'Top-up in progress')
  return topup.isOn && topup.card !== null
    ? badge('live', 'Auto top-up on')
    : badge('free', 'Auto top-up off')
}

function balanceNote({ balance, topup, visitor }: HomeFigures): Html {
  const { held_micros: held } = balance
  const pending =
    held === 0
      ? 'Nothing pending'
      : `${moneyText(held)} of ${moneyText(balance.balance_micros)} pending`
  if (topup === null) return html`${pending}`
  const settings = html`<a href="${accountUrl('/credit', visitor)}#top-up">${topup.isOn ? `below ${moneyText(topup.threshold * MICROS_PER_CENT)} we add ${moneyText(topup.amount * MICROS_PER_CENT)}` : 'Set up automatic top-up'}</a>`
  return html`${pending} · ${settings}`
}
