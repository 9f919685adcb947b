import { readStanding } from '../../../../accounts/standing.ts'
import { DAY_MS, HOUR_MS } from '../../../../lib/clock.ts'
import { readKnownCosts } from '../../../../operate/money/read-costs.ts'
import type { OperateDeps } from '../../../../operate/operate-deps.ts'
import { findTroubles, readAttention } from '../../../../operate/read-attention.ts'
import {
  readHours,
  readServiceDays,
  readTopAccounts,
} from '../../../../operate/totals/read-totals.ts'
import { readKeyTests } from '../../../../operate/vendors/key-tests.ts'
import type { PageDeps } from '../visitor/page-deps.ts'
import { OPERATOR_PATH } from './console-page.ts'
import type { Console } from './console.ts'
import { overviewPage, RANGES } from './overview-page.ts'

const [HOURS, TOP] = [24, 10]
// The chart shows two weeks at least.
const LEAST_DAYS = 14

/** /operate. */
export function overviewPages(
  console: Console,
  { database, now, site }: PageDeps,
  operate: OperateDeps | undefined,
): void {
  console.page(OPERATOR_PATH, async (request) => {
    const range = RANGES.find((days) => String(days) === request.query('days')) ?? 30
    const nowMs = now()
    const [today, hour] = [Math.floor(nowMs / DAY_MS), Math.floor(nowMs / HOUR_MS)]
    const period = { mode: 'live', fromDay: today - range + 1, untilDay: today + 1 } as const
    const hours = await readHours(database, {
      mode: 'live',
      fromHour: hour - HOURS + 1,
      untilHour: hour + 1,
    })
    const days = await readServiceDays(database, {
      ...period,
      fromDay: today - Math.max(range, LEAST_DAYS) + 1,
    })
    const { live, test } = await readStanding(database.query, nowMs)
    return overviewPage(site, request, {
      range,
      today,
      days: days.filter(({ day }) => day >= period.fromDay),
      charted: days,
      costs: await readKnownCosts(database, period),
      top: await readTopAccounts(database, { ...period, limit: TOP }),
      heat: { hours, hour, shown: HOURS },
      attention: {
        attention: await readAttention({ database, now }),
        troubles: findTroubles(hours),
        tests: await readKeyTests(database),
        facts: operate === undefined ? null : await operate.facts(),
        ends: operate?.ends() ?? [],
        oldestQueuedS: Math.max(live.jobs.oldest_queued_s ?? 0, test.jobs.oldest_queued_s ?? 0),
        nowMs,
      },
    })
  })
}
