/** Searches with the operator's own engines in place of a vendor. */
import { AppError } from '../../errors/app-error.ts'
import { requireSearchWords } from '../../composites/search/check-query.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { maybe, count, record, records, text, words } from '../../catalog/vocabulary/returns.ts'

/** The part of IN_HOUSE. A multi-source action searches with one of these actions alone. */
export const inSearch = { inHousePart: 'search' } as const
export const inSearchForCallsOnly = { ...inSearch, isInHouseForCallsOnly: true } as const

/** Rules for all searches. Throws AppError. */
export function checkOwnSearch(query: string, param: string): void {
  requireSearchWords(query, param)
}

/** Throws AppError for a value that only the vendor supports. */
export function rejectInSearch(param: string, isUnsupported: boolean, fix?: string): void {
  if (!isUnsupported) return
  throw new AppError(
    'upstream_not_configured',
    `This gateway searches with its own engines, which do not support this "${param}". Nothing was charged.`,
    {
      param,
      fix: `${fix ?? `Remove "${param}".`} The operator of this gateway can support it with a key of the vendor.`,
    },
  )
}

/** The fields of an answer that a gateway adds when it searches itself. */
export const engineFields = {
  engines: maybe(
    record('Only on a gateway that searches with its own engines.', {
      answered: words('The engines that answered.'),
      failed: records('The engines that did not answer.', {
        name: text('The name of the engine.'),
        reason: text('The reason, such as "CAPTCHA" or "timeout".'),
      }),
    }),
  ),
  undated: maybe(
    count(
      'Only on a gateway that searches with its own engines: the pages without a date that the requested period excludes.',
    ),
  ),
}

/** These fields of a reply, for outcomes that select its fields. */
export function pickEngineFields(body: Data): Data {
  return Object.fromEntries(Object.entries(body).filter(([name]) => name in engineFields))
}

export const answeredBy = maybe(
  text(
    'Only on a gateway that searches with its own engines: "model" for an answer of a language model with checked citations, "extract" for sentences of the pages.',
  ),
)
