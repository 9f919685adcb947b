import { type Static, Type } from '../../lib/schema.ts'
import { AppError } from '../../errors/app-error.ts'
import { cents } from '../../lib/money.ts'
import { call, defineService, params } from '../../catalog/vocabulary/define.ts'
import { choice, optional, text, whole } from '../../catalog/vocabulary/fields.ts'
import { isFilled } from '../../catalog/answers/filled.ts'
import { unreadableReply } from '../shared/open-sources.ts'
import { done, empty, failed, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import { flat } from '../../catalog/vocabulary/tariff.ts'
import { get, type Reply } from '../../catalog/vocabulary/wire.ts'
import { gdelt, isAway } from './source.ts'
import { returns } from './returns.ts'

/** An invalid query returns a sentence with status 200. */
const reply = Type.Union([
  Type.String(),
  Type.Object({
    articles: Type.Optional(Type.Array(Type.Unknown())),
    timeline: Type.Optional(Type.Array(Type.Unknown())),
  }),
])

const moment = (description: string) =>
  optional(text(`${description} YYYYMMDDHHMMSS.`, 14, { pattern: '^[0-9]{14}$' }))

const window = {
  query: text(
    'Words with inline operators: "a phrase", (a OR b), domain:example.com, sourcecountry:france, sourcelang:german, theme:TAX, tone<-5, near10:"a b".',
    1_000,
  ),
  timespan: optional(
    text('Time to look back, such as "24h", "7d", "2w" or "3m". Excludes the datetimes.', 10, {
      pattern: '^[0-9]{1,5}(min|h|hours|d|days|w|weeks|m|months)?$',
    }),
  ),
  startdatetime: moment('Published at or after this time, within the last three months.'),
  enddatetime: moment('Published at or before this time.'),
}

type Window = { timespan?: string; startdatetime?: string; enddatetime?: string }

function checkWindow({ timespan, startdatetime, enddatetime }: Window): void {
  if (timespan === undefined || (startdatetime === undefined && enddatetime === undefined)) return
  throw new AppError('invalid_params', '"timespan" and the datetimes cannot be combined.', {
    param: 'timespan',
    fix: 'Send "timespan", or "startdatetime" and "enddatetime".',
  })
}

function outcomeOf({ body }: Reply<Static<typeof reply>>, rows: 'articles' | 'timeline'): Outcome {
  if (isAway(body)) return unreadableReply()
  if (typeof body === 'string')
    return failed('upstream_rejected', 'The source rejected the query.', {
      upstream: {
        service: 'globalnews',
        status: 200,
        code: null,
        message: body.trim().slice(0, 500),
      },
    })
  const list = body[rows]
  return isFilled(list) ? done(body) : empty({ [rows]: [], ...body })
}

const shared = {
  price: flat(cents('1')),
  priceSource: 'Own price; the source is free, 2026-11.',
  timeoutMs: 45_000,
  untrustedContent: true,
  check: checkWindow,
  reply,
}

export const service = defineService({
  id: 'globalnews',
  title: 'World news',
  category: 'research',
  vendor: gdelt,
  returns,
  actions: {
    news: call({
      ...shared,
      title: 'World news articles',
      summary: 'Find news articles of the last three months in over sixty languages.',
      keywords: ['gdelt', 'press', 'media monitoring', 'headlines', 'journalism'],
      input: params({
        ...window,
        maxrecords: whole('Maximum number of articles.', 1, 250, { default: 75 }),
      }),
      example: { query: '"open source" sourcelang:english', timespan: '7d', maxrecords: 3 },
      request: (input) =>
        get('/doc/doc', { ...input, mode: 'artlist', format: 'json', sort: 'datedesc' }),
      outcome: (answer) => outcomeOf(answer, 'articles'),
    }),
    timeline: call({
      ...shared,
      title: 'News volume and tone over time',
      summary: 'Measure the volume or the tone of news coverage over time.',
      keywords: ['gdelt', 'media volume', 'sentiment over time', 'news trend'],
      input: params({
        ...window,
        mode: choice('The measure: share of all news, or tone.', ['timelinevol', 'timelinetone'], {
          default: 'timelinevol',
        }),
      }),
      example: { query: 'climate', timespan: '7d', mode: 'timelinetone' },
      request: (input) => get('/doc/doc', { ...input, format: 'json' }),
      outcome: (answer) => outcomeOf(answer, 'timeline'),
    }),
  },
})
