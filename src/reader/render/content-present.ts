import type { Page } from 'playwright-core'
import type { Clock } from '../../lib/clock.ts'
import { evaluateIsolated } from './isolated-world.ts'
import type { Traffic } from './render-quiet.ts'

/** Unchanged text is complete after this time if the network is quiet. */
const STABLE_MS = 200
/** The same while requests continue: polls, trackers and slow third parties. */
const STABLE_IN_TRAFFIC_MS = 1_000
const THIN_CHARACTERS = 200

type Progress = { readonly isParsed: boolean; readonly size: number; readonly isThin: boolean }

/**
 * Sizes change with every insertion and need no layout. Text in shadow trees, nested or
 * not, counts only if there is little other text, because finding it visits every element.
 */
const READ_PROGRESS = `(() => {
  const body = document.body
  const size = (body?.textContent ?? '').length + document.getElementsByTagName('*').length
  const isLong = (text) => text.slice(0, 500).trim().length >= ${THIN_CHARACTERS}
  const shadowText = (root, text = '') => {
    for (const { shadowRoot } of root.querySelectorAll('*')) {
      if (shadowRoot === null) continue
      const own = [...shadowRoot.children].filter((child) => child.localName !== 'style').map((child) => child.textContent)
      text = shadowText(shadowRoot, (text + ' ' + own.join(' ')).trimStart())
      if (isLong(text)) return text
    }
    return text
  }
  const hasShadowText = () => isLong(shadowText(document))
  const isThin = () => document.scripts.length > 0 && !isLong((body?.innerText ?? '').trimStart()) && !hasShadowText()
  return { isParsed: document.readyState !== 'loading', size, isThin: isThin() }
})()`

/**
 * `isSettled`: the document is parsed, its text has stopped changing, and the page's own requests
 * have been answered. `isThin`: scripts may still fill the page, which has little text.
 */
export type ContentState = { readonly isSettled: boolean; readonly isThin: boolean }

/** Returns a function that reads the state of the page's content. */
export function watchContent(
  page: Page,
  traffic: Traffic,
  now: Clock,
): () => Promise<ContentState> {
  let lastSize = -1
  let unchangedSinceMs = now()
  return async () => {
    const { isParsed, size, isThin } = (await evaluateIsolated(page, READ_PROGRESS)) as Progress
    if (size !== lastSize) {
      lastSize = size
      unchangedSinceMs = now()
    }
    const unchangedMs = now() - unchangedSinceMs
    const isStable = traffic.isQuiet()
      ? unchangedMs >= STABLE_MS
      : unchangedMs >= STABLE_IN_TRAFFIC_MS && !traffic.isWaiting()
    return { isSettled: isParsed && isStable, isThin }
  }
}
