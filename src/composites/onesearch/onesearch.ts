import type { LocalHandler } from '../../catalog/vocabulary/handlers.ts'
import { done, failed, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import type { ErrorCode } from '../../errors/catalog.ts'
import { askService, type ServiceAnswer, type CallLine } from './ask-services.ts'
import { fuse, type SearchRow } from './fuse.ts'
import { wishOf, type OnesearchInput } from './search-input.ts'
import { searchServices, servicesOf, type SearchService } from './search-services.ts'

export type OnesearchParts = {
  readonly services?: readonly SearchService[]
  /** How long one service may take before the answer goes without it. */
  readonly limitMs?: number
}

const SERVICE_LIMIT_MS = 7_000

/** `core/onesearch`: every search service side by side, their results as one list. */
export function createOnesearch({
  services = searchServices,
  limitMs = SERVICE_LIMIT_MS,
}: OnesearchParts = {}): LocalHandler {
  return async (data, tools) => {
    // Validation has passed: the input is what the action's schema says.
    const input = data as OnesearchInput
    const wish = wishOf(input, tools.now())
    const asked = await Promise.all(
      servicesOf(wish.topic, services).map((service) => askService(tools, service, wish, limitMs)),
    )
    const rows = fuse(
      asked.map(({ ranking }) => ranking),
      wish,
      input.limit,
    )
    const calls = asked.map(({ call }) => call)
    if (rows.length === 0) return nothingFound(asked)
    return done({
      query: input.query,
      row_count: rows.length,
      rows,
      calls,
      next: adviceFor(rows, asked),
    })
  }
}

/** The failure of a search without rows. */
function nothingFound(asked: readonly ServiceAnswer[]): Outcome {
  const calls = asked.map(({ call }) => call)
  if (calls.every(({ skipped }) => skipped === 'not_configured')) {
    return {
      ...failed(
        'upstream_not_configured',
        'No search service is set up on this gateway. Nothing was charged.',
        { calls },
      ),
    }
  }
  if (isOutage(calls))
    return {
      ...failed(
        'no_results',
        'No search service answered, so nothing is known of what there is to find. Nothing was charged.',
        { calls },
      ),
      fix: 'Try again later: "calls" says what became of each service.',
      retryAfterSeconds: OUTAGE_SECONDS,
    }
  const answered = calls.filter(({ ok }) => ok).length
  const message =
    answered === 0
      ? 'No search service found anything. Nothing was charged.'
      : 'Nothing that was found fits the filters. Nothing was charged.'
  return {
    ...failed('no_results', message, { calls }),
    fix: 'Use fewer or other words, or widen "freshness" and the domains.',
  }
}

// Nobody knows how long an outage takes.
const OUTAGE_SECONDS = 10
const OUTAGES: ReadonlySet<ErrorCode | undefined> = new Set<ErrorCode>([
  'upstream_error',
  'upstream_busy',
  'upstream_timeout',
  'upstream_payment',
])

/** Every service that was asked is out of order. */
function isOutage(calls: readonly CallLine[]): boolean {
  const asked = calls.filter(({ skipped }) => skipped === undefined)
  return asked.length > 0 && asked.every(({ error }) => OUTAGES.has(error))
}

function adviceFor(rows: readonly SearchRow[], asked: readonly ServiceAnswer[]): string {
  const slow = asked
    .filter(({ call }) => call.error === 'upstream_timeout')
    .map(({ call }) => call.service)
  const left = slow.length === 0 ? '' : ` ${slow.join(' and ')} took too long and was left out.`
  const several = rows.filter(({ sources }) => sources.length > 1).length
  const agreed =
    several === 0 ? '' : ` ${several} of ${rows.length} rows were found by more than one service.`
  return `Read the pages with core/onescrape: it takes up to five of the addresses.${agreed}${left}`
}
