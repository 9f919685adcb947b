/** Parses times in an intent into whole days in UTC. */
import { DAY_MS } from '../../../lib/clock.ts'
import { NUMBER_WORDS, toNumber } from './amounts.ts'
import { foreignDayIn, foreignWindowIn, foreignYearIn } from './foreign-times.ts'
import { isEnglish } from './languages.ts'

/** Days as YYYY-MM-DD. `window` is set for a span that ends now. */
export type Span = {
  readonly from: string | null
  readonly to: string | null
  readonly window: 'day' | 'week' | 'month' | 'year' | null
  /** The length of a span that ends now, in days. */
  readonly days?: number
  readonly text: string
}

const MONTHS =
  'january february march april may june july august september october november december'.split(' ')
const WINDOW_DAYS = { day: 1, week: 7, month: 30, year: 365 } as const
type Window = keyof typeof WINDOW_DAYS

/** The first span that the text names, or null. */
export function findSpan(text: string, nowMs: number): Span | null {
  return (
    betweenDates(text) ??
    fromLately(text, nowMs) ??
    boundedDate(text) ??
    dayWithoutYear(text, nowMs) ??
    (isEnglish(text) ? null : foreignSpan(text, nowMs))
  )
}

function foreignSpan(text: string, nowMs: number): Span | null {
  const day = foreignDayIn(text)
  if (day !== null) return { from: day.day, to: day.day, window: null, text: day.text }
  const lasting = foreignWindowIn(text)
  if (lasting !== null) {
    const days = lasting.count * WINDOW_DAYS[lasting.unit]
    return lately(windowOf(days), days, nowMs, lasting.text)
  }
  const year = foreignYearIn(text)
  return year === null
    ? null
    : { from: `${year.year}-01-01`, to: `${year.year}-12-31`, window: null, text: year.text }
}

/** "in the last week", "past 30 days", "today", "tomorrow", "this year". */
function fromLately(text: string, nowMs: number): Span | null {
  const today = /\b(?:today|in the last 24 hours|past 24 hours|last 24 hours)\b/i.exec(text)
  if (today !== null) return lately('day', 1, nowMs, today[0])
  const tomorrow = /\btomorrow\b/i.exec(text)
  if (tomorrow !== null)
    return {
      from: utcDay(nowMs + DAY_MS),
      to: utcDay(nowMs + DAY_MS),
      window: null,
      text: tomorrow[0],
    }
  const counted = COUNTED.exec(text)
  if (counted !== null) {
    const days =
      toNumber(counted[1] ?? '') * WINDOW_DAYS[(counted[2] ?? 'day').toLowerCase() as Window]
    return lately(windowOf(days), days, nowMs, counted[0])
  }
  const named =
    /\b(?:(?:in|from|over|during|within|published|posted) )*(?:the )?(?:last|past|this) (day|week|month|year)(?:'s)?\b/i.exec(
      text,
    )
  if (named === null) return null
  const window = (named[1] ?? 'week').toLowerCase() as Window
  // This month and this year begin on their first day.
  const first = utcDay(nowMs).slice(0, window === 'year' ? 4 : 7)
  if (/\bthis (?:month|year)/i.test(named[0]))
    return {
      from: `${first}${window === 'year' ? '-01' : ''}-01`,
      to: null,
      window,
      text: named[0],
    }
  return lately(window, WINDOW_DAYS[window], nowMs, named[0])
}

const COUNTED = new RegExp(
  String.raw`\b(?:(?:in|from|over|during|within) )?(?:the )?(?:last|past|previous) (\d{1,3}|${Object.keys(NUMBER_WORDS).join('|')}) (day|week|month|year)s?\b`,
  'i',
)

function windowOf(days: number): Window {
  return days <= 1 ? 'day' : days <= 7 ? 'week' : days <= 31 ? 'month' : 'year'
}

function lately(window: Window, days: number, nowMs: number, text: string): Span {
  return { from: utcDay(nowMs - days * DAY_MS), to: null, window, days, text }
}

const DATE = String.raw`(?:\d{4}-\d{2}-\d{2}|(?:${MONTHS.join('|')})(?: \d{1,2}(?:st|nd|rd|th)?)?,? \d{4}|\d{1,2}(?:st|nd|rd|th)? (?:${MONTHS.join('|')})(?:,)? \d{4}|(?:19|20)\d{2})`
const BETWEEN = new RegExp(
  String.raw`\b(?:between|from) (${DATE}) (?:and|to|until|till) (${DATE})\b`,
  'i',
)
const BOUNDED = new RegExp(
  String.raw`\b(?:(?:published|posted|filed|released|issued) )?(?:(since|after|from|starting|before|until|till|by|up to|in|on|during|as of|of|dated|for) )?(${DATE})\b`,
  'i',
)

function betweenDates(text: string): Span | null {
  const [written, first = '', last = ''] = BETWEEN.exec(text) ?? []
  return written === undefined
    ? null
    : { from: edges(first)[0], to: edges(last)[1], window: null, text: written }
}

function boundedDate(text: string): Span | null {
  const [written, cue = '', date = ''] = BOUNDED.exec(text) ?? []
  // Four digits alone may be any number.
  if (written === undefined || (cue === '' && /^\d{4}$/.test(date))) return null
  const [first, last] = edges(date)
  if (/^(?:since|after|from|starting)$/i.test(cue))
    return { from: first, to: null, window: null, text: written }
  if (/^(?:before|until|till|by|up to)$/i.test(cue))
    return { from: null, to: last, window: null, text: written }
  return { from: first, to: last, window: null, text: written }
}

/** The single day of a span. The span of "today" starts a day earlier. */
export function dayOf({ from, window }: Span): string | null {
  return from !== null && window === 'day' ? utcDay(Date.parse(from) + DAY_MS) : from
}

const NAMED_MONTH = `(${MONTHS.join('|')})`
/** "1 May", "December 25th". In lower case, "may" is rarely a month. */
const DAY_OF_MONTH = new RegExp(
  String.raw`\b(?:on )?(?:(?:the )?(\d{1,2})(?:st|nd|rd|th)?(?: of)? ${NAMED_MONTH}|${NAMED_MONTH} (\d{1,2})(?:st|nd|rd|th)?)\b(?! ?\d)`,
  'i',
)

/** The nearest day with this name. */
function dayWithoutYear(text: string, nowMs: number): Span | null {
  const [written, first, firstMonth, secondMonth, second] = DAY_OF_MONTH.exec(text) ?? []
  if (written === undefined || written.includes('may')) return null
  const month = MONTHS.indexOf((firstMonth ?? secondMonth ?? '').toLowerCase())
  const thisYear = new Date(nowMs).getUTCFullYear()
  const days = [-1, 0, 1]
    .map((year) => Date.UTC(thisYear + year, month, Number(first ?? second)))
    .filter((ms) => new Date(ms).getUTCMonth() === month)
  const [nearest] = days.toSorted((a, b) => Math.abs(a - nowMs) - Math.abs(b - nowMs))
  return nearest === undefined
    ? null
    : { from: utcDay(nearest), to: utcDay(nearest), window: null, text: written }
}

/** First and last day of a date that may be a day, a month or a year. */
function edges(date: string): [string, string] {
  if (/^\d{4}-\d{2}-\d{2}$/.test(date)) return [date, date]
  const year = Number(/\d{4}/.exec(date)?.[0])
  const month = MONTHS.findIndex((name) => date.toLowerCase().includes(name))
  if (month < 0) return [`${year}-01-01`, `${year}-12-31`]
  const day = Number(
    /\b(\d{1,2})(?:st|nd|rd|th)?\b(?! ?\d{3})/.exec(date.replace(/\d{4}/, ''))?.[1] ?? 0,
  )
  if (day > 0) return [utcDay(Date.UTC(year, month, day)), utcDay(Date.UTC(year, month, day))]
  return [utcDay(Date.UTC(year, month, 1)), utcDay(Date.UTC(year, month + 1, 0))]
}

function utcDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}
