import type { Entry } from '../../catalog/index.ts'
import { priceOf, worstCase } from '../../catalog/prices/price.ts'
import { isCapped } from '../../catalog/vocabulary/tariff.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Mode } from '../../lib/mode.ts'
import { formatDollars, type Micros } from '../../lib/money.ts'
import { tooDear, withinCeiling } from '../quote/ceiling.ts'
import { requireLane } from '../lanes/no-lane.ts'
import { readInput } from '../quote/read-input.ts'
import type { Calls } from '../call.ts'
import { isJob } from '../ways/job.ts'

export type Quote = { readonly amount: Micros; readonly entry: Entry }

/** What this call costs at most, and what a caller without an account pays for it. Throws AppError for what cannot be sold so. */
export function quoteCall(
  calls: Calls,
  {
    service,
    action,
    body,
    mode,
  }: {
    readonly service: string
    readonly action: string
    readonly body: unknown
    readonly mode: Mode
  },
): Quote {
  const entry = calls.catalog.findAction(service, action)
  const read = readInput(calls, entry, mode, body)
  // Files belong to an account, whose room they take and which alone can list and delete them; so does what a call makes at a vendor, or asks about.
  const needsAccount =
    entry.service.id === 'files' ||
    (entry.action.kind === 'local' && entry.action.atVendor) ||
    (entry.action.kind === 'call' && entry.action.ownership !== undefined)
  if (worstCase(entry.action, read.input) === 0n || isJob(entry, read.input) || needsAccount)
    throw new AppError('invalid_token', 'This action is not sold by the call: it needs a key.')
  requireLane(entry, read)
  const { input, amount, lane } = withinCeiling(entry, read)
  // A ceiling may make the call smaller. Else strangers would name their own price for all that it asks for. Only what a merchant
  // sells by its own count, below a mere cap, may go for less: elsewhere it would refuse what the stranger has paid for by then.
  const whole = worstCase(entry.action, input)
  const isMerchantsPrice = lane?.kind === 'wallet' && isCapped(priceOf(entry.action, input))
  if (amount < whole && !isMerchantsPrice)
    throw tooDear(`costs ${formatDollars(whole)} without a key`, whole, amount)
  return { amount, entry }
}
