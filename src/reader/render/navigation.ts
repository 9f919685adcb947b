import type { Page, Request, Response } from 'playwright-core'

const MAX_REQUESTS = 1_000
const NOT_FOR_TEXT = new Set(['image', 'font', 'media'])

/** The navigation of the main frame. It outlives the page, so that a failure can report it. */
export type Navigation = {
  address: string
  response: Response | undefined
  failure: string
  /** The document ended early: its response has no end. */
  isIncomplete: boolean
  /** Aborts when the document ended early and will never load. */
  readonly endedEarly: AbortController
  /**
   * Aborts when the page has shown an error for long enough. A page that checks its visitor starts
   * with an error, too, and then navigates.
   */
  readonly stayedAtError: AbortController
  errorTimer: NodeJS.Timeout | undefined
}

export function createNavigation(address: string): Navigation {
  return {
    address,
    response: undefined,
    failure: '',
    isIncomplete: false,
    endedEarly: new AbortController(),
    stayedAtError: new AbortController(),
    errorTimer: undefined,
  }
}

/** Updates `navigation` from the page's events. `errorMs` is the wait before `stayedAtError` aborts. */
export function followNavigation(page: Page, navigation: Navigation, errorMs: number): void {
  const isMain = (request: Request) =>
    request.isNavigationRequest() && request.frame() === page.mainFrame()
  page.on('request', (request) => {
    if (isMain(request)) navigation.address = request.url()
  })
  page.on('response', (response) => {
    if (!isMain(response.request())) return
    navigation.response = response
    navigation.isIncomplete = false
    clearTimeout(navigation.errorTimer)
    if (response.status() >= 400)
      navigation.errorTimer = setTimeout(() => navigation.stayedAtError.abort(), errorMs).unref()
  })
  page.on('requestfailed', (request) => {
    if (!isMain(request)) return
    navigation.failure = request.failure()?.errorText ?? ''
    // Navigating aborts what the page was loading.
    if (navigation.response?.request() !== request || /ERR_ABORTED/.test(navigation.failure)) return
    navigation.isIncomplete = true
    navigation.endedEarly.abort()
  })
  page.on('framenavigated', (frame) => {
    // History entries made by scripts have a URL but no request.
    if (frame === page.mainFrame() && /^https?:/.test(frame.url())) navigation.address = frame.url()
  })
}

/** Allows one page, no dialogs, images only for a screenshot, and a limited number of requests. */
export async function restrictPage(page: Page, includesScreenshot: boolean): Promise<void> {
  let requests = 0
  page.on('dialog', (dialog) => void dialog.dismiss().catch(() => undefined))
  page.context().on('page', (popup) => {
    if (popup !== page) void popup.close().catch(() => undefined)
  })
  await page.context().route('**/*', async (route) => {
    requests += 1
    const kind = route.request().resourceType()
    const isUnwanted = kind === 'media' || (!includesScreenshot && NOT_FOR_TEXT.has(kind))
    const answer = isUnwanted || requests > MAX_REQUESTS ? route.abort() : route.continue()
    await answer.catch(() => undefined)
  })
}
