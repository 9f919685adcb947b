/** Markup that the pages of browser sessions share. */
import type { Visitor } from '../../../../auth/records/browser-session.ts'
import { toRfc3339 } from '../../../../lib/clock.ts'
import { MINUTE_MS } from '../../../../resources/browsers/browser-row.ts'
import type { BrowserFacts } from '../../../../resources/browsers/read-browsers.ts'
import { badge } from '../../html/components/badge.ts'
import type { Crumb } from '../../html/components/page-header.ts'
import { time } from '../../html/components/text.ts'
import { html, type Html } from '../../html/html.ts'
import { countOf } from '../account/account-components.ts'
import { accountUrl } from '../account/account-url.ts'

export const BROWSERS_PATH = '/browsers'

export function browserPath(session: string): string {
  return `${BROWSERS_PATH}/${encodeURIComponent(session)}`
}

export function browserCrumbs(visitor: Visitor): readonly Crumb[] {
  return [{ label: 'Browsers', href: accountUrl(BROWSERS_PATH, visitor) }, { label: 'Session' }]
}

export function stateBadge({ isOpen }: Pick<BrowserFacts, 'isOpen'>): Html {
  return isOpen ? badge('live', 'Open') : badge('free', 'Ended')
}

/** "12 minutes", rounded up, so that an open session never has none. */
export function timeLeft({ paidUntilMs }: Pick<BrowserFacts, 'paidUntilMs'>, nowMs: number): Html {
  const minutes = Math.max(1, Math.ceil((paidUntilMs - nowMs) / MINUTE_MS))
  return html`<span title="${toRfc3339(paidUntilMs)}">${countOf(minutes, 'minute')}</span>`
}

export function momentOf(ms: number): Html {
  return time(toRfc3339(ms))
}
