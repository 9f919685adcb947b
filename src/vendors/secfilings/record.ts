import { Type } from '../../lib/schema.ts'
import { AppError } from '../../errors/app-error.ts'
import { call, defineService, params } from '../../catalog/vocabulary/define.ts'
import { isoDate, text } from '../../catalog/vocabulary/fields.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { found } from '../shared/records.ts'
import { get } from '../../catalog/vocabulary/wire.ts'
import { cik, document, edgar, entities, filings, fulltext, padCik, price } from './source.ts'
import { returns } from './returns.ts'

/** The SEC takes filings from Monday to Friday, so a weekend needs no request. */
function checkWorkingDay({ date }: { date: string }): void {
  const day = new Date(`${date}T00:00:00Z`)
  if (Number.isNaN(day.getTime()) || !day.toISOString().startsWith(date))
    throw new AppError('invalid_params', `${date} is not a calendar day.`, {
      param: 'date',
      fix: 'Send a calendar day as YYYY-MM-DD.',
    })
  if (day.getUTCDay() === 0 || day.getUTCDay() === 6)
    throw new AppError(
      'upstream_not_found',
      `${date} was a weekend, so there are no filings. Nothing was charged.`,
      { param: 'date', fix: 'Send a working day. Holidays have no filings either.' },
    )
}

/** The rows of a pipe-separated index. A ruler ends its header. */
function indexRows(file: string): Data[] {
  const start = /^-{10,}\s*$/m.exec(file)
  if (start === null) return []
  const lines = file
    .slice(start.index + start[0].length)
    .split('\n')
    .map((line) => line.trim().split('|'))
  return lines
    .filter((parts) => parts.length >= 5)
    .map(([key, company, form, filed, path]) => ({
      cik: key,
      company,
      form,
      date_filed: filed,
      path,
    }))
}

function conceptPath(concept: string): string {
  const [first = '', second] = concept.split(/[/:]/)
  return second === undefined ? `us-gaap/${first}` : `${first}/${second}`
}

export const service = defineService({
  id: 'secfilings',
  title: 'Filings of companies with the SEC',
  category: 'public records',
  vendor: edgar,
  returns,
  actions: {
    entities,
    filings,
    fulltext,
    document,
    concept: call({
      ...price,
      title: 'Reported figure over time',
      summary:
        "Read all reported values of one figure in a company's statements, such as assets or revenues.",
      keywords: [
        'xbrl',
        'financial facts',
        'revenue history',
        'balance sheet',
        'earnings',
        'net income',
        'profit',
      ],
      input: params({
        cik: cik(),
        concept: text(
          'The figure, as XBRL taxonomy and tag, such as "us-gaap/Revenues". The default taxonomy is us-gaap.',
          200,
          { pattern: '^([A-Za-z0-9-]+[/:])?[A-Za-z0-9_-]+$' },
        ),
      }),
      example: { cik: '320193', concept: 'us-gaap/Assets' },
      timeoutMs: 20_000,
      request: (input) => ({
        ...get(
          `/api/xbrl/companyconcept/CIK${padCik(input.cik)}/${conceptPath(input.concept)}.json`,
        ),
        origin: 'data',
      }),
      reply: Type.Object({ units: Type.Record(Type.String(), Type.Array(Type.Unknown())) }),
      outcome: ({ body }) => found(body, Object.values(body.units).flat()),
    }),
    index: call({
      ...price,
      title: 'SEC filings of one day',
      summary: 'List every filing of one day.',
      description:
        'Weekends and holidays have no index: status 404 means that nothing was filed, and is free.',
      keywords: ['daily index', 'edgar feed', 'new filings'],
      input: params({ date: isoDate('The day.') }),
      example: { date: '2026-11-19' },
      timeoutMs: 30_000,
      check: checkWorkingDay,
      request: ({ date }) => {
        const [year = '', month = ''] = date.split('-')
        return {
          ...get(
            `/Archives/edgar/daily-index/${year}/QTR${Math.ceil(Number(month) / 3)}/master.${date.replaceAll('-', '')}.idx`,
          ),
          headers: { accept: '*/*' },
        }
      },
      reply: Type.String(),
      outcome: ({ body }, { date }) => {
        const rows = indexRows(body)
        return found({ date, filing_count: rows.length, filings: rows }, rows)
      },
    }),
  },
})
