import type { BrowserContextOptions, Page } from 'playwright-core'
import { AppError } from '../../errors/app-error.ts'
import {
  allButOne,
  createSlots,
  type SlotUse,
  type Visitor,
} from '../../lib/fairness/fair-slots.ts'
import { orAborted } from './or-aborted.ts'
import {
  createBrowserInstances,
  type BrowserInstance,
  type BrowserStatus,
  type InstanceSettings,
} from './browser-instances.ts'

export type PageBrowser = {
  /**
   * Runs `work` on a new page in its own context, which is closed afterwards. Rejects with
   * `overloaded` or `rate_limited` if too many visitors of all accounts or of this one wait,
   * `upstream_not_configured` if the browser cannot start, PageCrashed, the signal's reason, or the
   * error of `work`.
   */
  withPage<T>(visitor: Visitor, work: (page: Page) => Promise<T>, view?: Partial<View>): Promise<T>
  status(): BrowserStatus
  use(): SlotUse
  /** Ends all pages and processes. */
  close(): Promise<void>
}
/** The screen that a page sees. */
export type Screen = { readonly width: number; readonly height: number; readonly density: number }
/** `proxyUrl`: the guarding proxy of the page, instead of the one of the browser. */
export type View = { readonly screen: Screen; readonly proxyUrl: string }
export type BrowserSettings = InstanceSettings & {
  userAgent: string
  /** Pages open concurrently. One account has at most all but one. */
  concurrency: number
  /**
   * Visitors that may wait for a page; one account may have half of them. Default: twenty times
   * `concurrency`.
   */
  maxWaiting?: number | undefined
}

/** The page's process ended, usually because it ran out of memory. */
export class PageCrashed extends Error {
  override readonly name = 'PageCrashed'
}

const WAITING_PER_PAGE = 20
const OPEN_TIMEOUT_MS = 10_000
const CLOSE_PAGE_TIMEOUT_MS = 3_000
const DEFAULT_SCREEN: Screen = { width: 1280, height: 800, density: 1 }

/** Pages of one shared browser, assigned to accounts alternately. */
export function createBrowser(settings: BrowserSettings): PageBrowser {
  const { concurrency } = settings
  const slots = createSlots({
    places: concurrency,
    perAccount: allButOne(concurrency),
    waiting: settings.maxWaiting ?? concurrency * WAITING_PER_PAGE,
    what: 'a browser page',
  })
  const closing = new AbortController()
  const instances = createBrowserInstances(settings)

  async function useInstance<T>(
    instance: BrowserInstance,
    signal: AbortSignal,
    work: (page: Page) => Promise<T>,
    view: Partial<View>,
  ): Promise<T> {
    const opening = instance.browser.newContext(contextOptions(settings.userAgent, view))
    try {
      const context = await orAborted(
        opening,
        AbortSignal.any([signal, AbortSignal.timeout(OPEN_TIMEOUT_MS)]),
      )
      const page = await orAborted(context.newPage(), signal)
      const crash = new AbortController()
      page.once('crash', () => crash.abort(new PageCrashed()))
      return await orAborted(work(page), AbortSignal.any([signal, crash.signal]))
    } finally {
      const ended = opening.then((context) => context.close())
      // A browser that cannot close a page opens no more of them.
      await orAborted(ended, AbortSignal.timeout(CLOSE_PAGE_TIMEOUT_MS)).catch(() =>
        instances.retire(instance),
      )
    }
  }

  return {
    async withPage(visitor, work, view = {}) {
      const signal = AbortSignal.any([visitor.signal, closing.signal])
      const releaseSlot = await slots.take({ accountId: visitor.accountId, signal })
      try {
        // Released also if the caller aborts before the browser is up.
        const leasing = instances.lease()
        const instance = await orAborted(leasing, signal).catch((error: unknown) => {
          leasing.then(instances.release, () => undefined)
          throw error
        })
        return await useInstance(instance, signal, work, view).finally(() =>
          instances.release(instance),
        )
      } finally {
        releaseSlot()
      }
    },
    use: slots.use,
    status: instances.status,
    async close() {
      closing.abort(new AppError('shutting_down'))
      await instances.close()
    },
  }
}

function contextOptions(
  userAgent: string,
  { screen: { width, height, density } = DEFAULT_SCREEN, proxyUrl }: Partial<View>,
): BrowserContextOptions {
  return {
    ...(proxyUrl === undefined ? {} : { proxy: { server: proxyUrl } }),
    userAgent,
    viewport: { width, height },
    deviceScaleFactor: density,
    locale: 'en-US',
    acceptDownloads: false,
    serviceWorkers: 'block',
  }
}
