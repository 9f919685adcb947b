import type { LocalHandler } from '../../catalog/vocabulary/handlers.ts'
import { done, failed, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import type { ErrorCode } from '../../errors/catalog.ts'
import { queryService, type ServiceResult, type CallLine } from './query-service.ts'
import { fuse, type SearchRow } from './fuse.ts'
import { toSearchRequest, type OnesearchInput } from './search-input.ts'
import { searchServices, servicesFor, type SearchService } from './search-services.ts'

export type OnesearchDeps = {
  readonly services?: readonly SearchService[]
  /** The time limit of one service. */
  readonly limitMs?: number
}

const SERVICE_LIMIT_MS = 7_000

/** `core/onesearch`: queries all search services concurrently and fuses their results. */
export function createOnesearch({
  services = searchServices,
  limitMs = SERVICE_LIMIT_MS,
}: OnesearchDeps = {}): LocalHandler {
  return async (data, tools) => {
    // Validated against the action's schema.
    const input = data as OnesearchInput
    const request = toSearchRequest(input, tools.now())
    const results = await Promise.all(
      servicesFor(request.topic, services).map((service) =>
        queryService(tools, service, request, limitMs),
      ),
    )
    const rows = fuse(
      results.map(({ ranking }) => ranking),
      request,
      input.limit,
    )
    const calls = results.map(({ call }) => call)
    if (rows.length === 0) return failWithoutRows(results)
    return done({
      query: input.query,
      row_count: rows.length,
      rows,
      calls,
      next: writeAdvice(rows, results),
    })
  }
}

/** The failure of a search without rows. */
function failWithoutRows(results: readonly ServiceResult[]): Outcome {
  const calls = results.map(({ call }) => call)
  if (calls.every(({ skipped }) => skipped === 'not_configured')) {
    return {
      ...failed(
        'upstream_not_configured',
        'No search service is configured on this gateway. Nothing was charged.',
        { calls },
      ),
    }
  }
  if (isOutage(calls))
    return {
      ...failed('no_results', 'No search service answered. Nothing was charged.', { calls }),
      fix: 'Try again later. "calls" lists the outcome of each service.',
      retryAfterSeconds: OUTAGE_SECONDS,
    }
  const answered = calls.filter(({ ok }) => ok).length
  const message =
    answered === 0
      ? 'No search service found results. Nothing was charged.'
      : 'No result matches the filters. Nothing was charged.'
  return {
    ...failed('no_results', message, { calls }),
    fix: 'Use fewer or different words, or relax "freshness" and the domains.',
  }
}

// An estimate: vendors do not announce when an outage ends.
const OUTAGE_SECONDS = 10
const OUTAGES: ReadonlySet<ErrorCode | undefined> = new Set<ErrorCode>([
  'upstream_error',
  'upstream_busy',
  'upstream_timeout',
  'upstream_payment',
])

/** Whether every service that was called failed. */
function isOutage(calls: readonly CallLine[]): boolean {
  const called = calls.filter(({ skipped }) => skipped === undefined)
  return called.length > 0 && called.every(({ error }) => OUTAGES.has(error))
}

function writeAdvice(rows: readonly SearchRow[], results: readonly ServiceResult[]): string {
  const slow = results
    .filter(({ call }) => call.error === 'upstream_timeout')
    .map(({ call }) => call.service)
  const left = slow.length === 0 ? '' : ` ${slow.join(' and ')} took too long and was skipped.`
  const several = rows.filter(({ sources }) => sources.length > 1).length
  const agreed =
    several === 0 ? '' : ` ${several} of ${rows.length} rows were found by more than one service.`
  return `Read the pages with core/onescrape, up to five URLs a call.${agreed}${left}`
}
