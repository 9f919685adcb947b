import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import type { Clock } from '../../lib/clock.ts'
import { watchContent, type ContentState } from './content-present.ts'
import { orAborted } from './or-aborted.ts'
import { waitUntil, type Traffic } from './render-quiet.ts'
import { acceptConsent, removeConsent, scrollThrough } from './reveal-parts.ts'

export type SettleLimits = {
  /** How long the document may take to be parsed, and the load event of a page without text. */
  readonly loadMs: number
  /** How long to wait afterwards for the text to stop changing. */
  readonly quietMs: number
  /** How long to wait afterwards for text if the page has scripts but little text. */
  readonly thinMs: number
}
const REPORTED_MS = 50

type Settling = {
  readonly waitForMs: number
  readonly traffic: Traffic
  readonly limits: SettleLimits
  readonly now: Clock
  /** Ends all waits. The page is then read as it is. */
  readonly deadline: AbortSignal
  readonly endedEarly: AbortSignal
}

/**
 * Waits until the page shows its content, within the limits, then reveals more of it: scrolls lazy
 * parts into view, accepts a consent banner in front of a page without text, and removes the
 * others. Never rejects because of the page.
 */
export async function settlePage(page: Page, settling: Settling): Promise<void> {
  const { waitForMs, traffic, limits, now, deadline, endedEarly } = settling
  const until = <T>(work: Promise<T>, maxMs: number) =>
    orAborted(work, AbortSignal.any([deadline, AbortSignal.timeout(maxMs)])).catch(() => undefined)
  const readState = watchContent(page, traffic, now)
  let state: ContentState = { isSettled: false, isThin: true }
  const wait = (isOver: () => boolean, maxMs: number) =>
    until(
      waitUntil(
        async () => {
          state = await readState()
          return isOver()
        },
        maxMs,
        deadline,
        now,
      ),
      maxMs,
    )
  const isPresent = () => state.isSettled && !state.isThin

  await until(
    orAborted(page.waitForLoadState('domcontentloaded', { timeout: 0 }), endedEarly),
    limits.loadMs,
  )
  if (waitForMs > 0) await pause(waitForMs, undefined, { signal: deadline }).catch(() => undefined)
  else await wait(() => state.isSettled || endedEarly.aborted, limits.quietMs)
  if (deadline.aborted || endedEarly.aborted) return
  if (waitForMs === 0 && state.isThin) {
    await until(acceptConsent(page), limits.thinMs)
    let isLoaded = false
    void page.waitForLoadState('load', { timeout: 0 }).then(
      () => (isLoaded = true),
      () => (isLoaded = true),
    )
    await wait(() => isPresent() || isLoaded, limits.loadMs)
    await wait(isPresent, limits.thinMs)
  }
  const hasScrolled = await until(scrollThrough(page), limits.thinMs)
  // The requests of lazy parts are reported a little later.
  if (hasScrolled === true) await pause(REPORTED_MS)
  if (!traffic.isQuiet()) await wait(() => state.isSettled, limits.thinMs)
  await until(removeConsent(page), limits.thinMs)
}
