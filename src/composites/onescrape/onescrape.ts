import type { LocalHandler } from '../../catalog/vocabulary/handlers.ts'
import { failed } from '../../catalog/vocabulary/outcome.ts'
import { adviceFor } from './advice.ts'
import type { LadderParts } from './accept-reading.ts'
import { climbCheapLadder } from './cheap-ladder.ts'
import { startClimbs } from './over-http.ts'
import { rowOf } from './page-row.ts'
import { refusalAmong } from './refusal.ts'
import { normaliseUrls } from './urls.ts'
import { vendorCalls } from './vendor-calls.ts'

type OnescrapeInput = {
  readonly urls: readonly string[]
  readonly format: 'markdown' | 'html'
  readonly main_content: boolean
}

/** `core/onescrape`: 1 to 5 pages through the cheap ladder. */
export function createOnescrape(parts: LadderParts): LocalHandler {
  return async (data, tools) => {
    // Validation has passed: the input is what the action's schema says.
    const { urls, format, main_content: mainContent } = data as OnescrapeInput
    const climbs = await climbCheapLadder(parts, tools, startClimbs(normaliseUrls(urls), urls), {
      format,
      mainContent,
    })
    const refusal = refusalAmong(climbs, urls)
    if (refusal !== null) throw refusal
    const rows = climbs.map((climb) => rowOf(climb, format))
    const readCount = rows.filter(({ content }) => content !== null).length
    const calls = vendorCalls(climbs)
    const next = adviceFor(tools, rows)
    if (readCount === 0) {
      const message =
        rows.length === 1
          ? 'The page could not be read. Nothing was charged.'
          : `None of the ${rows.length} pages could be read. Nothing was charged.`
      return { ...failed('all_blocked', message, { rows, calls, next }), fix: next }
    }
    const answer = {
      url_count: urls.length,
      row_count: rows.length,
      read_count: readCount,
      format,
      hard: false,
      rows,
      calls,
      next,
    }
    return {
      kind: readCount === rows.length ? 'done' : 'partial',
      data: answer,
      units: rows.length,
    }
  }
}
