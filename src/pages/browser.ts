import type { BrowserContextOptions, Page } from 'playwright-core'
import { AppError } from '../errors/app-error.ts'
import type { Clock } from '../lib/clock.ts'
import { startGuardProxy, type GuardProxy } from '../upstream/guard-proxy.ts'
import type { Guard } from '../upstream/guard.ts'
import { orAborted } from './browser-abort.ts'
import { ensureBrowserFiles } from './browser-files.ts'
import { limitPageMemory } from './browser-memory.ts'
import { startBrowserProcess, type BrowserProcess } from './browser-process.ts'
import { createSlots, type SlotUse, type Visitor } from './fair-slots.ts'

export type BrowserStatus = { status: 'ready' | 'unavailable' | 'not started'; detail: string }
export type PageBrowser = {
  /**
   * Runs `work` on a fresh page in a context of its own, which is gone afterwards. Rejects with `overloaded` or
   * `rate_limited` when too many wait, of all accounts or of this one, `upstream_not_configured` when the browser cannot start, PageCrashed, the signal's reason, or what
   * `work` rejects with.
   */
  withPage<T>(visitor: Visitor, work: (page: Page) => Promise<T>, screen?: Screen): Promise<T>
  status(): BrowserStatus
  use(): SlotUse
  /** Ends every page and process. */
  close(): Promise<void>
}
/** What a page is told about the screen; the browser's usual one when left out. */
export type Screen = { readonly width: number; readonly height: number; readonly density: number }
export type BrowserSettings = {
  guard: Guard
  userAgent: string
  /** Pages open at once. */
  concurrency: number
  /** Callers that may wait for a page, of whom one account has half at most; twenty times `concurrency` when left out. */
  maxWaiting?: number | undefined
  /** A process is replaced after so many pages; 200 when left out. */
  pagesPerProcess?: number | undefined
  /** A page that takes more memory crashes; 1.5 GiB when left out. */
  pageMemoryBytes?: number | undefined
  /** Folder that holds the unpacked browser; shared between processes. */
  cacheFolder: string
  now: Clock
}

/** The page's own process ended: out of memory, as a rule. */
export class PageCrashed extends Error {
  override readonly name = 'PageCrashed'
}

type Instance = BrowserProcess & { opened: number; active: number; isRetired: boolean; idle: NodeJS.Timeout | undefined }

const PAGES_PER_PROCESS = 200
const PAGE_MEMORY_BYTES = 1.5 * 1024 ** 3
const WAITING_PER_PAGE = 20
const OPEN_TIMEOUT_MS = 10_000
const CLOSE_PAGE_TIMEOUT_MS = 3_000
const IDLE_MS = 5 * 60_000
/** After a start that failed, callers are told so at once for this long. */
const RETRY_START_MS = 30_000
/** The browser can end between its start and the moment when a caller gets it. */
const MAX_LEASE_ATTEMPTS = 3
const USUAL_SCREEN: Screen = { width: 1280, height: 800, density: 1 }

/** One shared browser, started with the first page and again whenever it is gone. */
export function createBrowser(settings: BrowserSettings): PageBrowser {
  const slots = createSlots({ places: settings.concurrency, waiting: settings.maxWaiting ?? settings.concurrency * WAITING_PER_PAGE, what: 'a browser page' })
  const closing = new AbortController()
  const running = new Set<Instance>()
  let current: Promise<Instance> | undefined
  let proxy: Promise<GuardProxy> | undefined
  let failure: { atMs: number; detail: string; error: AppError } | undefined

  async function start(): Promise<Instance> {
    const files = await ensureBrowserFiles(settings.cacheFolder)
    proxy ??= startGuardProxy(settings.guard)
    const started = await startBrowserProcess(files, (await proxy).url)
    await limitPageMemory(started.browser, settings.pageMemoryBytes ?? PAGE_MEMORY_BYTES).catch(async (error: unknown) => {
      await started.close()
      throw error
    })
    const instance: Instance = { ...started, opened: 0, active: 0, isRetired: false, idle: undefined }
    running.add(instance)
    started.browser.once('disconnected', () => forget(instance))
    return instance
  }

  /** No page is opened in it any more. */
  function retire(instance: Instance): void {
    if (!instance.isRetired) current = undefined
    instance.isRetired = true
    clearTimeout(instance.idle)
    if (instance.active === 0) void instance.close()
  }

  function forget(instance: Instance): void {
    retire(instance)
    running.delete(instance)
  }

  function startOnce(): Promise<Instance> {
    if (failure !== undefined && settings.now() - failure.atMs < RETRY_START_MS) return Promise.reject(failure.error)
    current ??= start().catch((cause: unknown) => {
      const error = new AppError('upstream_not_configured', 'The browser cannot start on this gateway.', { cause })
      failure = { atMs: settings.now(), detail: firstLines(cause), error }
      current = undefined
      throw error
    })
    return current
  }

  async function lease(attempt = 1): Promise<Instance> {
    const instance = await startOnce()
    if (instance.isRetired && attempt < MAX_LEASE_ATTEMPTS) return lease(attempt + 1)
    failure = undefined
    clearTimeout(instance.idle)
    instance.active += 1
    instance.opened += 1
    if (instance.opened >= (settings.pagesPerProcess ?? PAGES_PER_PROCESS)) retire(instance)
    return instance
  }

  function giveBack(instance: Instance): void {
    instance.active -= 1
    if (instance.active > 0) return
    if (instance.isRetired) void instance.close()
    else instance.idle = setTimeout(() => retire(instance), IDLE_MS).unref()
  }

  async function useInstance<T>(instance: Instance, signal: AbortSignal, work: (page: Page) => Promise<T>, screen: Screen): Promise<T> {
    const opening = instance.browser.newContext(contextOptions(settings.userAgent, screen))
    try {
      const context = await orAborted(opening, AbortSignal.any([signal, AbortSignal.timeout(OPEN_TIMEOUT_MS)]))
      const page = await orAborted(context.newPage(), signal)
      const crash = new AbortController()
      page.once('crash', () => crash.abort(new PageCrashed()))
      return await orAborted(work(page), AbortSignal.any([signal, crash.signal]))
    } finally {
      const ended = opening.then((context) => context.close())
      // A browser that cannot even close a page takes no more of them.
      await orAborted(ended, AbortSignal.timeout(CLOSE_PAGE_TIMEOUT_MS)).catch(() => retire(instance))
    }
  }

  return {
    async withPage(visitor, work, screen = USUAL_SCREEN) {
      const signal = AbortSignal.any([visitor.signal, closing.signal])
      const giveSlotBack = await slots.take({ accountId: visitor.accountId, signal })
      try {
        // Taken back also when the caller leaves before the browser is up.
        const leasing = lease()
        const instance = await orAborted(leasing, signal).catch((error: unknown) => {
          leasing.then(giveBack, () => undefined)
          throw error
        })
        return await useInstance(instance, signal, work, screen).finally(() => giveBack(instance))
      } finally {
        giveSlotBack()
      }
    },
    use: slots.use,
    status() {
      if (failure !== undefined) return { status: 'unavailable', detail: failure.detail }
      const [instance] = running
      if (instance === undefined) return { status: 'not started', detail: 'Starts with the first page.' }
      const sandbox = instance.isSandboxed ? 'with its sandbox' : 'without its sandbox, which root and some systems do not allow'
      return { status: 'ready', detail: `Chromium ${instance.browser.version()}, process ${instance.processId}, ${sandbox}.` }
    },
    async close() {
      closing.abort(new AppError('shutting_down'))
      await current?.catch(() => undefined)
      await Promise.all([...running].map((instance) => instance.close()))
      await (await proxy)?.close()
    },
  }
}

function contextOptions(userAgent: string, { width, height, density }: Screen): BrowserContextOptions {
  return { userAgent, viewport: { width, height }, deviceScaleFactor: density, locale: 'en-US', acceptDownloads: false, serviceWorkers: 'block' }
}

/** The launcher adds pages of log to its message. */
function firstLines(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.split('\n').filter((line) => line.trim() !== '').slice(0, 3).join(' ').slice(0, 500)
}
