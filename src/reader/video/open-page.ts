import type { Page, Route } from 'playwright-core'
import type { Clock } from '../../lib/clock.ts'
import type { Guard } from '../../upstream/guard.ts'
import { orAborted } from '../render/browser-abort.ts'
import { judgePage } from '../judge/judge.ts'
import type { FailureReason } from '../fetch/page-failure.ts'
import { reasonOf } from '../fetch/page-failure.ts'
import {
  isProxyAnswer,
  isTunnelRefusal,
  reasonOfNavigation,
  reasonOfRefusal,
} from '../render/render-failure.ts'
import { evaluateApart } from '../render/render-snapshot.ts'
import { waitUntil, watchTraffic, type Traffic } from '../render/render-quiet.ts'
import { HIDE_BANNERS } from './page-scripts.ts'
import { isSameSite } from './same-site.ts'

/** The page that is filmed or looked at, and what it may do. */
export type Visit = {
  readonly page: Page
  readonly traffic: Traffic
  readonly guard: Guard
  /** The rules of robots.txt, where the operator wants them kept. */
  readonly mayRead:
    | ((url: URL, options: { signal: AbortSignal; timeoutMs: number }) => Promise<boolean>)
    | undefined
  readonly signal: AbortSignal
  readonly now: Clock
}

export type VisitRules = {
  /** Stands in for the web: no page is fetched. */
  readonly samplePage?: ((url: string) => string) | undefined
  /** The only sites whose pages may be opened, and nothing is sent that could change anything: for scripts that nobody wrote. */
  readonly onlyHosts?: readonly string[] | undefined
}

const LOAD_MS = 15_000
/** A page that answered with an error status is not waited for longer. */
const ERROR_MS = 5_000
const OPEN_MS = 30_000
const QUIET_MS = 4_000
const MAX_REQUESTS = 3_000
const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/** No dialogs, no other windows, no films within the film, an end to the number of requests, and the rules of this visit. */
export async function startVisit(
  page: Page,
  settings: Omit<Visit, 'page' | 'traffic'>,
  { samplePage, onlyHosts }: VisitRules,
): Promise<Visit> {
  const traffic = watchTraffic(page, settings.now)
  page.on('dialog', (dialog) => void dialog.dismiss().catch(() => undefined))
  page.context().on('page', (popup) => void popup.close().catch(() => undefined))
  let requests = 0
  const answer = (route: Route): Promise<void> => {
    const request = route.request()
    const isMain = request.isNavigationRequest() && request.frame() === page.mainFrame()
    requests += 1
    if (requests > MAX_REQUESTS || request.resourceType() === 'media') return route.abort('aborted')
    // What is aborted leaves the page as it stands.
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

// Scripts of pages read by POST too; a form that is posted, or anything put or deleted, is meant to change something.
function isChange(method: string, isNavigation: boolean): boolean {
  return !READS.has(method) && (isNavigation || method !== 'POST')
}

function isAmong(hosts: readonly string[], url: string): boolean {
  const host = URL.parse(url)?.host ?? ''
  return hosts.some((allowed) => isSameSite(host, allowed))
}

/** Opens the address and waits until the page stands. Why it could not be, else null; then no page is open. */
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
  const text = String(await evaluateApart(page, '(document.body?.innerText ?? "").slice(0, 20000)'))
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

/** Until the page has loaded and its network is quiet, within bounds; then what stands in front of it is taken away. */
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
