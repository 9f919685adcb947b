import { summarizeBooks, type ServiceLine } from '../../../history/summarize-books.ts'
import { readOutflow } from '../../../calls/payments/queue.ts'
import { countUnknownSales } from '../../../calls/selling/sales.ts'
import { HOUR_MS, toRfc3339 } from '../../../lib/clock.ts'
import { formatDollars } from '../../../lib/money.ts'
import { UsageError, type Command } from '../command.ts'
import { readChoice, readMoment, readWholeNumber, requirePeriod } from '../read-value.ts'
import { columns, facts } from '../show.ts'

export const report: Command = {
  name: 'report',
  summary:
    'summarize money, failures by service and open items of all accounts; suitable for alerts',
  flags: {
    hours: { value: '<count>', about: 'length of the period in hours; default: 24' },
    from: { value: '<when>', about: 'start, instead of --hours: a date or an RFC 3339 time' },
    until: { value: '<when>', about: 'end (exclusive); default: now' },
    mode: { value: '<mode>', about: 'live or test; default: live' },
  },
  example: './tollgate report --hours 1 --json',
  async run({ flags }, tools) {
    const mode = readChoice('mode', flags['mode'], ['live', 'test'], 'live')
    if (flags['hours'] !== undefined && flags['from'] !== undefined)
      throw new UsageError('Use either --hours or --from.')
    const hours = readWholeNumber('hours', flags['hours'] ?? '24')
    if (hours === 0) throw new UsageError('--hours must be at least 1.')
    const nowMs = tools.now()
    const untilMs =
      flags['until'] === undefined ? nowMs : readMoment('until', flags['until'], nowMs).getTime()
    const fromMs =
      flags['from'] === undefined
        ? Math.max(0, untilMs - hours * HOUR_MS)
        : readMoment('from', flags['from'], nowMs).getTime()
    requirePeriod({ fromMs, untilMs })
    const database = await tools.database()
    const books = await summarizeBooks(database, { mode, fromMs, untilMs, nowMs })
    const [outflow, salesWaiting] = [
      await readOutflow(database, nowMs),
      await countUnknownSales(database),
    ]
    const payments = {
      paid_today_micros: Number(outflow.today),
      waiting: outflow.waiting,
      sales_waiting: salesWaiting,
    }
    const standing = [
      ['credit of all accounts', formatDollars(BigInt(books.credit_micros))],
      [
        'held now',
        `${formatDollars(BigInt(books.held_micros))} by ${books.open_holds} calls and jobs`,
      ],
      [
        'jobs',
        `${books.jobs.queued} queued, ${books.jobs.running} running${books.jobs.oldest_queued_s === null ? '' : `; the oldest has waited ${books.jobs.oldest_queued_s} s`}`,
      ],
      ['compute sessions', `${books.open_sessions} open`],
      ['paid to merchants today', formatDollars(outflow.today)],
      [
        'payments to resolve',
        `${payments.waiting} to merchants, ${payments.sales_waiting} from buyers`,
      ],
    ] as const
    const money = columns(
      ['money', 'count', 'amount'],
      books.money.map(({ kind, count, amount_micros: amount }) => [
        kind,
        String(count),
        formatDollars(BigInt(amount)),
      ]),
    )
    const services = columns(
      ['service', 'calls', 'failed', 'charged', 'errors'],
      books.services.map(rowOf),
    )
    return {
      data: { from: toRfc3339(fromMs), until: toRfc3339(untilMs), mode, ...books, payments },
      text: `${toRfc3339(fromMs)} to ${toRfc3339(untilMs)}, ${mode}\n\n${books.money.length === 0 ? 'No money moved.' : `${money}\n\n${services}`}\n\n${facts(standing)}`,
    }
  },
}

function rowOf({
  service,
  calls,
  failed,
  charged_micros: charged,
  errors,
}: ServiceLine): readonly string[] {
  const byCount = Object.entries(errors).toSorted(([, one], [, other]) => other - one)
  return [
    service,
    String(calls),
    `${failed} (${Math.round((100 * failed) / calls)}%)`,
    formatDollars(BigInt(charged)),
    byCount.map(([code, count]) => `${code} ${count}`).join(', '),
  ]
}
