import type { Clock } from '../../lib/clock.ts'
import { startGuardProxy, type GuardProxy } from '../../upstream/guard-proxy.ts'
import { createGuard, type Guard, type GuardSettings } from '../../upstream/guard.ts'
import type { EgressProxy } from '../../upstream/proxies/egress-proxy.ts'
import { openTunnel } from '../../upstream/proxies/open-tunnel.ts'
import { createPageGetter } from '../fetch/get.ts'
import { createInlineFrames } from '../fetch/inline-frames.ts'
import type { LaneCall, LaneInput } from '../lanes/lane-call.ts'
import { createRender2Scrape } from '../lanes/render2-scrape.ts'
import { createRenderScrape } from '../lanes/render-scrape.ts'
import type { ExtractPage, ScrapeReply } from '../lanes/scraped-document.ts'
import type { PageBrowser } from '../render/browser.ts'
import { createRenderer } from '../render/render.ts'
import { proxiesFor, type ProxyWish } from './choose-proxy.ts'

export type Scrape = (input: LaneInput, call: LaneCall) => Promise<ScrapeReply>
type ScrapeThrough = { readonly scrape: Scrape; close(): Promise<void> }

/** Reads pages through the operator's proxies. */
export type ProxiedReaders = {
  readonly proxies: readonly EgressProxy[]
  /**
   * A reader for the wish, null if it names no country and no proxy serves it. Throws AppError as
   * `proxiesFor` does. Proxies of one country alternate.
   */
  readerFor(wish: ProxyWish): Scrape | null
  close(): Promise<void>
}

export type ProxiedDeps = {
  readonly guard: Pick<GuardSettings, 'allowPrivateNetworks' | 'lookup'>
  readonly browser: PageBrowser
  readonly extract: ExtractPage
  readonly userAgent: string
  readonly respectRobots: boolean
  readonly now: Clock
}

export function createProxiedReaders(
  proxies: readonly EgressProxy[],
  deps: ProxiedDeps,
): ProxiedReaders {
  const open = new Map<EgressProxy, ScrapeThrough>()
  let turn = 0
  return {
    proxies,
    readerFor(wish) {
      const suitable = proxiesFor(proxies, wish)
      const proxy = suitable[turn++ % Math.max(1, suitable.length)]
      if (proxy === undefined) return null
      const reader = open.get(proxy) ?? openReader(proxy, deps)
      open.set(proxy, reader)
      return reader.scrape
    },
    async close() {
      await Promise.all([...open.values()].map((reader) => reader.close()))
    },
  }
}

/** The usual readers behind a guard that connects through the proxy. */
function openReader({ url }: EgressProxy, deps: ProxiedDeps): ScrapeThrough {
  const { extract, userAgent, respectRobots, now } = deps
  const guard: Guard = createGuard({
    ...deps.guard,
    tunnel: (target, signal) => openTunnel(url, target, signal),
  })
  let starting: Promise<GuardProxy> | undefined
  const browser: Pick<PageBrowser, 'withPage'> = {
    async withPage(visitor, work, view) {
      starting ??= startGuardProxy(guard)
      const { url: proxyUrl } = await starting
      return deps.browser.withPage(visitor, work, { ...view, proxyUrl })
    },
  }
  const getter = createPageGetter({ guard, userAgent, respectRobots, now })
  const render = createRenderer({
    browser: { ...deps.browser, ...browser },
    guard,
    now,
    isCut: getter.isCut,
    mayRead: respectRobots
      ? async (page, options) =>
          (await getter.robots(page, options)).isAllowed(`${page.pathname}${page.search}`)
      : undefined,
  })
  const inBrowser = createRenderScrape({ render, extract })
  return {
    scrape: createRender2Scrape({
      getter,
      inlineFrames: createInlineFrames({ getter, isOwnPage: guard.isOwnPage }),
      extract,
      inBrowser,
    }),
    async close() {
      await (await starting)?.close()
      await guard.close()
    },
  }
}
