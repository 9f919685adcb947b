/** Markup that several pages share. */
import type { LaneName, LaneStatus } from '../../../../catalog/published/lane.ts'
import { html, type Html } from '../html.ts'
import { badge } from './badge.ts'

const LANE_NAMES: Readonly<Record<LaneName, string>> = {
  vendor: 'the operator’s vendor key',
  wallet: 'a payment from the operator’s wallet',
  'in-house': 'the gateway’s own implementation',
}

export function laneBadge(live: boolean): Html {
  return live ? badge('live', 'Live') : badge('setup', 'Needs operator setup')
}

export function laneSentence({ live }: LaneStatus): string {
  return live === null
    ? 'Not set up on this gateway. A live key gets 503, a test key the simulator.'
    : `Performed with ${LANE_NAMES[live]}.`
}

/** Renders text of the catalog, where backticks mark code. */
export function prose(text: string): Html {
  return html`${text.split('`').map((part, at) => (at % 2 === 1 ? code(part) : part))}`
}

export function code(text: string): Html {
  return html`<code>${text}</code>`
}

/** A number with commas between thousands; anything else as it is. */
export function figure(value: Html | string | number): Html | string {
  return typeof value === 'number' ? value.toLocaleString('en') : value
}

const MONTH_AND_DAY = new Intl.DateTimeFormat('en', {
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
})

/** "Oct 30" for 2026-10-30. Scripts show times of this year in the same form. */
export function dayText(date: string): string {
  return MONTH_AND_DAY.format(Date.parse(date))
}

/** "Oct 30, 2026" for 2026-10-30. */
export function calendarDay(date: string): Html {
  return html`<time datetime="${date}">${dayText(date)}, ${date.slice(0, 4)}</time>`
}

/** A time in UTC, to the second. Scripts show it as a relative or local time. */
export function time(rfc3339: string): Html {
  return html`<time datetime="${rfc3339}">${rfc3339.slice(0, 19).replace('T', ' ')} UTC</time>`
}

/** The id of a heading, for links to it. */
export function anchor(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
}
