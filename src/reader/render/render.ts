import { setTimeout as pause } from 'node:timers/promises'
import type { Page, Request, Response } from 'playwright-core'
import { AppError } from '../../errors/app-error.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Guard } from '../../upstream/guard.ts'
import { orAborted } from './browser-abort.ts'
import type { PageBrowser } from './browser.ts'
import { DocumentTooLarge, watchDocuments } from './document-size.ts'
import { fileTypeOf } from '../fetch/file-type.ts'
import { MAX_PAGE_BYTES } from '../fetch/get.ts'
import { PageStuck, watchResponses } from './responsiveness.ts'
import { reasonOf, type FailureReason, type PageFailure } from '../fetch/page-failure.ts'
import {
  isProxyAnswer,
  isTunnelRefusal,
  NavigationFailed,
  reasonOfNavigation,
  reasonOfRefusal,
} from './render-failure.ts'
import { seemsUnfinished, takeSnapshot, type Snapshot } from './render-snapshot.ts'
import { waitUntil, watchTraffic, type Traffic } from './render-quiet.ts'

export type RenderRequest = {
  url: string
  /** How long to wait after the page has loaded; 0 leaves it to the renderer. */
  waitForMs: number
  /** For everything, waiting for a free browser page included. */
  timeoutMs: number
  signal: AbortSignal
  /** Whose turn it is at the browser. */
  accountId: string
  wantScreenshot: boolean
}
export type RenderedPage = Omit<Snapshot, 'text'> & {
  kind: 'rendered'
  url: string
  /** After redirects, those by script included. */
  finalUrl: string
  status: number
  contentType: string
  /** PNG of the first screen; missing when not asked for, or when the page would not be drawn. */
  screenshot?: Buffer | undefined
}
/** Reads a page in the browser. Rejects with `overloaded`, `rate_limited` or `upstream_not_configured`; a page's own trouble is a value. */
export type RenderPage = (request: RenderRequest) => Promise<RenderedPage | PageFailure>

export type RenderSettings = {
  browser: PageBrowser
  guard: Guard
  /** The rules of robots.txt, where the operator wants them kept; asked before and after the page is read. */
  mayRead?:
    | ((url: URL, options: { signal: AbortSignal; timeoutMs: number }) => Promise<boolean>)
    | undefined
  now: Clock
  limits?: Partial<RenderLimits> | undefined
}
export type RenderLimits = {
  /** The load event may take so long; then the page is read as it is. */
  loadMs: number
  /** After that, how long to wait for its network to fall quiet. */
  quietMs: number
  /** After that, how long to wait for text when there are scripts and hardly any text. */
  thinMs: number
  /** A page with a large document that answers nothing for so long while it loads is given up. */
  answerMs: number
  /** A page that answers nothing at all for so long before it is read, small as it may be, is given up. */
  stuckMs: number
  /** A page that answered with an error status, and moves on to no other, is read after so long, whatever else is waited for. */
  errorMs: number
  /** A page that is too busy to be read gives its place to others after so long. */
  readMs: number
}

// A browser tells people that a page does not respond after the same time.
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
const MAX_REQUESTS = 1_000
const SCREENSHOT_TIMEOUT_MS = 10_000
const READING_MS = 3_000
const NOT_FOR_TEXT = new Set(['image', 'font', 'media'])
/** What the browser puts around something without any tags. */
const MADE_UP = /^<!doctype html><html><head><\/head><body>/
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
    const progress: Progress = {
      address: request.url,
      response: undefined,
      failure: '',
      brokenOff: new AbortController(),
      isError: new AbortController(),
      errorTimer: undefined,
    }
    const fail = (reason: FailureReason): PageFailure => ({
      kind: 'failed',
      reason,
      url: request.url,
      finalUrl: progress.address,
      ...(progress.response === undefined ? {} : { status: progress.response.status() }),
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
            progress,
            AbortSignal.any([signal, AbortSignal.timeout(Math.max(0, endMs - settings.now()))]),
          ),
      )
      if (typeof read === 'string') return fail(read)
      if (isProxyAnswer(read, read.text))
        return fail(await reasonOfRefusal(settings.guard, read.finalUrl, signal))
      if (read.finalUrl !== request.url && !(await mayRead(read.finalUrl, request, signal)))
        return fail('robots')
      const { text: _text, ...page } = read
      return page
    } catch (error) {
      if (request.signal.aborted) return fail('aborted')
      if (signal.aborted) return fail('timeout')
      if (error instanceof DocumentTooLarge) return fail('too_large')
      if (error instanceof PageStuck) return fail('timeout')
      if (isTunnelRefusal(error))
        return fail(await reasonOfRefusal(settings.guard, progress.address, signal))
      if (error instanceof AppError && error.code !== 'bad_url') throw error
      return fail(error instanceof AppError ? reasonOf(error) : reasonOfNavigation(error))
    }
  }

  /** `cut` is when waiting ends and reading begins. */
  async function readPage(
    page: Page,
    request: RenderRequest,
    progress: Progress,
    cut: AbortSignal,
  ) {
    const traffic = watchTraffic(page, settings.now)
    await restrict(page, request.wantScreenshot)
    followNavigation(page, progress, limits.errorMs)
    const documents = await watchDocuments(page, {
      maxBytes: MAX_PAGE_BYTES,
      answerMs: limits.answerMs,
    })
    const responses = await watchResponses(page, limits.stuckMs)
    async function load(): Promise<void> {
      try {
        await page.goto(request.url, { waitUntil: 'commit', timeout: 0 })
        await settle(
          page,
          request,
          traffic,
          AbortSignal.any([cut, progress.isError.signal]),
          progress.brokenOff.signal,
        )
      } finally {
        clearTimeout(progress.errorTimer)
        documents.loaded()
        await responses.lastResponse()
      }
    }
    return orAborted(
      load().then(() => readLoaded(page, request, progress)),
      AbortSignal.any([documents.tooLarge, responses.stuck]),
    )
  }

  async function readLoaded(page: Page, request: RenderRequest, progress: Progress) {
    if (page.url().startsWith('chrome-error:')) throw new NavigationFailed(progress.failure)
    const contentType =
      progress.response?.headers()['content-type']?.split(';')[0]?.trim().toLowerCase() ?? ''
    if (NOT_A_PAGE.test(contentType)) return 'not_html'
    const snapshot = await orAborted(
      takeSnapshot(page, MAX_PAGE_BYTES),
      AbortSignal.timeout(limits.readMs),
    )
    if (snapshot === undefined) return 'too_large'
    const source = snapshot.html.replace(MADE_UP, '')
    if (fileTypeOf(source, source) !== undefined) return 'not_html'
    const screenshot = request.wantScreenshot ? await drawPage(page) : undefined
    const status = progress.response?.status() ?? 200
    return {
      kind: 'rendered' as const,
      url: request.url,
      finalUrl: progress.address,
      status,
      contentType,
      ...snapshot,
      screenshot,
    }
  }

  /** Until the page has what a reader came for, within the caps. */
  async function settle(
    page: Page,
    { waitForMs }: RenderRequest,
    traffic: Traffic,
    cut: AbortSignal,
    brokenOff: AbortSignal,
  ): Promise<void> {
    const until = (work: Promise<unknown>, maxMs: number) =>
      orAborted(work, AbortSignal.any([cut, AbortSignal.timeout(maxMs)])).catch(() => undefined)
    await until(orAborted(page.waitForLoadState('load', { timeout: 0 }), brokenOff), limits.loadMs)
    const asked =
      waitForMs > 0
        ? pause(waitForMs, undefined, { signal: cut }).catch(() => undefined)
        : undefined
    await waitUntil(() => traffic.isQuiet(), limits.quietMs, cut, settings.now)
    if (asked !== undefined) return asked
    const isFinished = async () => traffic.isQuiet() && !(await seemsUnfinished(page))
    await until(waitUntil(isFinished, limits.thinMs, cut, settings.now), limits.thinMs)
  }
}

/** Where the main frame is; kept outside the page's work, so that a failure can tell it. */
type Progress = {
  address: string
  response: Response | undefined
  failure: string
  /** Fires when its document ended before its end: it never loads. */
  readonly brokenOff: AbortController
  /** Fires when it has stood at an error for long enough. A page that checks its visitor begins with one, too, and moves on. */
  readonly isError: AbortController
  errorTimer: NodeJS.Timeout | undefined
}

function followNavigation(page: Page, progress: Progress, errorMs: number): void {
  const isMain = (request: Request) =>
    request.isNavigationRequest() && request.frame() === page.mainFrame()
  page.on('request', (request) => {
    if (isMain(request)) progress.address = request.url()
  })
  page.on('response', (response) => {
    if (!isMain(response.request())) return
    progress.response = response
    clearTimeout(progress.errorTimer)
    if (response.status() >= 400)
      progress.errorTimer = setTimeout(() => progress.isError.abort(), errorMs).unref()
  })
  page.on('requestfailed', (request) => {
    if (!isMain(request)) return
    progress.failure = request.failure()?.errorText ?? ''
    // A page that moves on gives up what it was loading.
    if (progress.response?.request() === request && !/ERR_ABORTED/.test(progress.failure))
      progress.brokenOff.abort()
  })
  page.on('framenavigated', (frame) => {
    // History entries made by script have an address of their own, and no request.
    if (frame === page.mainFrame() && /^https?:/.test(frame.url())) progress.address = frame.url()
  })
}

/** One page, no dialogs, no pictures unless they are to be seen, and an end to the number of requests. */
async function restrict(page: Page, wantScreenshot: boolean): Promise<void> {
  let requests = 0
  page.on('dialog', (dialog) => void dialog.dismiss().catch(() => undefined))
  page.context().on('page', (popup) => {
    if (popup !== page) void popup.close().catch(() => undefined)
  })
  await page.context().route('**/*', async (route) => {
    requests += 1
    const kind = route.request().resourceType()
    const isUnwanted = kind === 'media' || (!wantScreenshot && NOT_FOR_TEXT.has(kind))
    const answer = isUnwanted || requests > MAX_REQUESTS ? route.abort() : route.continue()
    await answer.catch(() => undefined)
  })
}

async function drawPage(page: Page): Promise<Buffer | undefined> {
  return page
    .screenshot({ type: 'png', timeout: SCREENSHOT_TIMEOUT_MS, animations: 'disabled' })
    .catch(() => undefined)
}

/** What is kept back of the time for reading and drawing. */
function readingTime({ timeoutMs, wantScreenshot }: RenderRequest): number {
  return Math.min(timeoutMs / 4, wantScreenshot ? READING_MS * 2 : READING_MS)
}
