import type { Visitor } from '../../../../auth/records/browser-session.ts'
import type { BrowserFacts } from '../../../../resources/browsers/read-browsers.ts'
import { linkButton } from '../../html/components/button.ts'
import { emptyState, note } from '../../html/components/note.ts'
import { pageHeader } from '../../html/components/page-header.ts'
import { table } from '../../html/components/table.ts'
import { html, type Html } from '../../html/html.ts'
import { layout, type Site } from '../../html/layout/layout.ts'
import { keySessionNote } from '../account/account-components.ts'
import { accountUrl } from '../account/account-url.ts'
import { browserPath, BROWSERS_PATH, momentOf, timeLeft } from './browser-parts.ts'

const REFRESH_SECONDS = 10

export type BrowsersView = {
  readonly visitor: Visitor
  readonly sessions: readonly BrowserFacts[]
  readonly nowMs: number
  readonly problem?: string
}

/** The open browser sessions of the account. */
export function browsersPage(site: Site, view: BrowsersView): string {
  const { visitor, problem } = view
  return layout(site, {
    path: BROWSERS_PATH,
    title: 'Browsers',
    description: 'Open browser sessions of the account.',
    unlisted: true,
    accountQuery: accountUrl('', visitor),
    viewer: visitor,
    islands: ['refresh'],
    main: html`${pageHeader({
      title: 'Browsers',
      lead: 'Open browser sessions that agents of this account drive. Open one to see its page and to end it.',
    })}
${keySessionNote(BROWSERS_PATH, visitor)}
${problem !== undefined && note('bad', problem)}
<div id="sessions" data-refresh="${REFRESH_SECONDS}">${view.sessions.length === 0 ? noSession(visitor) : sessionTable(view)}</div>`,
  })
}

function noSession({ caller }: Visitor): Html {
  return emptyState(
    'window',
    caller.mode === 'test'
      ? 'Test keys open simulated sessions, which have no browser.'
      : 'No open browser sessions. A call of browser/create_session opens one.',
    linkButton('/catalog/browser/create_session', 'View the action', { kind: 'quiet' }),
  )
}

function sessionTable({ visitor, sessions, nowMs }: BrowsersView): Html {
  return table(
    'Open browser sessions',
    ['Session', 'Opened', 'Time left', 'Runs on'],
    sessions.map((one) => [
      html`<a class="given" href="${accountUrl(browserPath(one.session), visitor)}"><code>${one.session}</code></a>`,
      momentOf(one.openedMs),
      timeLeft(one, nowMs),
      one.isOwn ? 'This gateway' : 'The vendor',
    ]),
  )
}
