import { priceOf } from '../../catalog/prices/price.ts'
import { limitCost, quoteWithin } from '../../keys/policy/limit-cost.ts'
import { requireAllowed } from '../../keys/policy/require-allowed.ts'
import { NO_LANE } from '../../lib/metrics/call-tally.ts'
import type { Micros } from '../../lib/money.ts'
import type { Call, CallRequest } from '../call.ts'
import { requireLane } from '../lanes/no-lane.ts'
import type { PerformDeps } from '../perform/call-scope.ts'
import type { CallLabels } from '../tally-call.ts'
import { applyMaxCost } from './apply-max-cost.ts'
import { readInput } from './read-input.ts'

/** Reserved while a call without a charge runs. */
const LEAST_HOLD: Micros = 1n

/** Validates a request and quotes its worst case. Labels the call for metrics. Throws AppError for a request that cannot be carried out. */
export function quoteCall(performers: PerformDeps, request: CallRequest, labels: CallLabels): Call {
  const entry = performers.catalog.findAction(request.service, request.action)
  labels.service = entry.service.id
  const { caller } = request
  requireAllowed(caller, entry.service.id, entry.name)
  const read = readInput(performers, entry, caller.mode, request.body)
  // Before the price: no credit pays for an action that is not set up.
  requireLane(entry, read)
  const limit = limitCost(caller, read.maxCost)
  const { maxCost } = limit
  const { input, lane, amount, lowered } = quoteWithin(limit, () =>
    applyMaxCost(entry, { ...read, maxCost }),
  )
  labels.lane = lane?.kind ?? NO_LANE
  const price = priceOf(entry.action, input)
  const isRecorded = price.kind === 'free' && price.isRecorded === true
  const { webhookUrl, confirmLoop } = read
  const maxChars = read.maxChars ?? request.maxChars ?? null
  return {
    request,
    entry,
    input,
    lane,
    // The ledger records no hold of zero.
    amount: isRecorded ? LEAST_HOLD : amount,
    lowered,
    maxCost,
    webhookUrl,
    maxChars,
    confirmLoop,
  }
}
