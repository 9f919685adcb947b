import type { JobHandler } from '../../catalog/vocabulary/handlers.ts'
import { failed } from '../../catalog/vocabulary/outcome.ts'
import type { AddressCheck } from '../../catalog/validate/web-address.ts'
import { AppError } from '../../errors/app-error.ts'
import { toCentsRoundedUp, type Micros } from '../../lib/money.ts'
import { deepBudget } from '../shared/deep-budget.ts'
import type { ReaderDeps } from './accept-reading.ts'
import { readByDeepChain } from './deep-chain.ts'
import { findRefusal } from './find-refusal.ts'
import { createTasks } from './http-fallback.ts'
import { callOf, listVendorCalls } from './list-vendor-calls.ts'
import { mapSite, type SiteInput, type SitePages } from './map-site.ts'
import { rowOf } from './page-row.ts'
import { shapeRow, type ContentOptions } from './shape-content.ts'
import { normaliseUrl, normaliseUrls } from './urls.ts'
import { writeDeepAdvice } from './write-advice.ts'

export type OnescrapeDeepInput = ContentOptions & {
  readonly urls?: readonly string[]
  readonly site?: SiteInput
  readonly main_content: boolean
  readonly budgetCents?: number
}

const CENTS_PER_URL = 10
const MAP_CENTS = 1

/** The amount to hold: the caller's budget, or 10¢ for each page and 1¢ for the map of a site. */
export function onescrapeBudget({ urls, site, budgetCents }: OnescrapeDeepInput): Micros {
  const usual =
    site === undefined
      ? normaliseUrls(urls ?? []).length * CENTS_PER_URL
      : site.max_pages * CENTS_PER_URL + MAP_CENTS
  return deepBudget(budgetCents, usual)
}

/** Throws AppError bad_request unless exactly one of urls and site is given, and the errors of `normaliseUrls`. */
export function checkOnescrapeDeep(
  { urls, site }: OnescrapeDeepInput,
  checkAddress?: AddressCheck,
): void {
  if ((urls === undefined) === (site === undefined)) {
    throw new AppError(
      'bad_request',
      urls === undefined
        ? 'Neither "urls" nor "site" is given.'
        : '"urls" and "site" cannot be combined.',
      {
        fix: 'Send "urls" to read specific pages, or "site" to read the pages of a website.',
      },
    )
  }
  if (urls !== undefined) normaliseUrls(urls, checkAddress)
  if (site !== undefined) normaliseUrl(site.url, 'site.url', checkAddress)
}

/** `core/onescrape-deep`: reads up to 50 pages, or the pages of a site, with all six tiers. */
export function createOnescrapeDeep(deps: ReaderDeps): JobHandler {
  return async (data, tools) => {
    const input = data as OnescrapeDeepInput
    const { urls = [], site: siteInput, format, main_content: mainContent } = input
    const site = siteInput === undefined ? null : await mapSite(tools, siteInput)
    const pages = site === null ? normaliseUrls(urls) : site.urls
    const mapCharge = BigInt(
      (site?.hops ?? []).reduce((sum, { charged_micros: micros }) => sum + micros, 0),
    )
    const tasks = await readByDeepChain(
      deps,
      tools,
      createTasks(pages, site === null ? urls : [siteInput?.url ?? '']),
      { format: format === 'html' ? 'html' : 'markdown', mainContent },
      tools.budget.total - mapCharge,
    )

    const rows = tasks.map((task) => shapeRow(rowOf(task, format), input))
    const calls = [...(site?.hops ?? []).map(callOf), ...listVendorCalls(tasks)]
    const next = writeDeepAdvice(tools, rows, site, format)
    const readCount = rows.filter(({ content }) => content !== null).length
    const spent = rows.reduce((sum, { charged_micros: micros }) => sum + BigInt(micros), mapCharge)
    const result = {
      ...(site === null ? {} : { site: siteOf(site) }),
      url_count: site === null ? urls.length : pages.length,
      row_count: rows.length,
      read_count: readCount,
      blocked_count: rows.filter(({ error }) => error === 'blocked').length,
      skipped_count: rows.filter(({ error }) => error === 'over budget').length,
      format,
      hard: rows.some(({ hard }) => hard),
      rows,
      calls,
      next,
      spent_cents: toCentsRoundedUp(spent),
      spent_micros: Number(spent),
      budget_cents: toCentsRoundedUp(tools.budget.total),
    }
    const refusal = tasks.every((task) => task.refusal !== null) ? findRefusal(tasks, urls) : null
    const unpaid = { ...result, spent_cents: 0, spent_micros: 0 }
    if (refusal !== null)
      return {
        ...failed(refusal.code, refusal.message),
        ...(refusal.param === undefined ? {} : { param: refusal.param }),
        fix: refusal.fix,
        result: unpaid,
      }
    if (readCount === 0)
      return {
        ...failed('all_blocked', `No page could be read. ${next} Nothing was charged.`),
        fix: next,
        result: unpaid,
      }
    return { kind: readCount === rows.length ? 'done' : 'partial', data: result, actual: spent }
  }
}

function siteOf({ seed, mappedPages }: SitePages) {
  return { url: seed, mapped_pages: mappedPages }
}
