import { withoutCharge } from '../../catalog/prices/hop.ts'
import type { Hop } from '../../catalog/vocabulary/handlers.ts'
import type { Entry } from '../../catalog/index.ts'
import type { Outcome } from '../../catalog/vocabulary/outcome.ts'
import type { JobEnd } from '../../jobs/job.ts'
import type { Micros } from '../../lib/money.ts'
import { markUntrusted } from '../perform/envelope.ts'

/** The end of a job for the outcome of its work. A failed job is charged nothing. */
export function toJobEnd(
  { action }: Entry,
  outcome: Outcome,
  charge: Micros,
  hops: readonly Hop[],
): JobEnd {
  if (outcome.kind !== 'failed')
    return {
      kind: 'succeeded',
      result: markUntrusted(action, outcome.data),
      charge,
      hops: JSON.stringify(hops),
    }
  const { result, retryAfterSeconds: _, ...failure } = outcome
  return {
    ...failure,
    hops: JSON.stringify(hops.map(withoutCharge)),
    ...(result === undefined ? {} : { result: markUntrusted(action, result) }),
  }
}
