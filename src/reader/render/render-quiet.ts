import { setTimeout as pause } from 'node:timers/promises'
import type { Page, Request } from 'playwright-core'
import type { Clock } from '../../lib/clock.ts'

/** Tracks the requests of a page that may return content. */
export type Traffic = {
  /** No such request is active, and none has started or ended for a while. */
  isQuiet(): boolean
  /** A request to the page's own site has been active for a while. */
  isWaiting(): boolean
}

/** Quiet means that no request has started or ended for this long. */
const QUIET_MS = 200
/** A request that is active for longer than a poll may return content. */
const SLOW_MS = 250
/** A longer request is a channel for updates, not a part of the page. */
const CHANNEL_MS = 3_000
const POLL_MS = 50
/** Images, frames, fonts and beacons return no text. */
const TEXT = new Set(['document', 'script', 'stylesheet', 'xhr', 'fetch'])
const ENDLESS = new Set(['websocket', 'eventsource', 'media', 'ping'])

/** Watches the requests that return text, or everything that a screenshot shows. */
export function watchTraffic(page: Page, now: Clock, content: 'text' | 'everything'): Traffic {
  const startedMs = new Map<Request, number>()
  let lastChangeMs = now()
  page.on('request', (request) => {
    const kind = request.resourceType()
    const counts =
      content === 'everything' ? !ENDLESS.has(kind) : TEXT.has(kind) && isInMainFrame(page, request)
    if (!counts) return
    lastChangeMs = now()
    startedMs.set(request, lastChangeMs)
  })
  const ended = (request: Request) => {
    if (startedMs.delete(request)) lastChangeMs = now()
  }
  page.on('requestfinished', ended)
  page.on('requestfailed', ended)
  return {
    isQuiet() {
      const isLoading = [...startedMs.values()].some((ms) => now() - ms < CHANNEL_MS)
      return !isLoading && now() - lastChangeMs >= QUIET_MS
    },
    isWaiting() {
      const site = siteOf(page.url())
      return [...startedMs].some(([request, ms]) => {
        const ageMs = now() - ms
        return ageMs >= SLOW_MS && ageMs < CHANNEL_MS && siteOf(request.url()) === site
      })
    },
  }
}

function isInMainFrame(page: Page, request: Request): boolean {
  try {
    return request.frame() === page.mainFrame()
  } catch {
    // The frame of a first navigation, or of a worker, is not available.
    return true
  }
}

/** The last two labels of a host, or the whole address. */
function siteOf(address: string): string {
  const host = URL.parse(address)?.hostname ?? ''
  return /^[\d.:[\]]+$/.test(host) ? host : host.split('.').slice(-2).join('.')
}

/**
 * Polls until the condition holds, for at most `maxMs` or until the signal aborts. Rejects only if
 * the condition does.
 */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  maxMs: number,
  signal: AbortSignal,
  now: Clock,
): Promise<void> {
  const endMs = now() + maxMs
  while (!signal.aborted && now() < endMs && !(await condition()))
    await pause(POLL_MS, undefined, { signal }).catch(() => undefined)
}
