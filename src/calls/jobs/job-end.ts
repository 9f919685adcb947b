import type { Hop } from '../../catalog/vocabulary/handlers.ts'
import type { Entry } from '../../catalog/index.ts'
import type { Outcome } from '../../catalog/vocabulary/outcome.ts'
import type { JobEnd } from '../../jobs/job.ts'
import type { Micros } from '../../lib/money.ts'
import { markedBy } from '../perform/envelope.ts'
import { withoutCharge } from '../../catalog/prices/hop.ts'

/** How a job ends, by what came of its work. */
export function endOf(
  { action }: Entry,
  outcome: Outcome,
  charge: Micros,
  made: readonly Hop[],
): JobEnd {
  if (outcome.kind !== 'failed')
    return {
      kind: 'succeeded',
      result: markedBy(action, outcome.data),
      charge,
      hops: JSON.stringify(made),
    }
  const { result, retryAfterSeconds: _time, ...failure } = outcome
  return {
    ...failure,
    hops: JSON.stringify(made.map(withoutCharge)),
    ...(result === undefined ? {} : { result: markedBy(action, result) }),
  }
}
