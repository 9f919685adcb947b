import type { Page, Route } from 'playwright-core'
import type { Clock } from '../../lib/clock.ts'
import type { Guard } from '../../upstream/guard.ts'
import { orAborted } from '../render/or-aborted.ts'
import { judgePage } from '../judge/judge.ts'
import type { FailureReason } from '../fetch/page-failure.ts'
import { reasonOf } from '../fetch/page-failure.ts'
import {
  isProxyAnswer,
  isTunnelRefusal,
  reasonOfNavigation,
  reasonOfRefusal,
} from '../render/render-failure.ts'
import { evaluateIsolated } from '../render/isolated-world.ts'
import { waitUntil, watchTraffic, type Traffic } from '../render/render-quiet.ts'
import { HIDE_BANNERS } from './page-scripts.ts'
import { isSameSite } from './same-site.ts'

/** An open page that is recorded or surveyed, with its limits. */
export type Visit = {
  readonly page: Page
  readonly traffic: Traffic
  readonly guard: Guard
  /** Checks robots.txt, if the operator enables that. */
  readonly mayRead:
    | ((url: URL, options: { signal: AbortSignal; timeoutMs: number }) => Promise<boolean>)
    | undefined
  readonly signal: AbortSignal
  readonly now: Clock
}

export type VisitRules = {
  /** Serves these pages instead of the web: nothing is fetched. */
  readonly samplePage?: ((url: string) => string) | undefined
  /**
   * The only sites that may be opened, and only with requests that change nothing. For scripts that
   * were generated from a page.
   */
  readonly onlyHosts?: readonly string[] | undefined
}

const LOAD_MS = 15_000
/** The longest wait for a page with an error status. */
const ERROR_MS = 5_000
const OPEN_MS = 30_000
const QUIET_MS = 4_000
const MAX_REQUESTS = 3_000
const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Blocks dialogs, popups and media, limits the number of requests, and applies the rules of this
 * visit.
 */
export async function startVisit(
  page: Page,
  settings: Omit<Visit, 'page' | 'traffic'>,
  { samplePage, onlyHosts }: VisitRules,
): Promise<Visit> {
  const traffic = watchTraffic(page, settings.now, 'everything')
  page.on('dialog', (dialog) => void dialog.dismiss().catch(() => undefined))
  page.context().on('page', (popup) => void popup.close().catch(() => undefined))
  let requests = 0
  const answer = (route: Route): Promise<void> => {
    const request = route.request()
    const isMain = request.isNavigationRequest() && request.frame() === page.mainFrame()
    requests += 1
    if (requests > MAX_REQUESTS || request.resourceType() === 'media') return route.abort('aborted')
    // An aborted request leaves the page as it is.
    if (
      onlyHosts !== undefined &&
      ((isMain && !isAmong(onlyHosts, request.url())) ||
        isChange(request.method(), request.isNavigationRequest()))
    )
      return route.abort('aborted')
    if (samplePage === undefined) return route.continue()
    return isMain
      ? route.fulfill({
          status: 200,
          contentType: 'text/html; charset=utf-8',
          body: samplePage(request.url()),
        })
      : route.abort('aborted')
  }
  await page.route('**/*', (route) => answer(route).catch(() => undefined))
  return { ...settings, page, traffic }
}

// Scripts also read with POST. A submitted form, PUT, PATCH and DELETE are meant to change
// something.
function isChange(method: string, isNavigation: boolean): boolean {
  return !READS.has(method) && (isNavigation || method !== 'POST')
}

function isAmong(hosts: readonly string[], url: string): boolean {
  const host = URL.parse(url)?.host ?? ''
  return hosts.some((allowed) => isSameSite(host, allowed))
}

/**
 * Opens the URL and waits until the page is ready. Returns the reason if that fails, else null;
 * after a failure no page is open.
 */
export async function openPage(
  visit: Visit,
  address: string,
): Promise<FailureReason | 'bot_wall' | null> {
  const flaw = await tryToOpen(visit, address)
  if (flaw !== null) await visit.page.goto('about:blank').catch(() => undefined)
  return flaw
}

async function tryToOpen(
  visit: Visit,
  address: string,
): Promise<FailureReason | 'bot_wall' | null> {
  const { page, guard, signal } = visit
  try {
    const url = guard.checkUrl(address)
    if (visit.mayRead !== undefined && !(await visit.mayRead(url, { signal, timeoutMs: OPEN_MS })))
      return 'robots'
    const response = await orAborted(
      page.goto(url.href, { waitUntil: 'commit', timeout: OPEN_MS }),
      signal,
    )
    await settle(visit, response !== null && response.status() >= 400 ? ERROR_MS : LOAD_MS)
    return response === null
      ? null
      : await flawOf(visit, response.status(), response.headers()['content-type'] ?? '')
  } catch (error) {
    if (signal.aborted) throw error
    if (isTunnelRefusal(error)) return reasonOfRefusal(guard, address, signal)
    if (error instanceof Error && error.name === 'TimeoutError') return 'timeout'
    return error instanceof Error && error.message.startsWith('page.goto')
      ? reasonOfNavigation(error)
      : reasonOf(error)
  }
}

async function flawOf(
  { page, guard, signal }: Visit,
  status: number,
  contentType: string,
): Promise<FailureReason | 'bot_wall' | null> {
  const text = String(
    await evaluateIsolated(page, '(document.body?.innerText ?? "").slice(0, 20000)'),
  )
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? ''
  if (isProxyAnswer({ status, contentType: type }, text))
    return reasonOfRefusal(guard, page.url(), signal)
  if (status >= 400) return 'http_status'
  if (!/^(text\/|application\/(xhtml\+)?xml|application\/json)/.test(type) && type !== '')
    return 'not_html'
  const { flags } = judgePage({
    content: text,
    title: await page.title(),
    status,
    finalUrl: page.url(),
  })
  return flags.includes('blocked') ? 'bot_wall' : null
}

/**
 * Waits until the page has loaded and its network is quiet, within limits. Then hides cookie
 * banners.
 */
export async function settle(
  { page, traffic, signal, now }: Visit,
  loadMs = LOAD_MS,
): Promise<void> {
  await orAborted(
    page.waitForLoadState('load', { timeout: loadMs }).catch(() => undefined),
    signal,
  )
  await waitUntil(() => traffic.isQuiet(), QUIET_MS, signal, now)
  signal.throwIfAborted()
  await page.evaluate(HIDE_BANNERS).catch(() => undefined)
}
