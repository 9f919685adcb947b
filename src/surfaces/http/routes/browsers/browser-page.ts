import type { Visitor } from '../../../../auth/records/browser-session.ts'
import {
  FRAME_HEIGHT,
  FRAME_WIDTH,
} from '../../../../resources/browsers/in-house/view/screencast.ts'
import type { RecordingState } from '../../../../resources/browsers/recording-state.ts'
import type { BrowserView } from '../../../../resources/browsers/read-browsers.ts'
import { describeAllowed } from '../../../../lib/permissions.ts'
import { may } from '../../guards/requires.ts'
import { submitButton } from '../../html/components/button.ts'
import { card, facts } from '../../html/components/card.ts'
import { checkField, fieldError } from '../../html/components/field.ts'
import { emptyState, note } from '../../html/components/note.ts'
import { pageHeader } from '../../html/components/page-header.ts'
import { code } from '../../html/components/text.ts'
import { html, type Html } from '../../html/html.ts'
import { layout, type Site } from '../../html/layout/layout.ts'
import { countOf } from '../account/account-components.ts'
import { accountUrl } from '../account/account-url.ts'
import type { FieldErrors } from '../visitor/field-errors.ts'
import { browserCrumbs, browserPath, momentOf, stateBadge, timeLeft } from './browser-parts.ts'

const REFRESH_SECONDS = 3

export type BrowserPageView = {
  readonly visitor: Visitor
  readonly browser: BrowserView
  /** A link to the stored video, for an hour. */
  readonly videoUrl: string | null
  readonly nowMs: number
  readonly errors: FieldErrors
  /** The result of a form. */
  readonly done?: string
  readonly problem?: string
}

/** One browser session with its live image. View only. */
export function browserPage(site: Site, view: BrowserPageView): string {
  const { visitor, browser, done, problem } = view
  return layout(site, {
    path: browserPath(browser.session),
    title: 'Browser session',
    description: 'A browser session of the account.',
    unlisted: true,
    accountQuery: accountUrl('', visitor),
    viewer: visitor,
    crumbs: browserCrumbs(visitor),
    islands: ['refresh'],
    ...(done === undefined ? {} : { confirmation: done }),
    main: html`${pageHeader({
      title: 'Browser session',
      crumbs: browserCrumbs(visitor),
      meta: html`${code(browser.session)}`,
    })}
${problem !== undefined && note('bad', problem)}
<div class="split">
<div class="stack">${image(view)}</div>
<div class="stack">${state(view)}${browser.isOpen && releaseCard(view)}</div>
</div>`,
  })
}

/** Outside the part that is refreshed, because a new element would open a new stream. */
function image({ browser: { session, isOpen, isOwn }, videoUrl }: BrowserPageView): Html {
  if (videoUrl !== null)
    return html`<figure class="live-view"><video src="${videoUrl}" width="${FRAME_WIDTH}" height="${FRAME_HEIGHT}" controls preload="metadata"></video>
<figcaption class="hint">The recording of this session, without sound. Parts of more than 10 seconds without changes are cut to 10 seconds.</figcaption></figure>`
  if (!isOpen) return emptyState('window', 'This session has ended.')
  if (!isOwn) return note('info', 'A vendor runs this session, so this page cannot show its image.')
  return html`<figure class="live-view"><img src="/api/v1/browsers/${encodeURIComponent(session)}/live" width="${FRAME_WIDTH}" height="${FRAME_HEIGHT}" alt="The page that the browser shows now">
<figcaption class="hint">Live, up to five images a second. View only: clicks and keys do not reach the browser.</figcaption></figure>`
}

function state({ browser, videoUrl, nowMs }: BrowserPageView): Html {
  const { isOpen, page, viewers } = browser
  return html`<div id="browser-state"${(isOpen || browser.recording?.status === 'saving') && html` data-refresh="${REFRESH_SECONDS}"`}>${card(
    {
      title: 'State',
      aside: stateBadge(browser),
      content: facts([
        ...(page === null
          ? []
          : ([
              [
                'Page',
                page.title === ''
                  ? html`<span class="muted">No title</span>`
                  : html`<bdi>${page.title}</bdi>`,
              ],
              ['Address', html`<code class="page-address">${page.url}</code>`],
            ] as const)),
        ...(isOpen ? [['Time left', timeLeft(browser, nowMs)] as const] : []),
        ['Paid until', momentOf(browser.paidUntilMs)],
        ['Opened', momentOf(browser.openedMs)],
        ...(browser.endedMs === null ? [] : [['Ended', momentOf(browser.endedMs)] as const]),
        ...(browser.recording === null
          ? []
          : [['Recording', recordingText(browser.recording, videoUrl)] as const]),
        ...(viewers === null ? [] : [['Watching now', countOf(viewers, 'viewer')] as const]),
      ]),
    },
  )}</div>`
}

const RECORDINGS = {
  recording: 'Running. The video is stored when the session ends.',
  saving: 'Saving…',
  failed: 'No video could be stored.',
} as const

function recordingText(
  { status, file_id: fileId }: RecordingState,
  videoUrl: string | null,
): Html | string {
  if (status !== 'stored') return RECORDINGS[status]
  if (videoUrl === null) return 'The video was deleted.'
  return html`<a href="${videoUrl}">Download video</a><br><code class="page-address">${fileId}</code>`
}

function releaseCard({ visitor, browser, errors }: BrowserPageView): Html {
  if (visitor.role !== null && !may(visitor, 'calls.run'))
    return note('info', `${describeAllowed('calls.run')} of this account can end sessions.`)
  const error = errors['sure']
  return card({
    title: 'Release',
    id: 'release',
    kind: 'danger',
    content: html`<form class="stack" action="${accountUrl(`${browserPath(browser.session)}/release`, visitor)}" method="post">
<p class="hint">Ends the browser and disconnects its clients. Remaining minutes are not refunded.</p>
${checkField({ label: 'End this session now', name: 'sure', value: 'yes', required: true, isWrong: error !== undefined })}
${error !== undefined && fieldError('sure', error)}
${submitButton('Release', { kind: 'danger', block: true })}</form>`,
  })
}
