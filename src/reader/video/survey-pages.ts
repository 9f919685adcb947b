import type { Page } from 'playwright-core'
import type { Clock } from '../../lib/clock.ts'
import type { Guard } from '../../upstream/guard.ts'
import type { PageBrowser } from '../render/browser.ts'
import type { Visitor } from '../../lib/fairness/fair-slots.ts'
import { orAborted } from '../render/or-aborted.ts'
import { evaluateIsolated } from '../render/isolated-world.ts'
import { layoutFor, type AspectRatio } from './layout.ts'
import { openPage, startVisit, type Visit, type VisitRules } from './open-page.ts'
import { SURVEY } from './page-scripts.ts'

/**
 * The visible parts of a page, top to bottom, for planning a demo. All texts are the page's own.
 */
export type PageFacts = {
  readonly url: string
  readonly title: string
  readonly siteName: string
  readonly description: string
  readonly headings: readonly {
    readonly level: number
    readonly text: string
    readonly topPx: number
    readonly following: string
  }[]
  readonly links: readonly {
    readonly text: string
    readonly href: string
    readonly isNavigation: boolean
  }[]
  /** The labels of tabs and collapsible parts. */
  readonly tabs: readonly string[]
  readonly heightPx: number
}

export type Surveyed =
  | { readonly url: string; readonly facts: PageFacts }
  | { readonly url: string; readonly flaw: string }
export type SurveyRequest = VisitRules &
  Visitor & { readonly urls: readonly string[]; readonly aspectRatio: AspectRatio }
/**
 * Opens the pages one after another and collects their facts. Rejects with AppError `overloaded`,
 * `rate_limited` or `upstream_not_configured`, and the signal's reason.
 */
export type SurveyPages = (request: SurveyRequest) => Promise<Surveyed[]>

export type SurveyorSettings = {
  readonly browser: PageBrowser
  readonly guard: Guard
  readonly mayRead: Visit['mayRead']
  readonly now: Clock
}

/** Opening a page has its own limits. This one is for pages that stop responding. */
const PAGE_TIMEOUT_MS = 75_000

export function createSurveyor({ browser, guard, mayRead, now }: SurveyorSettings): SurveyPages {
  return ({ urls, aspectRatio, accountId, signal, ...rules }) =>
    browser.withPage(
      { accountId, signal },
      async (page) => {
        const visit = await startVisit(page, { guard, mayRead, signal, now }, rules)
        const surveyed: Surveyed[] = []
        for (const url of urls) {
          surveyed.push(
            await orAborted(survey(visit, url), AbortSignal.timeout(PAGE_TIMEOUT_MS)).catch(
              (error: unknown) => {
                signal.throwIfAborted()
                if (error instanceof Error && error.name === 'TimeoutError')
                  return { url, flaw: 'timeout' }
                throw error
              },
            ),
          )
        }
        return surveyed
      },
      { screen: layoutFor(aspectRatio).viewport },
    )
}

async function survey(visit: Visit, url: string): Promise<Surveyed> {
  const flaw = await openPage(visit, url)
  return flaw === null ? { url, facts: await factsOf(visit.page) } : { url, flaw }
}

async function factsOf(page: Page): Promise<PageFacts> {
  return (await evaluateIsolated(page, SURVEY)) as PageFacts
}
