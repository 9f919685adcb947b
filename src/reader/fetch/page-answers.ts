import type { Page } from 'playwright-core'

/** A script of the page, or its layout, left nobody else a turn for so long that it may never end. */
export class PageStuck extends Error {
  override readonly name = 'PageStuck'
}

type AnswerWatch = {
  /** Fires with PageStuck. */
  readonly stuck: AbortSignal
  /** The page is about to be read, which keeps it busy too: resolves when it has answered once more, and nobody asks any longer. */
  answered(): Promise<void>
}

const ASK_AGAIN_MS = 500

/**
 * Asks the page again and again whether it still answers. One that waits for its network answers at once; a script that
 * never ends answers nothing, and would keep its place in the browser until every other patience is over.
 */
export async function watchAnswers(page: Page, stuckMs: number): Promise<AnswerWatch> {
  const stuck = new AbortController()
  const ending = new AbortController()
  const ended = new Promise((resume) => ending.signal.addEventListener('abort', resume))
  const session = await page.context().newCDPSession(page)

  async function ask(): Promise<void> {
    const patience = setTimeout(() => stuck.abort(new PageStuck()), stuckMs)
    // A question is lost when the page goes elsewhere, and when it is closed.
    await session.send('Runtime.evaluate', { expression: '0' }).catch(() => undefined)
    clearTimeout(patience)
  }

  async function keepAsking(): Promise<void> {
    while (!ending.signal.aborted) {
      await ask()
      await Promise.race([ended, new Promise((resume) => setTimeout(resume, ASK_AGAIN_MS))])
    }
    await ask()
  }

  const asking = keepAsking()
  return {
    stuck: stuck.signal,
    answered() {
      ending.abort()
      return asking
    },
  }
}
