import {
  CALL_OUTCOMES,
  type CallCounts,
  type CallOutcome,
} from '../../../../history/calls/count-calls.ts'
import { sum } from '../../../../history/read-daily-stack.ts'
import { DAY_MS, toRfc3339 } from '../../../../lib/clock.ts'
import { card } from '../../html/components/card.ts'
import { table } from '../../html/components/table.ts'
import { time } from '../../html/components/text.ts'
import { html, type Html } from '../../html/html.ts'
import { countOf, countText, moneyText } from '../account/account-components.ts'
import { LAST_CHOICES, type CallsFilter } from './calls-filter.ts'

const MINUTE_MS = 60_000

/** The length of the bars of each period. */
const BUCKETS_MS = {
  '1h': 2 * MINUTE_MS,
  '24h': 30 * MINUTE_MS,
  '7d': 240 * MINUTE_MS,
} as const satisfies Record<keyof typeof LAST_CHOICES, number>

/** The period and the bars of the chart: those of the filter, or the last 24 hours. */
export function chartPeriodOf(
  { last }: CallsFilter,
  { fromMs }: { readonly fromMs?: number },
  nowMs: number,
) {
  const period = last === '1h' || last === '7d' ? last : '24h'
  return {
    fromMs: fromMs ?? nowMs - DAY_MS,
    bucketMs: BUCKETS_MS[period],
    label: LAST_CHOICES[period],
  }
}

const LABELS = {
  charged: 'Charged',
  pending: 'Pending',
  free: 'Free',
  failed: 'Failed',
  rejected: 'Rejected',
} as const satisfies Record<CallOutcome, string>

/** Numbers of chart colors. */
const COLORS = {
  charged: 1,
  pending: 2,
  free: 5,
  failed: 4,
  rejected: 6,
} as const satisfies Record<CallOutcome, number>

const [HEIGHT, GAP] = [60, 0.25]

type Bucket = { readonly startMs: number; readonly calls: Readonly<Record<CallOutcome, number>> }

export type CallsChartView = { readonly counts: CallCounts; readonly label: string }

/** Calls over time by outcome; nothing without calls. Hover shows the counts of a bar. */
export function callsChart({ counts, label }: CallsChartView): Html {
  const totals = CALL_OUTCOMES.map((name) => ({ name, total: sum(counts.counts[name]) }))
  const shown = totals.filter(({ total }) => total > 0)
  const all = sum(shown.map(({ total }) => total))
  if (all === 0) return html``
  const buckets = bucketsOf(counts)
  const names = shown.map(({ name }) => name)
  return html`<div class="calls-chart" data-live-chart>${card({
    content: html`<div class="chart-top"><strong>${countOf(all, 'call')}</strong><ul class="legend">${shown.map(({ name, total }) => html`<li><svg viewBox="0 0 10 10" aria-hidden="true"><rect class="c${COLORS[name]}" width="10" height="10" rx="2"/></svg>${LABELS[name]} <span class="num">${countText(total)}</span></li>`)}</ul><span class="muted">${label}, ${moneyText(counts.chargedMicros)} charged</span></div>
${drawing(buckets, names)}
<details class="chart-table"><summary>Show as a table</summary>${countTable(buckets, names)}</details>
${!counts.complete && html`<p class="hint">Only the latest calls of this period are counted, because there are too many. The CSV has all.</p>`}`,
  })}</div>`
}

function bucketsOf({ firstMs, bucketMs, counts }: CallCounts): readonly Bucket[] {
  return counts.charged.map((charged, at) => ({
    startMs: firstMs + at * bucketMs,
    calls: {
      charged,
      pending: counts.pending[at] ?? 0,
      free: counts.free[at] ?? 0,
      failed: counts.failed[at] ?? 0,
      rejected: counts.rejected[at] ?? 0,
    },
  }))
}

function totalOf({ calls }: Bucket): number {
  return sum(Object.values(calls))
}

function drawing(buckets: readonly Bucket[], names: readonly CallOutcome[]): Html {
  const most = Math.max(...buckets.map(totalOf), 1)
  return html`<svg class="stack" viewBox="0 0 ${buckets.length} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">${buckets.map((bucket, at) => totalOf(bucket) > 0 && bar(bucket, { at, most, names }))}</svg>
<p class="chart-axis"><span>${time(toRfc3339(buckets[0]?.startMs ?? 0))}</span><span>peak ${countText(most)}</span><span>now</span></p>`
}

function bar(
  { startMs, calls }: Bucket,
  {
    at,
    most,
    names,
  }: { readonly at: number; readonly most: number; readonly names: readonly CallOutcome[] },
): Html {
  let top = HEIGHT
  const words = names.flatMap((name) =>
    calls[name] > 0 ? [`${countText(calls[name])} ${LABELS[name].toLowerCase()}`] : [],
  )
  return html`<g><title>${minuteText(startMs)}: ${words.join(', ')}</title><rect class="hover" x="${at}" y="0" width="1" height="${HEIGHT}"/>${names.map(
    (name) => {
      const height = (calls[name] / most) * HEIGHT
      top -= height
      return (
        height > 0 &&
        html`<rect class="c${COLORS[name]}" x="${at + GAP / 2}" y="${top.toFixed(2)}" width="${1 - GAP}" height="${height.toFixed(2)}"/>`
      )
    },
  )}</g>`
}

function minuteText(ms: number): string {
  return `${toRfc3339(ms).slice(0, 16).replace('T', ' ')} UTC`
}

function countTable(buckets: readonly Bucket[], names: readonly CallOutcome[]): Html {
  return table(
    'Calls by time',
    ['From', ...names.map((name) => ({ figures: LABELS[name] }))],
    buckets
      .filter((bucket) => totalOf(bucket) > 0)
      .toReversed()
      .map(({ startMs, calls }) => [
        minuteText(startMs),
        ...names.map((name) => countText(calls[name])),
      ]),
  )
}
