import { setTimeout as pause } from 'node:timers/promises'
import type { CDPSession, Page } from 'playwright-core'

/** A document grew past what is read of one while it was still coming, or is so large that its page does not answer any more. */
export class DocumentTooLarge extends Error {
  override readonly name = 'DocumentTooLarge'
}

export type DocumentLimits = {
  readonly maxBytes: number
  /** A page with a large document that does not answer for so long while it loads is given up. */
  readonly answerMs: number
}

export type DocumentWatch = {
  /** Fires with DocumentTooLarge. */
  readonly tooLarge: AbortSignal
  /** The page has loaded: how long it takes to answer is not looked at any more. */
  loaded(): void
}

/** Few pages are larger, and those that are take a second to be laid out. */
const LARGE_BYTES = 2 * 1024 * 1024
const ASK_AGAIN_MS = 500

/**
 * Watches how large the documents of the page, its frames' included, are when unpacked. The browser has no limit:
 * 60 MB of markup, 60 KB on the wire, keep it busy for minutes and fill a gigabyte. A few megabytes of nothing but
 * tags are enough for that, and then nobody hears how much more has come: so a page with a large document is asked
 * whether it still answers.
 */
export async function watchDocuments(
  page: Page,
  { maxBytes, answerMs }: DocumentLimits,
): Promise<DocumentWatch> {
  const tooLarge = new AbortController()
  const loaded = new AbortController()
  const bytesByRequest = new Map<string, number>()
  let isAsking = false
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
    if (bytes <= LARGE_BYTES || isAsking || loaded.signal.aborted) return
    isAsking = true
    // An answer is lost when the page goes elsewhere, as with the page itself: what it went to is asked anew once that is large.
    keepAsking(session, { answerMs, giveUp, until: loaded.signal })
      .catch(() => undefined)
      .finally(() => (isAsking = false))
  })
  await session.send('Network.enable')
  return { tooLarge: tooLarge.signal, loaded: () => loaded.abort() }
}

async function keepAsking(
  session: CDPSession,
  { answerMs, giveUp, until }: { answerMs: number; giveUp: () => void; until: AbortSignal },
): Promise<void> {
  while (!until.aborted) {
    const patience = setTimeout(giveUp, answerMs)
    const forget = () => clearTimeout(patience)
    until.addEventListener('abort', forget, { once: true })
    await session.send('Runtime.evaluate', { expression: '0' }).finally(forget)
    until.removeEventListener('abort', forget)
    await pause(ASK_AGAIN_MS, undefined, { signal: until })
  }
}
