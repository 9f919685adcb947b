import { meterOf } from '../../catalog/define.ts'
import { priceOf, worstCase } from '../../catalog/price.ts'
import { AppError } from '../../errors/app-error.ts'
import { formatDollars, type Micros } from '../../lib/money.ts'
import { tooDear, withinCeiling } from '../ceiling.ts'
import { noLane } from '../no-lane.ts'
import { errorOf } from '../outcome-error.ts'
import { readInput } from '../read-input.ts'
import type { Calls } from '../run.ts'
import { isJob } from '../submit-call.ts'

/** What this call costs at most, and what a caller without an account pays for it. Throws AppError for what cannot be sold so. */
export function quoteCall(calls: Calls, service: string, action: string, body: unknown): Micros {
  const entry = calls.catalog.findAction(service, action)
  const { input, amount, lane } = withinCeiling(entry, readInput(calls, entry, 'live', body))
  // A ceiling may make the call smaller. Else strangers would name their own price for all that it asks for. Only what a merchant
  // sells by its own count, below a mere cap, may go for less: elsewhere it would refuse what the stranger has paid for by then.
  const whole = worstCase(entry.action, input)
  const isMerchantsPrice = lane?.kind === 'wallet' && priceOf(entry.action, input).kind === 'actual'
  if (amount < whole && !isMerchantsPrice) throw tooDear(`costs ${formatDollars(whole)} without a key`, whole, amount)
  // Files belong to an account, whose room they take and which alone can list and delete them; so does what a call makes at a vendor, or asks about.
  const needsAccount = entry.service.id === 'files' || meterOf(entry.action) !== undefined || (entry.action.kind === 'call' && entry.action.ownership !== undefined)
  if (amount === 0n || isJob(entry, input) || needsAccount) throw new AppError('invalid_token', 'This action is not sold by the call: it needs a key.')
  if (lane === null) throw errorOf(noLane(entry, input))
  return amount
}
