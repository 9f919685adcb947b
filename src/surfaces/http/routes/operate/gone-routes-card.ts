import { routeKey, type GoneRoute } from '../../../../calls/lanes/gone-routes.ts'
import { badge } from '../../html/components/badge.ts'
import { actionForm } from '../../html/components/button.ts'
import { card } from '../../html/components/card.ts'
import { table } from '../../html/components/table.ts'
import { code } from '../../html/components/text.ts'
import { html, type Html } from '../../html/html.ts'
import { OPERATOR_PATH } from '../../html/layout/navigation.ts'
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
      content: html`<p class="muted">Vendors answered that these routes no longer exist. Their actions are not live, and calls are not charged. A route leaves the list when it answers again. Remove it to use it immediately, such as after an outage of the vendor.</p>${table(
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
