import type { Page } from 'playwright-core'

/** A script or the layout of the page blocked it for so long that it may never end. */
export class PageStuck extends Error {
  override readonly name = 'PageStuck'
}

type ResponseWatch = {
  /** Fires with PageStuck. */
  readonly stuck: AbortSignal
  /**
   * Call before reading the page, which blocks it too. Stops probing and resolves when the page has
   * responded once more.
   */
  lastResponse(): Promise<void>
}

const PROBE_INTERVAL_MS = 500

/**
 * Probes repeatedly whether the page responds. A page that waits for its network responds
 * immediately. A page blocked by an endless script would occupy its place in the browser until
 * every other timeout.
 */
export async function watchResponses(page: Page, stuckMs: number): Promise<ResponseWatch> {
  const stuck = new AbortController()
  const ending = new AbortController()
  const ended = new Promise((resume) => ending.signal.addEventListener('abort', resume))
  const session = await page.context().newCDPSession(page)

  async function probe(): Promise<void> {
    const timeout = setTimeout(() => stuck.abort(new PageStuck()), stuckMs)
    // The reply is lost when the page navigates or closes.
    await session.send('Runtime.evaluate', { expression: '0' }).catch(() => undefined)
    clearTimeout(timeout)
  }

  async function probeUntilEnding(): Promise<void> {
    while (!ending.signal.aborted) {
      await probe()
      await Promise.race([ended, new Promise((resume) => setTimeout(resume, PROBE_INTERVAL_MS))])
    }
    await probe()
  }

  const probing = probeUntilEnding()
  return {
    stuck: stuck.signal,
    lastResponse() {
      ending.abort()
      return probing
    },
  }
}
