import { readBalance } from '../../../../accounts/balance.ts'
import { readTopupSettings } from '../../../../accounts/cards/topup-settings.ts'
import { readFirstSteps, type FirstSteps } from '../../../../accounts/first-steps.ts'
import type { Visitor } from '../../../../auth/records/browser-session.ts'
import type { Database } from '../../../../db/database.ts'
import type { Histories } from '../../../../history/histories.ts'
import { countCalls } from '../../../../history/calls/count-calls.ts'
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
  const lastDay = Math.floor(nowMs / DAY_MS)
  const { walletId } = caller
  const reading = { database: histories(caller.accountId) }
  const read = (from: number, to: number): Promise<DailyStack> =>
    readDailyStack(reading, {
      walletId,
      filter: seenBy(caller),
      firstDay: from,
      lastDay: to,
      by: range.by,
    })
  const seesTopup = sellsCredit && caller.mode === 'live' && may(visitor, 'topup.change')
  const [balance, month, today, chosen, topup, steps] = await Promise.all([
    readBalance({ database, now }, caller),
    read(lastDay - MONTH_DAYS + 1, lastDay),
    countCalls(reading, {
      walletId,
      filter: { ...seenBy(caller), fromMs: lastDay * DAY_MS },
      toMs: nowMs,
      bucketMs: DAY_MS,
    }),
    range.days !== CHART_DAYS ? read(range.firstDay, range.lastDay) : null,
    seesTopup ? readTopupSettings(database, caller.accountId, nowMs) : null,
    may(visitor, 'keys.own') ? readFirstSteps(database, caller.accountId) : null,
  ])
  return { balance, month, today, topup, steps, stack: chosen ?? lastDays(month, CHART_DAYS) }
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
