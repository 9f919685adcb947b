import type { JobHandler } from '../../catalog/vocabulary/handlers.ts'
import { failed } from '../../catalog/vocabulary/outcome.ts'
import type { AddressCheck } from '../../catalog/validate/web-address.ts'
import { AppError } from '../../errors/app-error.ts'
import { toCentsRoundedUp, type Micros } from '../../lib/money.ts'
import { deepBudget } from '../shared/deep-budget.ts'
import type { LadderParts } from './accept-reading.ts'
import { adviceForDeep } from './advice.ts'
import { climbDeepLadder } from './deep-ladder.ts'
import { mapSite, type SitePages, type SiteWish } from './map-site.ts'
import { startClimbs } from './over-http.ts'
import { rowOf } from './page-row.ts'
import { refusalAmong } from './refusal.ts'
import { normaliseUrl, normaliseUrls } from './urls.ts'
import { callOf, vendorCalls } from './vendor-calls.ts'

export type OnescrapeDeepInput = {
  readonly urls?: readonly string[]
  readonly site?: SiteWish
  readonly format: 'markdown' | 'html'
  readonly main_content: boolean
  readonly budgetCents?: number
}

const CENTS_PER_URL = 10
const MAP_CENTS = 1

/** What is held: the caller's budget, or 10¢ for each page and 1¢ for the map of a site. */
export function onescrapeBudget({ urls, site, budgetCents }: OnescrapeDeepInput): Micros {
  const usual =
    site === undefined
      ? normaliseUrls(urls ?? []).length * CENTS_PER_URL
      : site.max_pages * CENTS_PER_URL + MAP_CENTS
  return deepBudget(budgetCents, usual)
}

/** Throws AppError bad_request unless exactly one of urls and site is given, and what `normaliseUrls` throws. */
export function checkOnescrapeDeep(
  { urls, site }: OnescrapeDeepInput,
  checkAddress?: AddressCheck,
): void {
  if ((urls === undefined) === (site === undefined)) {
    throw new AppError(
      'bad_request',
      urls === undefined
        ? 'Either "urls" or "site" is needed.'
        : '"urls" and "site" exclude each other.',
      {
        fix: 'Send "urls" to read pages that you know, or "site" to read the pages of a website.',
      },
    )
  }
  if (urls !== undefined) normaliseUrls(urls, checkAddress)
  if (site !== undefined) normaliseUrl(site.url, 'site.url', checkAddress)
}

/** `core/onescrape-deep`: up to 50 pages, or the pages of a site, through all six rungs. */
export function createOnescrapeDeep(parts: LadderParts): JobHandler {
  return async (data, tools) => {
    const { urls = [], site: wish, format, main_content: mainContent } = data as OnescrapeDeepInput
    const site = wish === undefined ? null : await mapSite(tools, wish)
    const pages = site === null ? normaliseUrls(urls) : site.urls
    const mapCharge = BigInt(
      (site?.hops ?? []).reduce((sum, { charged_micros: micros }) => sum + micros, 0),
    )
    const climbs = await climbDeepLadder(
      parts,
      tools,
      startClimbs(pages, site === null ? urls : [wish?.url ?? '']),
      { format, mainContent },
      tools.budget.total - mapCharge,
    )

    const rows = climbs.map((climb) => rowOf(climb, format))
    const calls = [...(site?.hops ?? []).map(callOf), ...vendorCalls(climbs)]
    const next = adviceForDeep(tools, rows, site)
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
    const refusal = climbs.every((climb) => climb.refusal !== null)
      ? refusalAmong(climbs, urls)
      : null
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
