import { setTimeout as pause } from 'node:timers/promises'
import type { CDPSession, Page } from 'playwright-core'

/**
 * A document exceeded the size limit while loading, or is so large that its page stopped
 * responding.
 */
export class DocumentTooLarge extends Error {
  override readonly name = 'DocumentTooLarge'
}

export type DocumentLimits = {
  readonly maxBytes: number
  /**
   * The page is aborted when it has a large document and does not respond for this long while
   * loading.
   */
  readonly answerMs: number
}

export type DocumentWatch = {
  /** Fires with DocumentTooLarge. */
  readonly tooLarge: AbortSignal
  /** Call when the page has loaded: stops the check that it responds. */
  loaded(): void
}

/** Few pages are larger; those that are take about a second to lay out. */
const LARGE_BYTES = 2 * 1024 * 1024
const PROBE_INTERVAL_MS = 500

/**
 * Watches the unpacked size of the page's documents, frames included. The browser has no limit: 60
 * MB of markup (60 KB compressed) keeps it busy for minutes and fills a gigabyte. A few megabytes
 * of tags are enough to block the size events, so a page with a large document is also probed for
 * responsiveness.
 */
export async function watchDocuments(
  page: Page,
  { maxBytes, answerMs }: DocumentLimits,
): Promise<DocumentWatch> {
  const tooLarge = new AbortController()
  const loaded = new AbortController()
  const bytesByRequest = new Map<string, number>()
  let isProbing = false
  const session = await page.context().newCDPSession(page)
  const giveUp = () => tooLarge.abort(new DocumentTooLarge())
  session.on('Network.requestWillBeSent', ({ requestId, type }) => {
    if (type === 'Document') bytesByRequest.set(requestId, 0)
  })
  session.on('Network.dataReceived', ({ requestId, dataLength }) => {
    const before = bytesByRequest.get(requestId)
    if (before === undefined) return
    const bytes = before + dataLength
    bytesByRequest.set(requestId, bytes)
    if (bytes > maxBytes) giveUp()
    if (bytes <= LARGE_BYTES || isProbing || loaded.signal.aborted) return
    isProbing = true
    // The reply is lost when the page navigates. The next large document starts a new probe.
    probeUntilLoaded(session, { answerMs, giveUp, until: loaded.signal })
      .catch(() => undefined)
      .finally(() => (isProbing = false))
  })
  await session.send('Network.enable')
  return { tooLarge: tooLarge.signal, loaded: () => loaded.abort() }
}

async function probeUntilLoaded(
  session: CDPSession,
  { answerMs, giveUp, until }: { answerMs: number; giveUp: () => void; until: AbortSignal },
): Promise<void> {
  while (!until.aborted) {
    const timeout = setTimeout(giveUp, answerMs)
    const clear = () => clearTimeout(timeout)
    until.addEventListener('abort', clear, { once: true })
    await session.send('Runtime.evaluate', { expression: '0' }).finally(clear)
    until.removeEventListener('abort', clear)
    await pause(PROBE_INTERVAL_MS, undefined, { signal: until })
  }
}
