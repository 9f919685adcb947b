import { resolvePayment } from '../../../../calls/payments/queue.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { csvLine } from '../../../../lib/csv.ts'
import { DAY_MS } from '../../../../lib/clock.ts'
import { readKnownCosts } from '../../../../operate/money/read-costs.ts'
import { readCardPayments, readPending } from '../../../../operate/money/read-pending.ts'
import {
  readCredit,
  readServiceDays,
  readTopAccounts,
  type DayPeriod,
} from '../../../../operate/totals/read-totals.ts'
import type { PageDeps } from '../visitor/page-deps.ts'
import { sendCsv } from './audit-routes.ts'
import type { Console, ConsoleForm, PageRequest } from './console.ts'
import { moneyCsv } from './money-csv.ts'
import { MONEY_PATH, MONEY_RANGES, moneyPage, RESOLVE } from './money-page.ts'

const TOP = 50

/** /operate/money and its export. */
export function moneyPages(console: Console, pages: PageDeps): void {
  const { database, now, site } = pages
  console.page(
    MONEY_PATH,
    async (request, rejection) => {
      const { range, today, period } = periodOf(request, now())
      const view = {
        range,
        today,
        days: await readServiceDays(database, period),
        costs: await readKnownCosts(database, period),
        top: await readTopAccounts(database, { ...period, limit: TOP }),
        credit: await readCredit(database, period),
        pending: await readPending(database),
        cards: await readCardPayments(database),
      }
      return moneyPage(site, request, view, rejection)
    },
    [resolution(pages)],
  )
  console.download(`${MONEY_PATH}/csv`, async (request, reply) => {
    const { period } = periodOf(request, now())
    const lines = moneyCsv(
      await readServiceDays(database, period),
      await readKnownCosts(database, period),
    )
    return sendCsv(
      reply,
      'money.csv',
      [...lines].map((line) => csvLine(line)),
    )
  })
}

function periodOf(
  request: PageRequest,
  nowMs: number,
): { readonly range: number; readonly today: number; readonly period: DayPeriod } {
  const range = MONEY_RANGES.find((days) => String(days) === request.query('days')) ?? 30
  const today = Math.floor(nowMs / DAY_MS)
  return { range, today, period: { mode: 'live', fromDay: today - range + 1, untilDay: today + 1 } }
}

function resolution({ database, now }: PageDeps): ConsoleForm {
  return {
    name: RESOLVE,
    isSensitive: true,
    async work({ field }) {
      const outcome = (['paid', 'unpaid'] as const).find((one) => one === field('as'))
      if (outcome === undefined)
        throw new AppError('invalid_params', 'Choose the outcome.', {
          param: 'as',
          fix: 'Look the payment up first.',
        })
      const note = field('note')
      if (note === '')
        throw new AppError('invalid_params', 'Evidence is required.', {
          param: 'note',
          fix: 'Name where you looked it up.',
        })
      const id = field('id')
      if (!/^[0-9a-f]{32}$/.test(id))
        throw new AppError('invalid_params', 'Unknown payment.', { param: 'id' })
      await resolvePayment(database, id, outcome, note.slice(0, 500), now())
      return { done: 'resolved' }
    },
  }
}
