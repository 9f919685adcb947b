import { HOUR_MS, toRfc3339 } from '../../../../lib/clock.ts'
import { medianOf, type ServiceHour } from '../../../../operate/totals/read-totals.ts'
import { table } from '../../html/components/table.ts'
import { html, type Html } from '../../html/html.ts'
import { countText } from '../account/account-components.ts'
import { durationText } from '../account/call-labels.ts'
import { percent } from './console-page.ts'

const [WIDTH, PITCH, HEIGHT] = [14, 16, 18]

export type HeatMapView = {
  readonly hours: readonly ServiceHour[]
  /** The hour now, counted from 1970. */
  readonly hour: number
  readonly shown: number
}

/** The share of failed calls by service and hour. Each cell names its figures. */
export function heatMap({ hours, hour, shown }: HeatMapView): Html {
  const services = [...Map.groupBy(hours, ({ service }) => service)].toSorted(
    ([one, oneHours], [other, otherHours]) =>
      failedIn(otherHours) - failedIn(oneHours) || one.localeCompare(other),
  )
  if (services.length === 0)
    return html`<p class="muted">No calls ended in the last ${shown} hours.</p>`
  return html`${table(
    'Failures by service and hour',
    ['Service', `Last ${shown} hours`, { figures: 'Failed' }, { figures: 'Median' }],
    services.map(([service, own]) => {
      const calls = own.reduce((sum, one) => sum + one.calls, 0)
      const failed = failedIn(own)
      return [
        html`<b>${service}</b>`,
        strip({ service, own, hour, shown }),
        html`<span title="${countText(failed)} of ${countText(calls)}">${percent(failed, calls)}</span>`,
        durationText(medianOf(own.flatMap(({ steps }) => steps))),
      ]
    }),
  )}`
}

export const heatLegend = html`<span class="heat-legend muted">No failures <svg class="heat" viewBox="0 0 62 14" width="62" height="14" aria-hidden="true">${['none', 'few', 'many', 'all'].map((kind, place) => html`<rect class="${kind}" x="${place * PITCH}" y="0" width="12" height="12" rx="3"/>`)}</svg> All fail</span>`

function failedIn(hours: readonly ServiceHour[]): number {
  return hours.reduce((sum, { failed }) => sum + failed, 0)
}

function strip({
  service,
  own,
  hour,
  shown,
}: {
  readonly service: string
  readonly own: readonly ServiceHour[]
  readonly hour: number
  readonly shown: number
}): Html {
  const byHour = new Map(own.map((one) => [one.hour, one]))
  const cells = Array.from({ length: shown }, (_, place) => {
    const at = hour - shown + 1 + place
    const found = byHour.get(at)
    const label = `${toRfc3339(at * HOUR_MS).slice(11, 16)} UTC: ${found === undefined ? 'no calls' : `${found.failed} of ${found.calls} failed${codesOf(found)}`}`
    return html`<rect class="${kindOf(found)}" x="${place * PITCH}" y="0" width="${WIDTH}" height="${HEIGHT}" rx="3"><title>${label}</title></rect>`
  })
  return html`<svg class="heat" role="img" aria-label="${service}: ${failedIn(own)} failed calls in ${shown} hours" viewBox="0 0 ${shown * PITCH} ${HEIGHT}" width="${shown * PITCH}" height="${HEIGHT}">${cells}</svg>`
}

function codesOf({ errors }: ServiceHour): string {
  const codes = Object.entries(errors).toSorted(([, one], [, other]) => other - one)
  return codes.length === 0
    ? ''
    : ` (${codes.map(([code, count]) => `${code} ${count}`).join(', ')})`
}

const [FEW, MANY] = [0.1, 0.5]

function kindOf(found: ServiceHour | undefined): string {
  if (found === undefined) return 'empty'
  if (found.failed === 0) return 'none'
  const share = found.failed / found.calls
  return share < FEW ? 'few' : share < MANY ? 'many' : 'all'
}
