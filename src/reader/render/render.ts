import type { Page, Response } from 'playwright-core'
import { AppError } from '../../errors/app-error.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Guard } from '../../upstream/guard.ts'
import { orAborted } from './or-aborted.ts'
import type { PageBrowser } from './browser.ts'
import { DocumentTooLarge, watchDocuments } from './document-size.ts'
import { hasEnd } from '../fetch/body-end.ts'
import type { GetOptions } from '../fetch/resource.ts'
import { fileTypeOf } from '../fetch/file-type.ts'
import { MAX_PAGE_BYTES } from '../fetch/get.ts'
import { PageStuck, watchResponses } from './responsiveness.ts'
import { reasonOf, type FailureReason, type PageFailure } from '../fetch/page-failure.ts'
import { followNavigation, restrictPage, createNavigation, type Navigation } from './navigation.ts'
import {
  isProxyAnswer,
  isTunnelRefusal,
  NavigationFailed,
  reasonOfNavigation,
  reasonOfRefusal,
} from './render-failure.ts'
import { takeSnapshot, type Snapshot } from './render-snapshot.ts'
import { watchTraffic } from './render-quiet.ts'
import { settlePage, type SettleLimits } from './settle-page.ts'

export type RenderRequest = {
  url: string
  /** How long to wait after the page has loaded; 0 lets the renderer decide. */
  waitForMs: number
  /** Covers everything, including the wait for a free browser page. */
  timeoutMs: number
  signal: AbortSignal
  /** The account that the browser page counts for. */
  accountId: string
  includesScreenshot: boolean
  /** A CSS selector of an element that the page must have before it is read. */
  selector?: string | undefined
}
export type RenderedPage = Omit<Snapshot, 'text'> & {
  kind: 'rendered'
  url: string
  /** The URL after all redirects, also by scripts. */
  finalUrl: string
  status: number
  contentType: string
  /** The first screen as PNG; undefined if not requested or if drawing failed. */
  screenshot?: Buffer | undefined
}
/**
 * Reads a page in the browser. Rejects with `overloaded`, `rate_limited` or
 * `upstream_not_configured`; returns a page's own failure.
 */
export type RenderPage = (request: RenderRequest) => Promise<RenderedPage | PageFailure>

export type RenderSettings = {
  browser: PageBrowser
  guard: Guard
  /** Checks robots.txt before and after reading the page, if the operator enables that. */
  mayRead?:
    | ((url: URL, options: { signal: AbortSignal; timeoutMs: number }) => Promise<boolean>)
    | undefined
  /** Reports whether a compressed page is cut, which the browser does not report. */
  isCut?: ((url: string, options: GetOptions) => Promise<boolean>) | undefined
  now: Clock
  limits?: Partial<RenderLimits> | undefined
}
export type RenderLimits = SettleLimits & {
  /** A page with a large document is aborted if it does not respond for this long while loading. */
  answerMs: number
  /** Any page is aborted if it does not respond for this long before it is read. */
  stuckMs: number
  /**
   * A page with an error status that does not navigate is read after this time, even if a longer
   * wait was requested.
   */
  errorMs: number
  /** Reading an unresponsive page is aborted after this time. */
  readMs: number
}

// Browsers report an unresponsive page after the same time.
const STUCK_MS = 15_000

const LIMITS: RenderLimits = {
  loadMs: 20_000,
  quietMs: 5_000,
  thinMs: 2_500,
  answerMs: 5_000,
  stuckMs: STUCK_MS,
  errorMs: 5_000,
  readMs: 20_000,
}
const SCREENSHOT_TIMEOUT_MS = 10_000
const READING_MS = 3_000
/** The markup that the browser adds around text without tags. */
const BROWSER_WRAPPER = /^<!doctype html><html><head><\/head><body>/
const NOT_A_PAGE = /^(image|audio|video|font)\//

export function createRenderer(settings: RenderSettings): RenderPage {
  const limits = { ...LIMITS, ...settings.limits }
  const mayRead = async (address: string, { timeoutMs }: RenderRequest, signal: AbortSignal) => {
    const url = new URL(address)
    return (
      settings.guard.isOwnPage(url) ||
      ((await settings.mayRead?.(url, { signal, timeoutMs })) ?? true)
    )
  }

  return async (request) => {
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(request.timeoutMs)])
    const endMs = settings.now() + request.timeoutMs - readingTime(request)
    const navigation = createNavigation(request.url)
    const fail = (reason: FailureReason): PageFailure => ({
      kind: 'failed',
      reason,
      url: request.url,
      finalUrl: navigation.address,
      ...(navigation.response === undefined ? {} : { status: navigation.response.status() }),
    })
    try {
      if (!(await mayRead(settings.guard.checkUrl(request.url).href, request, signal)))
        return fail('robots')
      const read = await settings.browser.withPage(
        { accountId: request.accountId, signal },
        (page) =>
          readPage(
            page,
            request,
            navigation,
            AbortSignal.any([signal, AbortSignal.timeout(Math.max(0, endMs - settings.now()))]),
          ),
      )
      if (typeof read === 'string') return fail(read)
      if (isProxyAnswer(read, read.text))
        return fail(await reasonOfRefusal(settings.guard, read.finalUrl, signal))
      if (read.finalUrl !== request.url && !(await mayRead(read.finalUrl, request, signal)))
        return fail('robots')
      const { text: _text, unendedUrl, ...page } = read
      if (
        unendedUrl !== undefined &&
        (await settings.isCut?.(unendedUrl, { signal, timeoutMs: request.timeoutMs }))
      )
        return fail('incomplete')
      return page
    } catch (error) {
      if (request.signal.aborted) return fail('aborted')
      if (signal.aborted) return fail('timeout')
      if (error instanceof DocumentTooLarge) return fail('too_large')
      if (error instanceof PageStuck) return fail('timeout')
      if (isTunnelRefusal(error))
        return fail(await reasonOfRefusal(settings.guard, navigation.address, signal))
      if (error instanceof AppError && error.code !== 'bad_url') throw error
      return fail(error instanceof AppError ? reasonOf(error) : reasonOfNavigation(error))
    }
  }

  /** `deadline` aborts waiting; reading begins then. */
  async function readPage(
    page: Page,
    request: RenderRequest,
    navigation: Navigation,
    deadline: AbortSignal,
  ) {
    const traffic = watchTraffic(
      page,
      settings.now,
      request.includesScreenshot ? 'everything' : 'text',
    )
    await restrictPage(page, request.includesScreenshot)
    followNavigation(page, navigation, limits.errorMs)
    const documents = await watchDocuments(page, {
      maxBytes: MAX_PAGE_BYTES,
      answerMs: limits.answerMs,
    })
    const responses = await watchResponses(page, limits.stuckMs)
    async function load(): Promise<void> {
      try {
        await page.goto(request.url, { waitUntil: 'commit', timeout: 0 })
        await settlePage(page, {
          waitForMs: request.waitForMs,
          traffic,
          limits,
          now: settings.now,
          deadline: AbortSignal.any([deadline, navigation.stayedAtError.signal]),
          endedEarly: navigation.endedEarly.signal,
        })
        if (request.selector !== undefined) await waitForElement(page, request.selector, deadline)
      } finally {
        clearTimeout(navigation.errorTimer)
        documents.loaded()
        await responses.lastResponse()
      }
    }
    return orAborted(
      load().then(() => readLoaded(page, request, navigation)),
      AbortSignal.any([documents.tooLarge, responses.stuck]),
    )
  }

  async function readLoaded(page: Page, request: RenderRequest, navigation: Navigation) {
    if (page.url().startsWith('chrome-error:')) throw new NavigationFailed(navigation.failure)
    const contentType =
      navigation.response?.headers()['content-type']?.split(';')[0]?.trim().toLowerCase() ?? ''
    if (NOT_A_PAGE.test(contentType)) return 'not_html'
    if (navigation.isIncomplete) return 'incomplete'
    const snapshot = await orAborted(
      takeSnapshot(page, MAX_PAGE_BYTES),
      AbortSignal.timeout(limits.readMs),
    )
    if (snapshot === undefined) return 'too_large'
    const source = snapshot.html.replace(BROWSER_WRAPPER, '')
    if (fileTypeOf(source, source) !== undefined) return 'not_html'
    const screenshot = request.includesScreenshot ? await drawPage(page) : undefined
    const unendedUrl = await findUnended(navigation.response)
    const status = navigation.response?.status() ?? 200
    return {
      kind: 'rendered' as const,
      url: request.url,
      finalUrl: navigation.address,
      status,
      contentType,
      ...snapshot,
      screenshot,
      unendedUrl,
    }
  }
}

/** Rejects with PageStuck if the element does not appear before the deadline. */
async function waitForElement(page: Page, selector: string, deadline: AbortSignal): Promise<void> {
  const appears = page.locator(`css=${selector}`).first().waitFor({ state: 'attached', timeout: 0 })
  await orAborted(appears, deadline).catch(() => {
    throw new PageStuck()
  })
}

/** The URL of a compressed document without an end tag. */
async function findUnended(response: Response | null | undefined): Promise<string | undefined> {
  if (response?.headers()['content-encoding'] === undefined) return undefined
  const body = await response.body().catch(() => undefined)
  return body === undefined || hasEnd(body) ? undefined : response.url()
}

async function drawPage(page: Page): Promise<Buffer | undefined> {
  return page
    .screenshot({ type: 'png', timeout: SCREENSHOT_TIMEOUT_MS, animations: 'disabled' })
    .catch(() => undefined)
}

/** The time reserved for reading and drawing. */
function readingTime({ timeoutMs, includesScreenshot }: RenderRequest): number {
  return Math.min(timeoutMs / 4, includesScreenshot ? READING_MS * 2 : READING_MS)
}
