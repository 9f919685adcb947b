/** Cards of the page of vendors: gone routes, announced ends and prices below the vendor's. */
import { routeKey, type GoneRoute } from '../../../../calls/lanes/gone-routes.ts'
import { toRfc3339 } from '../../../../lib/clock.ts'
import type { BelowCostLine, EndLine } from '../../../../operate/operate-deps.ts'
import { badge } from '../../html/components/badge.ts'
import { actionForm } from '../../html/components/button.ts'
import { card } from '../../html/components/card.ts'
import { table } from '../../html/components/table.ts'
import { code } from '../../html/components/text.ts'
import { html, type Html } from '../../html/html.ts'
import { OPERATOR_PATH } from '../../html/layout/navigation.ts'
import { countOf } from '../account/account-components.ts'
import { timeOf } from './console-page.ts'

export const CLEAR_ROUTE = 'clear-route'

const MOST_SHOWN = 50
const LANES = {
  vendor: 'your key',
  open: 'without a key',
  wallet: 'your wallet',
} as const satisfies Record<GoneRoute['lane'], string>

/** Routes that vendors no longer offer, each with a button that removes it from the list. */
export function goneRoutesCard(gone: readonly GoneRoute[]): Html | false {
  return (
    gone.length > 0 &&
    card({
      id: 'gone',
      title: 'Gone routes',
      aside: badge('error', String(gone.length)),
      content: html`<p class="muted">Vendors answered that these routes no longer exist. Their lanes are not live, and failed calls are not charged. A route leaves the list when it answers again. Remove it to use it immediately, such as after an outage of the vendor.</p>${table(
        'Gone routes',
        ['Route', 'Lane', 'Vendor’s answer', 'Since', 'Last seen', 'Action'],
        gone.slice(0, MOST_SHOWN).map((route) => [
          html`${code(`${route.service}/${route.action}`)}${route.endpoint !== '' && html`<br>${code(route.endpoint)}`}`,
          html`${LANES[route.lane]}<br><span class="muted"><bdi class="given">${route.vendor}</bdi></span>`,
          html`${route.status ?? '–'}${route.message !== null && html` <bdi class="given">${route.message}</bdi>`}`,
          timeOf(route.firstMs),
          timeOf(route.lastMs),
          actionForm(`${OPERATOR_PATH}/vendors/${CLEAR_ROUTE}`, 'Remove', {
            kind: 'quiet',
            size: 'small',
            hidden: html`<input type="hidden" name="route" value="${routeKey(route)}">`,
          }),
        ]),
      )}${gone.length > MOST_SHOWN && html`<p class="muted">And ${gone.length - MOST_SHOWN} more.</p>`}`,
    })
  )
}

export function daysLeftText({ isOver, daysLeft }: EndLine): string {
  return isOver ? 'ended' : `ends in ${countOf(daysLeft, 'day')}`
}

/** Routes and models that vendors have announced to end. */
export function endsCard(ends: readonly EndLine[]): Html | false {
  return (
    ends.length > 0 &&
    card({
      id: 'ends',
      title: 'Announced ends',
      content: html`<p class="muted">Vendors announced the end of these routes and models, which this version of the gateway uses. Update the gateway before the date.</p>${table(
        'Announced ends',
        ['Ends', 'When', 'Used by', 'Successor'],
        ends.map((end) => [
          html`<b>${end.vendor}</b><br>${end.ends}`,
          html`${badge(stateOf(end), daysLeftText(end))}<br>${toRfc3339(end.atMs).slice(0, 16).replace('T', ' ')} UTC`,
          html`${end.usedBy.map((name, place) => html`${place > 0 && html`<br>`}<bdi class="given">${name}</bdi>`)}${!end.isInUse && html`<br><span class="muted">no key set</span>`}`,
          html`${end.successor}<br><a href="${end.source}" rel="noreferrer">Announcement</a>`,
        ]),
      )}`,
    })
  )
}

function stateOf({ isInUse, isOver }: EndLine): 'free' | 'error' | 'pending' {
  if (!isInUse) return 'free'
  return isOver ? 'error' : 'pending'
}

/** Actions whose price is below the vendor's list price. */
export function belowCostCard(lines: readonly BelowCostLine[]): Html | false {
  return (
    lines.length > 0 &&
    card({
      id: 'below-cost',
      title: 'Prices below the vendor’s',
      content: html`<p class="muted">The dearest call of these actions costs you more at the vendor’s list price than the gateway charges. To lower the maximum of a count, set ${code('COUNT_CAPS')}, such as ${code('COUNT_CAPS=render/crawl.limit=20')}, and restart the gateway.</p>${table(
        'Prices below the vendor’s',
        ['Action', { figures: 'Charged' }, { figures: 'Vendor, up to' }, 'With', 'Vendor’s price'],
        lines.map(({ action, price, vendorPrice, count, basis, source }) => [
          code(action),
          price,
          vendorPrice,
          count === null ? '–' : code(count),
          html`${basis}<br><a href="${source}" rel="noreferrer">Source</a>`,
        ]),
      )}`,
    })
  )
}
