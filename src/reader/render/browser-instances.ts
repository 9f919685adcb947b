import { AppError } from '../../errors/app-error.ts'
import type { Clock } from '../../lib/clock.ts'
import { startGuardProxy, type GuardProxy } from '../../upstream/guard-proxy.ts'
import type { Guard } from '../../upstream/guard.ts'
import { limitPageMemory } from './browser-memory.ts'
import { describeConfinement, startBrowserProcess, type BrowserProcess } from './browser-process.ts'
import { browserFolder } from './browser-user.ts'
import { createBrowserFinder } from './find-browser.ts'

export type BrowserStatus = { status: 'ready' | 'unavailable' | 'not started'; detail: string }
export type InstanceSettings = {
  guard: Guard
  /** A process is replaced after this many pages. Default: 200. */
  pagesPerProcess?: number | undefined
  /** A page that uses more memory crashes. Default: 1.5 GiB. */
  pageMemoryBytes?: number | undefined
  /** The folder of the unpacked browser; shared between processes. */
  cacheFolder: string
  /** Folders to search for programs of the system: the environment's PATH. */
  searchPath: string
  /** The operator's Chromium, if set. */
  chromiumPath?: string | null | undefined
  /**
   * Renders pages without the browser sandbox where the system provides none; otherwise such a
   * system does not render.
   */
  allowUnsandboxed?: boolean | undefined
  now: Clock
}

/** A browser process with the number of pages opened so far and of pages open now. */
export type BrowserInstance = BrowserProcess & {
  opened: number
  active: number
  isRetired: boolean
  idle: NodeJS.Timeout | undefined
}

export type BrowserInstances = {
  /**
   * Returns an instance for one page: the running one or a new one. Rejects with
   * `upstream_not_configured` if none starts.
   */
  lease(): Promise<BrowserInstance>
  release(instance: BrowserInstance): void
  /** Stops opening pages in this instance. It ends with its last page. */
  retire(instance: BrowserInstance): void
  status(): BrowserStatus
  /** Ends all instances and the proxy. */
  close(): Promise<void>
}

const PAGES_PER_PROCESS = 200
const PAGE_MEMORY_BYTES = 1.5 * 1024 ** 3
const IDLE_MS = 5 * 60_000
/** After a failed start, callers get the error immediately for this long. */
const RETRY_START_MS = 30_000
/** The browser may end between its start and the lease. */
const MAX_LEASE_ATTEMPTS = 3

/**
 * Shares one browser process, started with the first page and again after it ends. A retired one
 * may still have pages.
 */
export function createBrowserInstances(settings: InstanceSettings): BrowserInstances {
  const findBrowser = createBrowserFinder(settings)
  const running = new Set<BrowserInstance>()
  let current: Promise<BrowserInstance> | undefined
  let proxy: Promise<GuardProxy> | undefined
  let failure: { atMs: number; detail: string; error: AppError } | undefined

  async function start(): Promise<BrowserInstance> {
    const files = await findBrowser(await browserFolder(settings.cacheFolder))
    proxy ??= startGuardProxy(settings.guard)
    const terms = {
      proxyUrl: (await proxy).url,
      allowUnsandboxed: settings.allowUnsandboxed === true,
    }
    const started = await startBrowserProcess(files, terms).catch((error: unknown) => {
      if (files.packaged === undefined) throw error
      return startBrowserProcess(files.packaged, terms)
    })
    await limitPageMemory(started.browser, settings.pageMemoryBytes ?? PAGE_MEMORY_BYTES).catch(
      async (error: unknown) => {
        await started.close()
        throw error
      },
    )
    const instance: BrowserInstance = {
      ...started,
      opened: 0,
      active: 0,
      isRetired: false,
      idle: undefined,
    }
    running.add(instance)
    started.browser.once('disconnected', () => forget(instance))
    return instance
  }

  function startOnce(): Promise<BrowserInstance> {
    if (failure !== undefined && settings.now() - failure.atMs < RETRY_START_MS)
      return Promise.reject(failure.error)
    current ??= start().catch((cause: unknown) => {
      const error = new AppError(
        'upstream_not_configured',
        'The browser cannot start on this gateway.',
        { cause },
      )
      failure = { atMs: settings.now(), detail: firstLines(cause), error }
      current = undefined
      throw error
    })
    return current
  }

  async function lease(attempt = 1): Promise<BrowserInstance> {
    const instance = await startOnce()
    if (instance.isRetired && attempt < MAX_LEASE_ATTEMPTS) return lease(attempt + 1)
    failure = undefined
    clearTimeout(instance.idle)
    instance.active += 1
    instance.opened += 1
    if (instance.opened >= (settings.pagesPerProcess ?? PAGES_PER_PROCESS)) retire(instance)
    return instance
  }

  function release(instance: BrowserInstance): void {
    instance.active -= 1
    if (instance.active > 0) return
    if (instance.isRetired) void instance.close()
    else instance.idle = setTimeout(() => retire(instance), IDLE_MS).unref()
  }

  function retire(instance: BrowserInstance): void {
    if (!instance.isRetired) current = undefined
    instance.isRetired = true
    clearTimeout(instance.idle)
    if (instance.active === 0) void instance.close()
  }

  function forget(instance: BrowserInstance): void {
    retire(instance)
    running.delete(instance)
  }

  function status(): BrowserStatus {
    if (failure !== undefined) return { status: 'unavailable', detail: failure.detail }
    const [instance] = running
    if (instance === undefined)
      return { status: 'not started', detail: 'Starts with the first page.' }
    return {
      status: 'ready',
      detail: `Chromium ${instance.browser.version()}, process ${instance.processId}, ${describeConfinement(instance)}.`,
    }
  }

  async function close(): Promise<void> {
    await current?.catch(() => undefined)
    await Promise.all([...running].map((instance) => instance.close()))
    await (await proxy)?.close()
  }

  return { lease: () => lease(), release, retire, status, close }
}

/** The launcher appends pages of log to its message. */
function firstLines(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, 3)
    .join(' ')
    .slice(0, 500)
}
