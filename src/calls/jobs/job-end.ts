import { toHop, withoutCharge } from '../../catalog/prices/hop.ts'
import { billable } from '../../catalog/prices/price.ts'
import type { Hop } from '../../catalog/vocabulary/handlers.ts'
import type { Entry } from '../../catalog/index.ts'
import { isDelivered, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import type { Job, JobEnd } from '../../jobs/job.ts'
import { minMicros, type Micros } from '../../lib/money.ts'
import { markUntrusted } from '../perform/envelope.ts'
import { messageOf } from '../perform/outcome-error.ts'

/** The end of a job for the outcome of its work. A failed job is charged only what its input used. */
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
  const { result, retryAfterSeconds: _, owed, ...failure } = outcome
  const isCharged = owed !== undefined && charge > 0n
  return {
    ...failure,
    message: messageOf(outcome, charge),
    ...(isCharged ? { charge } : {}),
    hops: JSON.stringify(isCharged ? hops : hops.map(withoutCharge)),
    ...(result === undefined ? {} : { result: markUntrusted(action, result) }),
  }
}

/** The end of a job that is one step of its action, charged within the budget. */
export function endInOneStep(nowMs: number, entry: Entry, job: Job, outcome: Outcome): JobEnd {
  const charge = minMicros(billable(entry.action, job.input, outcome), job.budget)
  const hop = toHop(entry, {
    ok: isDelivered(outcome),
    charge,
    latencyMs: nowMs - job.createdMs,
  })
  return toJobEnd(entry, outcome, charge, [hop])
}
