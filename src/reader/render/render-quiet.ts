import { setTimeout as pause } from 'node:timers/promises'
import type { Page, Request } from 'playwright-core'
import type { Clock } from '../../lib/clock.ts'

/** Tracks the requests of a page. */
export type Traffic = { isQuiet(): boolean }

/** Quiet means that no request has started or ended for this long. */
const QUIET_MS = 300
/** A longer request is a channel for updates, not a part of the page. */
const CHANNEL_MS = 3_000
const POLL_MS = 50
const ENDLESS = new Set(['websocket', 'eventsource', 'media', 'ping'])

export function watchTraffic(page: Page, now: Clock): Traffic {
  const startedMs = new Map<Request, number>()
  let lastChangeMs = now()
  page.on('request', (request) => {
    if (ENDLESS.has(request.resourceType())) return
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
  }
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
