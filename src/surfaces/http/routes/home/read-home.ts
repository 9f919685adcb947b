import { readBalance } from '../../../../accounts/balance.ts'
import { readTopupSettings } from '../../../../accounts/cards/topup-settings.ts'
import { readFirstSteps, type FirstSteps } from '../../../../accounts/first-steps.ts'
import type { Visitor } from '../../../../auth/records/browser-session.ts'
import type { Database } from '../../../../db/database.ts'
import type { Histories } from '../../../../history/histories.ts'
import { readDailyStack, type DailyStack } from '../../../../history/read-daily-stack.ts'
import { seenBy } from '../../../../history/transaction-filter.ts'
import { DAY_MS, type Clock } from '../../../../lib/clock.ts'
import { may } from '../../guards/requires.ts'
import type { ChartRange } from './chart-range.ts'
import type { HomeFigures } from './home-cards.ts'

type HomeDeps = {
  readonly database: Database
  readonly now: Clock
  readonly histories: Histories
  readonly sellsCredit: boolean
}

// The longest month, for its sum.
const MONTH_DAYS = 31
const CHART_DAYS = 30

type Home = Omit<HomeFigures, 'visitor'> & {
  /** The days of the chart. */
  readonly stack: DailyStack
  readonly steps: FirstSteps | null
}

/** The figures of the home page, and its chart. */
export async function readHome(
  { database, now, histories, sellsCredit }: HomeDeps,
  visitor: Visitor,
  range: ChartRange,
): Promise<Home> {
  const { caller } = visitor
  const nowMs = now()
  const today = Math.floor(nowMs / DAY_MS)
  const read = (firstDay: number, lastDay: number): Promise<DailyStack> =>
    readDailyStack(
      { database: histories(caller.accountId) },
      { walletId: caller.walletId, filter: seenBy(caller), firstDay, lastDay, by: range.by },
    )
  const seesTopup = sellsCredit && caller.mode === 'live' && may(visitor, 'topup.change')
  const [balance, month, chosen, topup, steps] = await Promise.all([
    readBalance({ database, now }, caller),
    read(today - MONTH_DAYS + 1, today),
    range.days !== CHART_DAYS ? read(range.firstDay, range.lastDay) : null,
    seesTopup ? readTopupSettings(database, caller.accountId, nowMs) : null,
    may(visitor, 'keys.own') ? readFirstSteps(database, caller.accountId) : null,
  ])
  return { balance, month, topup, steps, stack: chosen ?? lastDays(month, CHART_DAYS) }
}

function lastDays(stack: DailyStack, days: number): DailyStack {
  return {
    ...stack,
    dates: stack.dates.slice(-days),
    calls: stack.calls.slice(-days),
    released: stack.released.slice(-days),
    groups: stack.groups.map((group) => ({ ...group, charged: group.charged.slice(-days) })),
  }
}
