/** Searches of several vendors in their reply shapes, with the operator's engines. */
import type { InHouseHandler } from '../../catalog/vocabulary/handlers.ts'
import type { Clock } from '../../lib/clock.ts'
import { createUnpaidWork } from '../../lib/fairness/unpaid-work.ts'
import { MOST_UNPAID } from '../extraction/limit-unpaid.ts'
import { citedSearches, type CitedDeps } from './cited-searches.ts'
import { passageSearches } from './passage-searches.ts'
import { rowSearches } from './row-searches.ts'
import type { Pages } from '../../reader/create-pages.ts'

export type SearchHandlerDeps = Omit<CitedDeps, 'unpaid'> & {
  readonly now: Clock
  readonly pages: Pick<Pages, 'semanticContents' | 'render2Scrape'>
}

/** Names of handlers that exist only on a gateway with the part `search`. */
export const SEARCH_HANDLERS = [
  'indep.search',
  'indep.news',
  'render.search',
  'render2.search',
  'rag.search',
  'semantic.search',
  'agentic.search',
  'cited.search',
  'cited.deep-search',
] as const

export function searchHandlers(given: SearchHandlerDeps): ReadonlyMap<string, InHouseHandler> {
  const unpaid = createUnpaidWork({ most: Number(MOST_UNPAID), now: given.now })
  const deps = { ...given, unpaid }
  const handlers: Readonly<Record<(typeof SEARCH_HANDLERS)[number], InHouseHandler>> = {
    ...rowSearches(deps),
    ...passageSearches(deps),
    ...citedSearches(deps),
  }
  return new Map(Object.entries(handlers))
}
